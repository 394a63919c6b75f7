#include "cli/workflows/predict/evaluate.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "base/scratch.hpp"
#include "cli/workflows/predict/data.hpp"
#include "hwmodels/network_models.hpp"
#include "replay/best_schedule.hpp"
#include "replay/replay.hpp"

namespace plumbline::cli::predict {
namespace {

constexpr std::uint32_t kUsualRuns = 30;  // bounds the median by the 9th and the 20th value
// Operations of the runs whose lines are told; the first one's always are.
constexpr std::uint64_t kMostLookedAt = 20'000'000;

std::uint64_t operations_of(const replay::Program& program) {
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) operations += program.rank(rank).operations.size();
  return operations;
}

hw::Platform platform_with(const hw::Platform& platform, Data data) {
  switch (data) {
    case Data::kDistributions:
      return platform;
    case Data::kMeans:
      return with_means(platform);
    case Data::kPingPongMeans:
      return with_means(with_fewest_in_flight(platform));
    case Data::kPingPongLeast:
      break;
  }
  return with_least(with_fewest_in_flight(platform));
}

bool has_spread(const hw::Transport& transport) {
  for (const hw::MessageRange& range : transport.ranges)
    for (const hw::MessageTimes& times : range.times)
      if (times.quantiles.front().value != times.quantiles.back().value) return true;
  return false;
}

// Whether messages draw from times that differ.
bool has_draws(const hw::Platform& platform) {
  if (!hw::model_of(platform).needs_times) return false;
  const auto of_pair = [](const hw::PairTransport& pair) { return has_spread(pair.transport); };
  return has_spread(platform.inside) || has_spread(platform.between) || std::ranges::any_of(platform.pairs, of_pair);
}

// One where chance has no part.
std::uint32_t runs_on(const hw::Platform& platform, const Options& options) {
  const bool noisy = std::ranges::any_of(platform.nodes, [](const hw::Node& node) { return node.noise.has_value(); });
  if (!noisy && !has_draws(platform)) return 1;
  return options.runs > 0 ? options.runs : kUsualRuns;
}

class Evaluation {
 public:
  Evaluation(const Preparation& preparation, const Prepared& prepared, const Options& options,
             const std::function<void()>& tell)
      : preparation_(preparation), prepared_(prepared), options_(options), tell_(tell) {}

  Outcome run() {
    for (const Data data : kinds_of_data(preparation_.platform, options_)) evaluate(data);
    return std::move(outcome_);
  }

 private:
  void evaluate(Data data) {
    const hw::Platform platform = platform_with(preparation_.platform, data);
    const bool looks = data == Data::kDistributions;
    const std::uint64_t operations = std::max<std::uint64_t>(operations_of(prepared_.program), 1);
    replay::ReplayOptions how{
        .mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured, .choices = preparation_.choices};
    how.scratch = scratch_in(std::filesystem::temp_directory_path());
    how.best = std::make_shared<replay::BestSchedules>(platform, replay::place_ranks(prepared_.program, platform));
    Evaluated evaluated{data, {options_.seed, {}}};
    const std::uint32_t runs = runs_on(platform, options_);
    for (std::uint32_t run = 0; run < runs; ++run) {
      how.seed = options_.seed + run;
      how.keep_times = looks && (run == 0 || (run + 1) * operations <= kMostLookedAt);
      const replay::ReplayResult result = replay::replay(prepared_.program, platform, how);
      if (run == 0) evaluated.beyond_measured = result.beyond_measured;
      evaluated.samples.lengths.push_back(result.end - Time{});
      if (looks) outcome_.races.add_run(result);
      if (how.keep_times) add_run(prepared_, platform, result, how.scratch, outcome_.lines);
      tell_();
    }
    outcome_.by_data.push_back(std::move(evaluated));
  }

  const Preparation& preparation_;
  const Prepared& prepared_;
  const Options& options_;
  const std::function<void()>& tell_;
  Outcome outcome_;
};

}  // namespace

std::string_view name_of(Data data) {
  constexpr std::array<std::string_view, 4> kNames = {"distributions", "means of n x p", "means of 2 x 1",
                                                      "least of 2 x 1"};
  return kNames[static_cast<std::size_t>(data)];
}

std::vector<Data> kinds_of_data(const hw::Platform& platform, const Options& options) {
  if (!options.by_averages || !hw::model_of(platform).needs_times) return {Data::kDistributions};
  return {Data::kDistributions, Data::kMeans, Data::kPingPongMeans, Data::kPingPongLeast};
}

double mean_seconds(const Samples& samples) {
  double sum = 0;
  for (const Duration length : samples.lengths) sum += length.seconds();
  return sum / static_cast<double>(samples.lengths.size());
}

Outcome evaluate(const Preparation& preparation, const Prepared& prepared, const Options& options,
                 const std::function<void()>& tell) {
  return Evaluation(preparation, prepared, options, tell).run();
}

}  // namespace plumbline::cli::predict
