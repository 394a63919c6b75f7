#include "hwmodels/calibrate/fit/summary.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace plumbline::hw::calibration {

double spread_of_median(std::vector<double> values) {
  const double middle = median(values);
  std::sort(values.begin(), values.end());
  const statistics::Positions ends = statistics::median_interval(values.size());
  return middle > 0 ? std::max(values[ends.high] - middle, middle - values[ends.low]) / middle : 0;
}

double spread_of_rounds(std::vector<double> values) {
  constexpr double kTail = 0.1;
  const double middle = median(values), of_median = spread_of_median(values);
  if (middle <= 0) return of_median;
  std::sort(values.begin(), values.end());
  const double low = statistics::quantile(values, kTail), high = statistics::quantile(values, 1 - kTail);
  return std::max({of_median, (high - middle) / middle, (middle - low) / middle});
}

namespace {

void avoid_disturbance(std::vector<double> samples, SizeSummary& summary) {
  constexpr double kLow = 0.05, kMuch = 1.5;
  std::sort(samples.begin(), samples.end());
  const double low = statistics::quantile(samples, kLow), typical = summary.value;
  if (low <= 0 || typical <= kMuch * low) return;
  summary.value = low;
  summary.spread = std::min(1.0, typical / low - 1);
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
    SizeSummary summary{size, median(medians), spread_of_rounds(medians), static_cast<std::uint32_t>(medians.size())};
    if (estimate == Estimate::kUndisturbed) avoid_disturbance(std::move(samples), summary);
    result.push_back(summary);
  }
  return result;
}

}  // namespace plumbline::hw::calibration
