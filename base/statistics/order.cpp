#include "base/statistics/order.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "base/check.hpp"

namespace plumbline::statistics {

double median(std::vector<double> values) {
  PLUMBLINE_CHECK(!values.empty(), "a median needs values");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double quantile(std::span<const double> sorted, double share) {
  PLUMBLINE_CHECK(!sorted.empty() && share > 0 && share <= 1, "a quantile needs values and a share of them");
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// The number of values below the median is binomial with 1/2: the ends are the outermost positions that leave no more
// than half of the rest of the probability beyond each.
Positions median_interval(std::size_t count, double confidence) {
  PLUMBLINE_CHECK(count > 0, "an interval needs values");
  const double tail = (1 - confidence) / 2;
  const boost::math::binomial_distribution<double> below(static_cast<double>(count), 0.5);
  std::size_t low = 0;
  for (std::size_t i = 0; i < count / 2 && boost::math::cdf(below, static_cast<double>(i)) <= tail; ++i) low = i + 1;
  if (low == 0) return {0, count - 1, false};
  return {low - 1, count - low, true};
}

Interval interval_of_median(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const Positions ends = median_interval(values.size(), confidence);
  return {values[ends.low], values[ends.high]};
}

}  // namespace plumbline::statistics
