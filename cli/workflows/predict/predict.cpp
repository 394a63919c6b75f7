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

const Prepared* of_one_process(const Prediction& prediction, std::size_t point, std::size_t& index) {
  const std::vector<Prepared>& points = prediction.preparation.points;
  for (index = 0; index < points.size(); ++index)
    if (points[index].point.ranks == 1 && points[index].point.settings == points[point].point.settings)
      return &points[index];
  return nullptr;
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

bool is_by_one_process(const Prediction& prediction, std::size_t point) {
  std::size_t index = 0;
  return of_one_process(prediction, point, index) != nullptr;
}

double speed_up(const Prediction& prediction, std::size_t point, std::size_t data) {
  const double own = mean_seconds(prediction.outcomes[point].by_data[data].samples);
  if (own <= 0) return 0;
  std::size_t index = 0;
  if (of_one_process(prediction, point, index) != nullptr)
    return mean_seconds(prediction.outcomes[index].by_data[data].samples) / own;
  return prediction.preparation.points[point].computation.seconds() / own;
}

}  // namespace plumbline::cli::predict
