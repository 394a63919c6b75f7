#pragma once
// What would be better here: hints and algorithms are searched in the replay, the best are written as files for both
// MPIs, and, if the user wants, tried for real.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// For each diagnosis that settings may mend, the best of them by replays of the suite: its remedy and predicted gain.
// Writes DIR/tuned/ with what can be used as it is (remedies.hpp).
void find_advice(Session& session);

// Runs the suite with and without the remedy of each such diagnosis, in turn, and notes what it gains.
void try_advice(Session& session);

}  // namespace plumbline::cli::validate
