#include "cli/workflows/predict/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/memory/scratch.hpp"
#include "cli/workflows/predict/data.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "replay/engine/replay.hpp"
#include "replay/mpi/stuck.hpp"

namespace plumbline::cli::predict {
namespace {

constexpr std::uint32_t kUsualRuns = 30;  // bounds the median by the 9th and the 20th value
// Operations of the runs whose lines are told; the first one's always are.
constexpr std::uint64_t kMostLookedAt = 20'000'000;

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

std::vector<KindOfRuns> kinds_of_runs(const hw::Platform& platform, const Options& options) {
  std::vector<KindOfRuns> kinds;
  for (const Data data : kinds_of_data(platform, options)) {
    KindOfRuns& kind = kinds.emplace_back(data, platform_with(platform, data));
    kind.runs = runs_on(kind.platform, options);
  }
  return kinds;
}

// Of a replay that cannot go on, at which point of the sweep.
[[noreturn]] void rethrow_at(const replay::Stuck& error, const Preparation& preparation, const Point& point) {
  const Problem& problem = error.problems().front();
  std::string where = preparation.model->source;
  if (preparation.points.size() > 1) where += fmt::format(" with {} processes", point.ranks);
  if (const std::string swept = swept_text(preparation.sweeps, point); !swept.empty()) where += ", " + swept;
  std::string what = problem.what;
  if (what.starts_with("the replay cannot")) what.replace(0, std::string_view("the replay").size(), "the model");
  throw Error(where, what, "the model hangs here: give each of these an operation that answers it, or another order",
              error.code());
}

}  // namespace

std::uint64_t operations_of(const replay::Program& program) {
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) operations += program.rank(rank).operations.size();
  return operations;
}

std::string_view name_of(Data data) {
  constexpr std::array<std::string_view, 4> kNames = {"distributions", "means of n x p", "means of 2 x 1",
                                                      "least of 2 x 1"};
  return kNames[static_cast<std::size_t>(data)];
}

std::vector<Data> kinds_of_data(const hw::Platform& platform, const Options& options) {
  if (!options.by_averages || !hw::model_of(platform).needs_times) return {Data::kDistributions};
  return {Data::kDistributions, Data::kMeans, Data::kPingPongMeans, Data::kPingPongLeast};
}

Runs::Runs(const Preparation& preparation, const Options& options)
    : preparation_(preparation), options_(options), kinds_(kinds_of_runs(preparation.platform, options)) {
  for (const KindOfRuns& kind : kinds_) of_point_ += kind.runs;
  for (const Prepared& prepared : preparation.points) {
    operations_.push_back(std::max<std::uint64_t>(operations_of(prepared.program), 1));
    scratch_.push_back(scratch_in(std::filesystem::temp_directory_path()));
  }
}

RunPlace Runs::place_of(std::size_t index) const {
  RunPlace place{index / of_point_, 0, static_cast<std::uint32_t>(index % of_point_)};
  while (place.run >= kinds_[place.kind].runs) place.run -= kinds_[place.kind++].runs;
  return place;
}

std::vector<std::uint64_t> Runs::costs() const {
  std::vector<std::uint64_t> costs;
  for (const std::uint64_t operations : operations_) costs.insert(costs.end(), of_point_, operations);
  return costs;
}

bool Runs::has_lines(const RunPlace& place) const {
  return looks(place) && (place.run == 0 || (place.run + 1) * operations_[place.point] <= kMostLookedAt);
}

RunOutcome Runs::outcome(std::size_t index, const std::function<void(double share)>& progress) const {
  const RunPlace place = place_of(index);
  const Prepared& prepared = preparation_.points[place.point];
  const hw::Platform& platform = kinds_[place.kind].platform;
  replay::ReplayOptions how{
      .mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured, .choices = preparation_.choices};
  how.scratch = scratch_[place.point];
  how.seed = options_.seed + place.run;
  how.keep_times = has_lines(place);
  how.progress = progress;
  try {
    replay::ReplayResult result = replay::replay(prepared.program, platform, how);
    RunOutcome outcome{result.end - Time{}, result.beyond_measured, {}, {}};
    if (how.keep_times) outcome.lines = lines_of(prepared, platform, result, how.scratch);
    if (looks(place)) outcome.wildcards = std::move(result.wildcards);
    return outcome;
  } catch (const replay::Stuck& error) {
    rethrow_at(error, preparation_, prepared.point);
  }
}

}  // namespace plumbline::cli::predict
