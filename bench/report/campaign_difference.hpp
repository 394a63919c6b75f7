#pragma once
// Two campaigns against each other, by the medians of their runs.

#include <cstdint>
#include <span>
#include <vector>

#include "bench/report/summary.hpp"

namespace plumbline::bench {

struct Difference {
  Subject subject;
  std::uint64_t bytes = 0;
  std::size_t runs = 0, reference_runs = 0;
  double median = 0, reference_median = 0;  // of run medians, seconds
  double p = 1;                             // of the rank-sum test, two-sided
  double q = 1;  // p, adjusted for the number of tests: the share of false ones among all with this q or a smaller one
  double ratio() const { return reference_median > 0 ? median / reference_median : 0; }
};

struct AgainstReference {
  std::vector<Difference> both;                      // in the order of `rows`
  std::size_t only_here = 0, only_in_reference = 0;  // rows without a counterpart
  double least_p = 1;                                // that any of the tests could have given
};

AgainstReference compare(std::span<const SummaryRow> rows, std::span<const SummaryRow> reference);

// Adjusted for the rate of false discoveries (Benjamini and Hochberg, J. R. Statist. Soc. B 57, 1995), in the order of
// `p`.
std::vector<double> adjusted(std::span<const double> p);

}  // namespace plumbline::bench
