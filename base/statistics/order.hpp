#pragma once
// Statistics by order: nothing is assumed about how values are distributed.

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::statistics {

// The middle value, or the mean of the middle two. Of at least one value.
double median(std::vector<double> values);

// The least of the sorted values that at least `share` of them do not exceed (nearest rank); share in (0, 1].
double quantile(std::span<const double> sorted, double share);

// Positions (from 0) in `count` sorted values that the median of their distribution lies between with at least this
// probability, whatever the distribution is (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2): 9 and 20 of 30
// at 95 %. `reached` is false, and the positions are the ends, where there are too few values for it (below 6 at 95 %).
struct Positions {
  std::size_t low = 0, high = 0;
  bool reached = true;
};
Positions median_interval(std::size_t count, double confidence = 0.95);

struct Interval {
  double low = 0, high = 0;
};
// The same as values; sorts its argument.
Interval interval_of_median(std::vector<double> values, double confidence = 0.95);

}  // namespace plumbline::statistics
