#pragma once
// How values are distributed, by share: Q(share) is the value that this share of them does not exceed. Of n sorted
// values x(0) .. x(n-1), Q(i / (n-1)) = x(i), and straight in between (definition 7 of Hyndman and Fan, "Sample
// quantiles in statistical packages", 1996, doi 10.1080/00031305.1996.10473566). So Q(0) is the least value and Q(1)
// the greatest one, exactly.

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::statistics {

struct Knot {
  double share = 0, value = 0;

  bool operator==(const Knot&) const = default;
};

// Q as straight pieces. Between two knots is a bin, in which values are spread evenly.
struct Distribution {
  std::uint64_t count = 0;  // of the values that it was made from
  std::vector<Knot> knots;  // shares ascend from 0 to 1, values do not descend

  bool operator==(const Distribution&) const = default;
};

// Every value is a knot. Of at least one value, sorted.
Distribution exact(std::span<const double> sorted);

// As few bins as keep Q(share) within tolerance * Q(share) for every share; least, median, 99 %, 99.9 % and greatest
// value are knots, and exact. Where values are times of messages, what is computed from them by sums and maxima alone
// is within the same tolerance for the same random numbers. Sorted values, none negative.
Distribution binned(std::span<const double> sorted, double tolerance);

double value_at(const Distribution& distribution, double share);

// Of all values of both; sorted, as they are.
std::vector<double> merged(std::span<const double> a, std::span<const double> b);

}  // namespace plumbline::statistics
