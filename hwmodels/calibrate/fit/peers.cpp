#include "hwmodels/calibrate/fit/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "base/statistics/false_discovery.hpp"
#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"

namespace plumbline::hw::calibration {
namespace {

struct Others {
  std::vector<double> centres, runs;
};

Others others_of(std::span<const Member> members, std::span<const double> centres, std::size_t self) {
  Others others;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i == self) continue;
    others.centres.push_back(centres[i]);
    others.runs.insert(others.runs.end(), members[i].runs.begin(), members[i].runs.end());
  }
  return others;
}

// Makes Qn the standard deviation of normal values (Croux and Rousseeuw, "Time-efficient algorithms for two highly
// robust estimators of scale", 1992, section 3).
double correction(std::size_t count) {
  constexpr double kInfinite = 2.2219;
  constexpr std::array<double, 10> kSmall = {1, 1, 0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872};
  const auto n = static_cast<double>(count);
  if (count < kSmall.size()) return kInfinite * kSmall[count];
  return kInfinite * (count % 2 == 1 ? n / (n + 1.4) : n / (n + 3.8));
}

// Qn: the k-th smallest of all distances, k = C(h, 2) with h = n/2 + 1. Bears half of the values being wrong, and is
// nearly as precise as the standard deviation (Rousseeuw and Croux, "Alternatives to the Median Absolute Deviation",
// 1993).
double robust_deviation(const std::vector<double>& values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) distances.push_back(std::abs(values[i] - values[j]));
  const std::size_t h = values.size() / 2 + 1, k = h * (h - 1) / 2;
  const auto place = distances.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(distances.begin(), place, distances.end());
  return correction(values.size()) * *place;
}

// Chance that a component like the others is this far above them.
double chance_by_distance(const std::vector<double>& others, double centre) {
  constexpr double kPrecision = 0.6;  // of Qn against the standard deviation, of few values
  const double middle = statistics::median(others), count = static_cast<double>(others.size());
  if (centre <= middle) return 1;
  // That of the centre, and that of the median of the others.
  const double deviation = robust_deviation(others) * std::sqrt(1 + std::numbers::pi / 2 / count);
  if (deviation <= 0) return 0;
  const boost::math::students_t_distribution<double> t(std::max(1.0, kPrecision * (count - 1)));
  return boost::math::cdf(boost::math::complement(t, (centre - middle) / deviation));
}

}  // namespace

std::vector<Outlier> slower_than_peers(std::span<const Member> members, const PeerRule& rule) {
  if (members.size() < kFewestPeers) return {};
  std::vector<double> centres, chances, times;
  for (const Member& member : members) centres.push_back(statistics::median(member.runs));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Others others = others_of(members, centres, i);
    times.push_back(centres[i] / statistics::median(others.centres));
    const double by_distance = chance_by_distance(others.centres, centres[i]);
    // Rank sums are dear, and the larger chance counts.
    chances.push_back(
        by_distance > rule.false_discoveries
            ? by_distance
            : std::max(by_distance,
                       statistics::rank_sum_test(members[i].runs, others.runs, statistics::Alternative::kGreater).p));
  }
  const std::vector<double> adjusted = statistics::benjamini_hochberg(chances);
  std::vector<Outlier> outliers;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (times[i] >= 1 + rule.least && adjusted[i] <= rule.false_discoveries)
      outliers.push_back({i, times[i], adjusted[i]});
  return outliers;
}

std::size_t fewest_runs(std::size_t members, const PeerRule& rule) {
  if (members < kFewestPeers) return 0;
  const auto count = static_cast<double>(members);
  for (std::size_t runs = 1;; ++runs) {
    double chance = 1;
    for (std::size_t i = 0; i < runs; ++i)
      chance *= static_cast<double>(runs - i) / static_cast<double>(members * runs - i);
    if (count * chance <= rule.false_discoveries) return runs;
  }
}

std::string basis_of(std::size_t runs, std::size_t members) {
  return fmt::format(
      "{} medians of runs against those of {} others: robust t and rank sums, adjusted for {} components", runs,
      members - 1, members);
}

}  // namespace plumbline::hw::calibration
