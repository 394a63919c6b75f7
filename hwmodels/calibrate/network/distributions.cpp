#include "hwmodels/calibrate/network/distributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/statistics/distribution.hpp"

namespace plumbline::hw::calibration {
namespace {

enum class PlaceOfPair { kInside, kBetween };

// What a distribution is of. One-way times come first: they win.
struct DistributionKey {
  PlaceOfPair place = PlaceOfPair::kInside;
  std::uint64_t bytes = 0;
  std::uint32_t in_flight = 1;
  bool halved = false;

  auto operator<=>(const DistributionKey&) const = default;
};

struct Values {
  std::vector<double> sorted;  // seconds, one way
  std::set<std::uint32_t> runs;
  double clock_bound = 0;  // s
};

bool is_round_trip(const bench::Cell& cell) { return cell.operation == "round_trip" || cell.operation == "pairs"; }

std::string name_of(const bench::Cell& cell) {
  return fmt::format("{} of {} with {} in flight, run {}", cell.operation, format(Bytes{cell.bytes}), cell.in_flight,
                     cell.run);
}

std::string name_of(const DistributionKey& key) {
  return fmt::format("{} {} with {} in flight", format(Bytes{key.bytes}),
                     key.place == PlaceOfPair::kInside ? "inside of a node" : "between nodes", key.in_flight);
}

// Nothing unless there are two ranks.
std::optional<PlaceOfPair> place_of(const bench::Cell& cell, const bench::Run& run) {
  std::vector<std::uint32_t> ranks = cell.ranks;
  if (ranks.empty() && run.node_of.size() == 2) ranks = {0, 1};
  if (ranks.size() != 2 || std::max(ranks[0], ranks[1]) >= run.node_of.size()) return std::nullopt;
  return run.node_of[ranks[0]] == run.node_of[ranks[1]] ? PlaceOfPair::kInside : PlaceOfPair::kBetween;
}

std::vector<double> valid_one_way(const bench::Cell& cell) {
  const double share = is_round_trip(cell) ? 0.5 : 1;
  std::vector<double> values;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if ((i >= cell.flags.size() || cell.flags[i] == 0) && cell.seconds[i] > 0)
      values.push_back(cell.seconds[i] * share);
  std::ranges::sort(values);
  return values;
}

using MeasuredTimes = std::map<DistributionKey, Values>;

MeasuredTimes gather(const bench::Campaign& campaign, std::vector<std::string>& notes) {
  MeasuredTimes measured;
  for (const bench::Cell& cell : campaign.cells) {
    if ((!is_round_trip(cell) && cell.operation != "one_way") || cell.words.contains(bench::kWay)) continue;
    const std::optional<PlaceOfPair> place =
        cell.run < campaign.runs.size() ? place_of(cell, campaign.runs[cell.run]) : std::nullopt;
    if (!place) {
      notes.push_back(fmt::format("{} is left out: it is not of two ranks whose nodes are known", name_of(cell)));
      continue;
    }
    Values& values = measured[{*place, cell.bytes, cell.in_flight, is_round_trip(cell)}];
    values.sorted = statistics::merged(values.sorted, valid_one_way(cell));
    values.runs.insert(cell.run);
    values.clock_bound = std::max(values.clock_bound, cell.clock_bound_s);
  }
  return measured;
}

// Shares have ten digits in a file: more than any number of messages needs.
double rounded(double share) {
  constexpr double kParts = 1e10;
  return std::round(share * kParts) / kParts;
}

std::vector<Quantile> quantiles_of(const statistics::Distribution& distribution) {
  std::vector<Quantile> quantiles;
  for (const statistics::Knot& knot : distribution.knots) {
    const Quantile quantile{rounded(knot.share), std::max(duration_from_seconds(knot.value), picoseconds(1))};
    if (quantiles.empty() || quantiles.back().share < quantile.share) quantiles.push_back(quantile);
  }
  return quantiles;
}

std::string source_of(const DistributionKey& key, const Values& values, const DistributionOptions& options) {
  return fmt::format("{}: {} {} in {} {}", options.command, values.sorted.size(),
                     key.halved ? "round trips, halved," : "one-way times", values.runs.size(),
                     values.runs.size() == 1 ? "run" : "runs");
}

void note_clock(const DistributionKey& key, const Values& values, std::vector<std::string>& notes) {
  constexpr double kDoubtful = 0.05;
  const double median = values.sorted[values.sorted.size() / 2];
  if (key.halved || values.clock_bound <= kDoubtful * median) return;
  notes.push_back(fmt::format("{}: the clocks are known to {}, and the median is {}", name_of(key),
                              format(duration_from_seconds(values.clock_bound)),
                              format(duration_from_seconds(median))));
}

std::string bounds_of(std::optional<Bytes> below, std::optional<Bytes> upto) {
  if (!below && !upto) return "of any size";
  if (!below) return fmt::format("up to {}", format(*upto));
  return upto ? fmt::format("above {} and up to {}", format(*below), format(*upto))
              : fmt::format("above {}", format(*below));
}

void put_into(Transport& transport, const std::vector<MessageTimes>& times, const char* where,
              Diagnostics& diagnostics) {
  std::optional<Bytes> below;
  for (MessageRange& range : transport.ranges) {
    range.times.clear();
    for (const MessageTimes& each : times)
      if ((!below || *below < each.size) && (!range.upto || each.size <= *range.upto)) range.times.push_back(each);
    if (range.times.empty())
      diagnostics.add("measurements", fmt::format("no times of messages {} {}", bounds_of(below, range.upto), where),
                      "measure round_trip, pairs or one_way of such sizes");
    below = range.upto;
  }
}

}  // namespace

Distributions distributions(const bench::Campaign& campaign, const DistributionOptions& options) {
  Distributions result;
  std::set<std::tuple<PlaceOfPair, std::uint64_t, std::uint32_t>> taken;
  for (const auto& [key, values] : gather(campaign, result.notes)) {
    if (values.sorted.size() < options.least) {
      result.notes.push_back(fmt::format("{} is left out: {} valid repetitions, and {} are needed", name_of(key),
                                         values.sorted.size(), options.least));
      continue;
    }
    if (!taken.emplace(key.place, key.bytes, key.in_flight).second) continue;  // known by a shared clock
    note_clock(key, values, result.notes);
    const statistics::Distribution distribution = statistics::binned(values.sorted, options.tolerance);
    (key.place == PlaceOfPair::kInside ? result.inside : result.between)
        .push_back({Bytes{key.bytes}, key.in_flight, distribution.count, source_of(key, values, options),
                    quantiles_of(distribution)});
  }
  return result;
}

void use(const Distributions& distributions, Platform& platform) {
  Diagnostics diagnostics;
  put_into(platform.inside, distributions.inside, "inside of a node", diagnostics);
  put_into(platform.between, distributions.between, "between nodes", diagnostics);
  for (PairTransport& pair : platform.pairs)
    put_into(pair.transport, distributions.between, "between nodes", diagnostics);
  diagnostics.throw_if_any();
  platform.network = NetworkKind::kSampled;
}

}  // namespace plumbline::hw::calibration
