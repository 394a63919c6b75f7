#include "cli/workflows/predict/predict.hpp"

#include <algorithm>

#include "base/progress.hpp"
#include "cli/workflows/predict/files.hpp"
#include "replay/expect/replay_jobs.hpp"

namespace plumbline::cli::predict {
namespace {

namespace expect = replay::expect;

std::uint64_t bytes_of_largest(const Preparation& preparation) {
  std::uint64_t most = 0;
  for (const Prepared& prepared : preparation.points)
    most = std::max(most, expect::bytes_of_replay(prepared.program, preparation.platform));
  return most;
}

}  // namespace

Prediction predict(const Options& options) {
  Prediction prediction{prepare(options), {}};
  if (!options.svg.empty()) require_drawable(prediction.preparation, options);
  const Preparation& preparation = prediction.preparation;
  const std::uint32_t jobs =
      expect::replay_jobs(options.jobs, replays_of(preparation, options), bytes_of_largest(preparation));
  Progress progress("replaying", expect::kThousandths);
  progress.tell_time_left();
  prediction.outcomes = evaluate(preparation, options, expect::telling_team(jobs, progress));
  return prediction;
}

}  // namespace plumbline::cli::predict
