#pragma once
// `plumbline predict`: every point of a sweep compiled, then evaluated, one after the other.

#include "base/team/shared_work.hpp"
#include "cli/workflows/predict/options.hpp"
#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {

// Progress on a terminal. Throws Error with all that is wrong with the model, at any point. `launched`: the processes
// of a launcher, which share the replays; null: this process makes them.
Prediction predict(const Options& options, Workers* launched = nullptr);

}  // namespace plumbline::cli::predict
