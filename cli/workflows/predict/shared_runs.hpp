#pragma once
// The replays of a prediction shared among the processes of a launcher. On one machine they are threads (evaluate.hpp).

#include <cstddef>
#include <functional>

#include "base/team/shared_work.hpp"
#include "cli/workflows/predict/runs.hpp"

namespace plumbline::cli::predict {

// Calls `take` for each run, in their order. Each process prepares the points by itself, from the texts of the model
// and the platform. Throws the error of the first run that has one.
void share_runs(Workers& workers, const Preparation& preparation, const Options& options,
                const std::function<void(double share)>& progress,
                const std::function<void(std::size_t index, RunOutcome run)>& take);
extern const SharedWork kRuns;

}  // namespace plumbline::cli::predict
