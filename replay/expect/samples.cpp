#include "replay/expect/samples.hpp"

#include <algorithm>

#include "base/statistics/distribution.hpp"
#include "base/team/team.hpp"
#include "replay/engine/replay.hpp"
#include "replay/engine/unmatched_operations.hpp"

namespace plumbline::replay::expect {

Samples sample(const replay::Program& program, const hw::Platform& platform, const SampleOptions& options) {
  replay::ReplayOptions how{.mode = replay::Mode::kFree,
                            .form = replay::Form::kAsConfigured,
                            .compute = options.compute,
                            .choices = options.choices,
                            .keep_times = false};
  const bool first_alone = replay::says_it_is_incomplete(program);  // it finds what the recording lacks
  Samples samples{options.seed, {}};
  run_tasks_for<replay::ReplayResult>(
      options.team, options.count, first_alone,
      [&](std::size_t run, const Task& task) {
        replay::ReplayOptions of_run = how;
        of_run.seed = options.seed + run;
        of_run.progress = [&](double share) { task.tell(share); };
        return replay::replay(program, platform, of_run);
      },
      [&](std::size_t run, const replay::ReplayResult& result) {
        if (first_alone && run == 0) how.unanswered = result.unanswered;
        samples.lengths.push_back(result.end - Time{});
      });
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

}  // namespace plumbline::replay::expect
