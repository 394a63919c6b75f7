#pragma once
// The replays of a prediction shared among the processes of a launcher. On one machine they are threads (evaluate.hpp).

#include <functional>
#include <vector>

#include "base/team/shared_work.hpp"
#include "cli/workflows/predict/runs.hpp"

namespace plumbline::cli::predict {

// All runs in their order. Each process prepares the points by itself, from the files that `options` names. Throws the
// error of the first run that has one.
std::vector<RunOutcome> shared_runs(Workers& workers, const Options& options,
                                    const std::function<void(double share)>& progress);
extern const SharedWork kRuns;

}  // namespace plumbline::cli::predict
