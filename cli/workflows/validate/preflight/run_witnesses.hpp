#pragma once
// What nodes counted while single runs of the suite went on, by what the archives of these runs say.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Counters that should not have grown, one observation for each kind and component; its rows name the run.
std::vector<replay::validate::Observation> growth_in_runs(const Session& session);

}  // namespace plumbline::cli::validate
