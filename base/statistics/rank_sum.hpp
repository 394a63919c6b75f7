#pragma once
// The rank-sum test of Mann and Whitney (Wilcoxon for two samples): whether values of one kind tend to be larger than
// those of another.

#include <span>

namespace plumbline::statistics {

enum class Alternative { kGreater, kLess, kDifferent };  // what the first sample is said to be

struct RankSum {
  double u = 0;       // pairs in which the first is larger; half of those in which both are equal
  double p = 1;       // chance of such a u, or one farther out, where both kinds are alike
  bool exact = true;  // else from the normal distribution, with correction for ties and for continuity
};

// Exact up to 2,500 pairs without ties, or where the samples are apart. Of at least one value each. The smallest p of n
// against n is 1 / C(2n, n): 0.001 needs seven runs of each (docs/models/measuring.md).
RankSum rank_sum_test(std::span<const double> first, std::span<const double> second, Alternative alternative);

// Chance that u of two samples of these sizes, which are alike and without ties, is at least `u`.
double exact_upper_tail(std::size_t first, std::size_t second, double u);

}  // namespace plumbline::statistics
