#include "cli/workflows/samples.hpp"

#include <algorithm>
#include <memory>

#include "base/progress.hpp"
#include "base/statistics/distribution.hpp"
#include "replay/best_schedule.hpp"
#include "replay/replay.hpp"

namespace plumbline::cli {

Samples sample(const replay::Program& program, const hw::Platform& platform, const SampleOptions& options) {
  Progress progress("replaying", options.count);
  progress.tell_time_left();
  replay::ReplayOptions how{.mode = replay::Mode::kFree,
                            .form = replay::Form::kAsConfigured,
                            .compute = options.compute,
                            .choices = options.choices,
                            .keep_times = false};
  how.best = std::make_shared<replay::BestSchedules>(platform, replay::place_ranks(program, platform));
  Samples samples{options.seed, {}};
  for (std::uint32_t run = 0; run < options.count; ++run) {
    progress.update(run + 1);
    how.seed = options.seed + run;
    const replay::ReplayResult result = replay::replay(program, platform, how);
    how.unanswered = result.unanswered;
    samples.lengths.push_back(result.end - Time{});
  }
  return samples;
}

SampleSummary summary_of(const Samples& samples) {
  constexpr double kBelowBand = 0.025, kUpToBand = 0.975;
  std::vector<double> seconds;
  for (const Duration length : samples.lengths) seconds.push_back(length.seconds());
  std::ranges::sort(seconds);
  const statistics::Distribution all = statistics::exact(seconds);
  SampleSummary summary;
  summary.least = seconds.front();
  summary.median = statistics::median(seconds);
  summary.greatest = seconds.back();
  summary.mean = statistics::interval_of_mean(seconds);
  summary.median_interval = statistics::interval_of_median(seconds);
  summary.band = {statistics::value_at(all, kBelowBand), statistics::value_at(all, kUpToBand)};
  return summary;
}

}  // namespace plumbline::cli
