#include "hwmodels/calibrate/peers.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/statistics/false_discovery.hpp"
#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewest = 3;
// The median distance from the median is this share of the standard deviation of a normal distribution.
constexpr double kOfDeviation = 0.67449;

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

double robust_deviation(const std::vector<double>& values, double middle) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return statistics::median(distances) / kOfDeviation;
}

// Chance that a component like the others is this far above them.
double chance_by_distance(const std::vector<double>& others, double centre) {
  const double middle = statistics::median(others);
  if (centre <= middle) return 1;
  const double deviation = robust_deviation(others, middle);
  if (deviation <= 0) return 0;
  const boost::math::students_t_distribution<double> t(static_cast<double>(others.size() - 1));
  return boost::math::cdf(boost::math::complement(t, (centre - middle) / deviation));
}

}  // namespace

std::vector<Outlier> slower_than_peers(std::span<const Member> members, const PeerRule& rule) {
  if (members.size() < kFewest) return {};
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

}  // namespace plumbline::hw::calibration
