#include "cli/workflows/predict/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/memory/scratch.hpp"
#include "base/team/team.hpp"
#include "cli/workflows/predict/data.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "replay/engine/replay.hpp"
#include "replay/mpi/stuck.hpp"

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

// One of the kinds of data, and how often each point is replayed with it.
struct Kind {
  Data data = Data::kDistributions;
  hw::Platform platform;
  std::uint32_t runs = 1;
};

std::vector<Kind> kinds(const hw::Platform& platform, const Options& options) {
  std::vector<Kind> kinds;
  for (const Data data : kinds_of_data(platform, options)) {
    Kind& kind = kinds.emplace_back(data, platform_with(platform, data));
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

// The runs of all points in one row: point by point, of each kind after kind.
class Evaluation {
 public:
  Evaluation(const Preparation& preparation, const Options& options)
      : preparation_(preparation),
        options_(options),
        kinds_(kinds(preparation.platform, options)),
        outcomes_(preparation.points.size()) {
    for (const Kind& kind : kinds_) runs_of_point_ += kind.runs;
    for (const Prepared& prepared : preparation.points) {
      operations_.push_back(std::max<std::uint64_t>(operations_of(prepared.program), 1));
      scratch_.push_back(scratch_in(std::filesystem::temp_directory_path()));
    }
    for (Outcome& outcome : outcomes_)
      for (const Kind& kind : kinds_) outcome.by_data.push_back({kind.data, {options_.seed, {}}});
  }

  std::vector<Outcome> run(const Team& team) {
    run_tasks_for<replay::ReplayResult>(
        team, runs_of_point_ * outcomes_.size(), [&](const Task& task) { return replay(task); },
        [&](std::size_t index, const replay::ReplayResult& result) { take(place_of(index), result); });
    return std::move(outcomes_);
  }

 private:
  struct Place {
    std::size_t point = 0, kind = 0;
    std::uint32_t run = 0;
  };

  Place place_of(std::size_t index) const {
    Place place{index / runs_of_point_, 0, static_cast<std::uint32_t>(index % runs_of_point_)};
    while (place.run >= kinds_[place.kind].runs) place.run -= kinds_[place.kind++].runs;
    return place;
  }

  bool looks(const Place& place) const { return kinds_[place.kind].data == Data::kDistributions; }

  bool keeps_times(const Place& place) const {
    return looks(place) && (place.run == 0 || (place.run + 1) * operations_[place.point] <= kMostLookedAt);
  }

  replay::ReplayResult replay(const Task& task) const {
    const Place place = place_of(task.index());
    const Prepared& prepared = preparation_.points[place.point];
    replay::ReplayOptions how{
        .mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured, .choices = preparation_.choices};
    how.scratch = scratch_[place.point];
    how.seed = options_.seed + place.run;
    how.keep_times = keeps_times(place);
    how.progress = [&](double share) { task.tell(share); };
    try {
      return replay::replay(prepared.program, kinds_[place.kind].platform, how);
    } catch (const replay::Stuck& error) {
      rethrow_at(error, preparation_, prepared.point);
    }
  }

  void take(const Place& place, const replay::ReplayResult& result) {
    Outcome& outcome = outcomes_[place.point];
    Evaluated& evaluated = outcome.by_data[place.kind];
    if (place.run == 0) evaluated.beyond_measured = result.beyond_measured;
    evaluated.samples.lengths.push_back(result.end - Time{});
    if (looks(place)) outcome.races.add_run(result);
    if (keeps_times(place))
      add_run(preparation_.points[place.point], kinds_[place.kind].platform, result, scratch_[place.point],
              outcome.lines);
    const bool is_last = place.kind + 1 == kinds_.size() && place.run + 1 == kinds_[place.kind].runs;
    if (is_last) scratch_[place.point] = nullptr;
  }

  const Preparation& preparation_;
  const Options& options_;
  const std::vector<Kind> kinds_;
  std::size_t runs_of_point_ = 0;
  std::vector<std::uint64_t> operations_;  // by point
  std::vector<Scratch> scratch_;           // by point, until it is evaluated
  std::vector<Outcome> outcomes_;
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

double mean_seconds(const replay::expect::Samples& samples) {
  double sum = 0;
  for (const Duration length : samples.lengths) sum += length.seconds();
  return sum / static_cast<double>(samples.lengths.size());
}

std::size_t replays_of(const Preparation& preparation, const Options& options) {
  std::size_t runs = 0;
  for (const Kind& kind : kinds(preparation.platform, options)) runs += kind.runs;
  return runs * preparation.points.size();
}

std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, const Team& team) {
  return Evaluation(preparation, options).run(team);
}

}  // namespace plumbline::cli::predict
