#include "hwmodels/calibrate/summary.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace plumbline::hw::calibration {

double median(std::vector<double> values) {
  PLUMBLINE_CHECK(!values.empty(), "a median needs values");
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Positions median_interval(std::size_t count) {
  PLUMBLINE_CHECK(count > 0, "an interval needs values");
  constexpr double kTail = 0.025;
  double probability = 1;  // that exactly i of `count` values lie below the median
  for (std::size_t i = 0; i < count; ++i) probability /= 2;
  double below = 0;
  std::size_t low = 0;
  for (; low < count / 2; ++low) {
    below += probability;
    if (below > kTail) break;
    probability *= static_cast<double>(count - low) / static_cast<double>(low + 1);
  }
  if (low > 0) --low;
  return {low, count - 1 - low};
}

double spread_of_median(std::vector<double> values) {
  const double middle = median(values);
  std::sort(values.begin(), values.end());
  // Many values: 2^-count vanishes, but so does what more of them would tell.
  constexpr std::size_t kMost = 1000;
  while (values.size() > kMost) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); i += 2) values[kept++] = values[i];
    values.resize(kept);
  }
  const Positions ends = median_interval(values.size());
  return middle > 0 ? std::max(values[ends.high] - middle, middle - values[ends.low]) / middle : 0;
}

namespace {

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void avoid_disturbance(std::vector<double> samples, SizeSummary& summary) {
  constexpr double kLow = 0.05, kQuartile = 0.25, kMuch = 1.5;
  std::sort(samples.begin(), samples.end());
  const double low = quantile(samples, kLow);
  if (low <= 0 || summary.value <= kMuch * low) return;
  summary.value = low;
  summary.spread = std::min(1.0, quantile(samples, kQuartile) / low - 1);
  summary.disturbed = true;
}

}  // namespace

std::vector<SizeSummary> summarise(const bench::Series* series, Estimate estimate) {
  std::vector<SizeSummary> result;
  if (series == nullptr) return result;
  std::map<std::uint64_t, std::map<std::uint32_t, std::vector<double>>> rounds_of_size;
  for (const bench::Sample& sample : series->samples) rounds_of_size[sample.size][sample.round].push_back(sample.value);
  for (const auto& [size, rounds] : rounds_of_size) {
    std::vector<double> medians, samples;
    for (const auto& [round, values] : rounds) {
      medians.push_back(median(values));
      samples.insert(samples.end(), values.begin(), values.end());
    }
    SizeSummary summary{size, median(medians), spread_of_median(medians), static_cast<std::uint32_t>(medians.size())};
    if (estimate == Estimate::kUndisturbed) avoid_disturbance(std::move(samples), summary);
    result.push_back(summary);
  }
  return result;
}

}  // namespace plumbline::hw::calibration
