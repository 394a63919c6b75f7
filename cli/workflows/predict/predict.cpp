#include "cli/workflows/predict/predict.hpp"

#include <algorithm>
#include <vector>

#include "base/progress.hpp"
#include "cli/workflows/predict/files.hpp"
#include "replay/expect/replay_jobs.hpp"

namespace plumbline::cli::predict {
namespace {

namespace expect = replay::expect;

// With what it takes to find out where its time went: when partners began, by operation and by message (partners.cpp).
std::uint64_t bytes_of_largest(const Preparation& preparation) {
  constexpr std::uint64_t kOfLines = 32;  // bytes an operation
  std::uint64_t most = 0;
  for (const Prepared& prepared : preparation.points)
    most = std::max(most, expect::bytes_of_replay(prepared.program, preparation.platform) +
                              kOfLines * operations_of(prepared.program));
  return most;
}

std::vector<Outcome> side_by_side(const Preparation& preparation, const Options& options, Progress& progress) {
  const std::uint32_t jobs =
      expect::replay_jobs(options.jobs, Runs(preparation, options).size(), bytes_of_largest(preparation));
  return evaluate(preparation, options, expect::telling_team(jobs, progress));
}

}  // namespace

Prediction predict(const Options& options, Workers* launched) {
  Prediction prediction{prepare(options), {}};
  if (!options.svg.empty()) require_drawable(prediction.preparation, options);
  const Preparation& preparation = prediction.preparation;
  Progress progress("replaying", expect::kThousandths);
  progress.tell_time_left();
  prediction.outcomes = launched != nullptr
                            ? evaluate(preparation, options, *launched, expect::telling_team(1, progress).progress)
                            : side_by_side(preparation, options, progress);
  return prediction;
}

}  // namespace plumbline::cli::predict
