#pragma once
// The second stage: the platform of each MPI, and what the rules need.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Seconds that it takes with all MPIs, about.
double planned_seconds_to_measure(const Session& session);

// platform-MPI.xml and rules-MPI.h5 in the directory; what is there already is taken (--resume). What cannot be
// measured is noted, and the rest goes on.
void measure(Session& session);

}  // namespace plumbline::cli::validate
