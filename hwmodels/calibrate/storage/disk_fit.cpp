#include "hwmodels/calibrate/storage/disk_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

// Half a turn of the fastest disks (15,000 a minute) is 2 ms, and no device without heads takes half of it for a way.
constexpr double kLeastWay = 1e-3;
constexpr double kFastestTurn = 60.0 / 15'000 * 0.8, kSlowestTurn = 60.0 / 3'600 * 1.25;
constexpr double kSureOfWays = 0.001;
constexpr double kFartherCosts = 1.25;  // times near, for two classes to be told

// Over what an access takes without a way, by distance, of all sizes together.
using Ways = std::map<double, std::vector<double>>;

Ways ways_of(const std::vector<DistanceTimes>& times) {
  std::map<double, double> without;  // by size
  for (const DistanceTimes& each : times)
    if (each.distance == 0 && !each.seconds.empty()) without[each.bytes] = median(each.seconds);
  Ways ways;
  for (const DistanceTimes& each : times)
    if (each.distance > 0 && without.contains(each.bytes))
      for (const double seconds : each.seconds) ways[each.distance].push_back(seconds - without[each.bytes]);
  return ways;
}

std::vector<double> joined(Ways::const_iterator begin, Ways::const_iterator end) {
  std::vector<double> all;
  for (; begin != end; ++begin) all.insert(all.end(), begin->second.begin(), begin->second.end());
  return all;
}

double deviation(const std::vector<double>& values) {
  const double middle = median(values);
  double sum = 0;
  for (const double value : values) sum += std::abs(value - middle);
  return sum;
}

// The first distance of the far class, so that the deviations from the two medians are smallest; end: one class.
Ways::const_iterator first_far(const Ways& ways) {
  auto best = ways.end();
  double least = std::numeric_limits<double>::infinity();
  for (auto split = std::next(ways.begin()); split != ways.end(); ++split) {
    const double sum = deviation(joined(ways.begin(), split)) + deviation(joined(split, ways.end()));
    if (sum < least) least = sum, best = split;
  }
  if (best == ways.end()) return best;
  const std::vector<double> near = joined(ways.begin(), best), far = joined(best, ways.end());
  const bool told = median(far) > kFartherCosts * median(near) &&
                    statistics::rank_sum_test(far, near, statistics::Alternative::kGreater).p < kSureOfWays;
  return told ? best : ways.end();
}

double share_below(const std::vector<double>& values, double limit) {
  const auto below = std::count_if(values.begin(), values.end(), [limit](double value) { return value < limit; });
  return static_cast<double>(below) / static_cast<double>(values.size());
}

// Ways of up to d are equally spread from d/2 to d, so the share of near ones tells how far near goes; of the last
// distance that is near and the first that is far.
double close_of(Ways::const_iterator far, double near_s, double far_s) {
  const auto near = std::prev(far);
  const double middle = (near_s + far_s) / 2;
  double close = near->first / 2;
  for (const auto& each : {*near, *far}) close += share_below(each.second, middle) * each.first / 2;
  return close;
}

// The head waits for a part of a turn that is equally spread over the turn, so that four fifths of it lie between the
// outer tenths of times that are alike otherwise. 0 where no disk turns like that.
double turn_of(std::vector<double> near, std::vector<double> far, double near_s, double far_s) {
  for (double& value : near) value -= near_s;
  for (double& value : far) value -= far_s;
  near.insert(near.end(), far.begin(), far.end());
  std::sort(near.begin(), near.end());
  const double turn = (statistics::quantile(near, 0.9) - statistics::quantile(near, 0.1)) / 0.8;
  return turn >= kFastestTurn && turn <= kSlowestTurn && turn / 2 <= near_s ? turn : 0;
}

}  // namespace

SeekFit fit_seeks(const std::vector<DistanceTimes>& times) {
  const Ways ways = ways_of(times);
  SeekFit fit;
  if (ways.empty()) return fit;
  const std::vector<double> all = joined(ways.begin(), ways.end());
  if (median(all) < kLeastWay) return fit;
  const auto split = first_far(ways);
  const std::vector<double> near = joined(ways.begin(), split),
                            far = split == ways.end() ? near : joined(split, ways.end());
  fit.found = true;
  fit.samples = all.size();
  fit.near_s = median(near);
  fit.far_s = median(far);
  fit.near_spread = spread_of_median(near);
  fit.far_spread = spread_of_median(far);
  if (split != ways.end()) fit.close = close_of(split, fit.near_s, fit.far_s);
  fit.turn_s = turn_of(near, far, fit.near_s, fit.far_s);
  return fit;
}

HardDisk hard_disk(const SeekFit& seeks, const std::vector<DistanceTimes>& times,
                   const Parameter<BytesPerSecond>& otherwise, const std::string& source) {
  const auto from = [&](const char* what) {
    return fmt::format("{}: storage_seek, {}, {} accesses", source, what, seeks.samples);
  };
  HardDisk disk;
  const double half = seeks.turn_s / 2;
  disk.turn = parameter(duration_from_seconds(seeks.turn_s), seeks.far_spread,
                        seeks.turn_s > 0 ? from("spread of equal ways") : from("not told: it is part of the seeks"));
  disk.track_to_track =
      parameter(duration_from_seconds(seeks.near_s - half), seeks.near_spread, from("short ways, median"));
  disk.average_seek = parameter(duration_from_seconds(seeks.far_s - half), seeks.far_spread, from("long ways, median"));
  if (seeks.close > 0) disk.close = Bytes{static_cast<std::uint64_t>(std::llround(seeks.close))};
  disk.rate = otherwise;
  std::vector<Point> without_way;
  for (const DistanceTimes& each : times)
    if (each.distance == 0 && !each.seconds.empty()) without_way.push_back({each.bytes, median(each.seconds)});
  if (without_way.size() < 2) return disk;
  const Line line = fit_line(without_way, {0, 1e-15});
  disk.rate =
      parameter(BytesPerSecond{static_cast<std::uint64_t>(std::llround(1 / line.slope))},
                largest_deviation(line, without_way), from("accesses without a way, least absolute deviations"));
  return disk;
}

ConcurrencyFit fit_concurrency(const Cells& beside_each_other) {
  std::map<double, Cells> by_threads;
  for (const bench::Cell* cell : beside_each_other)
    if (const double threads = number(*cell, bench::cells::kThreads, 0); threads >= 1)
      by_threads[threads].push_back(cell);
  ConcurrencyFit fit;
  double alone = 0, best = 0;
  for (const auto& [threads, cells] : by_threads) {
    const Typical time = typical(cells);
    if (time.seconds <= 0) continue;
    const double per_second = number(*cells.front(), bench::cells::kAccesses, threads) / time.seconds;
    if (threads == 1) alone = per_second;
    fit.still_growing = best > 0 && per_second > 1.5 * best;
    best = std::max(best, per_second);
    fit.threads = static_cast<std::uint32_t>(threads);
  }
  if (alone > 0) fit.channels = static_cast<std::uint32_t>(std::max(1L, std::lround(best / alone)));
  fit.channels = std::min(fit.channels, std::max(1U, fit.threads));
  return fit;
}

}  // namespace plumbline::hw::calibration
