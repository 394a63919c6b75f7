#include "bench/stopping.hpp"

#include <algorithm>
#include <vector>

#include "base/statistics/order.hpp"
#include "base/statistics/student.hpp"

namespace plumbline::bench {
namespace {

constexpr std::size_t kFewestToTest = 8;
constexpr double kNotNormal = 0.05;

double middle_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

bool is_within(double value, double centre, double precision) {
  return std::max(value, centre) - std::min(value, centre) <= precision * centre;
}

}  // namespace

Assessment assess(std::span<const double> values, const StopRule& rule) {
  Assessment result;
  if (values.empty()) return result;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  result.median = middle_of(sorted);
  result.least = sorted.front();
  result.most = sorted.back();
  double sum = 0;
  for (const double value : sorted) sum += value;
  result.mean = sum / static_cast<double>(sorted.size());
  result.normal = sorted.size() >= kFewestToTest && statistics::normality(sorted) >= kNotNormal;
  const statistics::Positions ends = statistics::median_interval(sorted.size(), rule.confidence);
  double centre = result.median;
  result.low = sorted[ends.low];
  result.high = sorted[ends.high];
  bool has_interval = ends.reached;
  if (rule.by == StopBy::kStudent && result.normal) {
    const statistics::MeanInterval interval = statistics::interval_of_mean(sorted, rule.confidence);
    centre = interval.mean;
    result.low = interval.mean - interval.half_width;
    result.high = interval.mean + interval.half_width;
    has_interval = true;
  }
  result.reached =
      has_interval && is_within(result.low, centre, rule.precision) && is_within(result.high, centre, rule.precision);
  result.enough =
      sorted.size() >= rule.most || (rule.by != StopBy::kCount && result.reached && sorted.size() >= rule.least);
  return result;
}

}  // namespace plumbline::bench
