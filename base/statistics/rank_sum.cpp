#include "base/statistics/rank_sum.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/check.hpp"

namespace plumbline::statistics {
namespace {

constexpr std::size_t kMostPairsExact = 2500;  // some milliseconds

struct Ranked {
  double u = 0;
  double ties = 0;  // sum of t^3 - t over groups of t equal values
};

Ranked rank(std::span<const double> first, std::span<const double> second) {
  std::vector<double> all(first.begin(), first.end()), own(first.begin(), first.end()),
      other(second.begin(), second.end());
  all.insert(all.end(), second.begin(), second.end());
  for (auto* values : {&all, &own, &other}) std::sort(values->begin(), values->end());
  Ranked ranked;
  for (const double value : own) {
    const auto [low, high] = std::equal_range(other.begin(), other.end(), value);
    ranked.u += static_cast<double>(low - other.begin()) + static_cast<double>(high - low) / 2;
  }
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::upper_bound(begin, all.end(), *begin);
    const auto equal = static_cast<double>(end - begin);
    ranked.ties += equal * equal * equal - equal;
    begin = end;
  }
  return ranked;
}

double normal_upper_tail(double n, double m, const Ranked& ranked, double u) {
  const double both = n + m;
  const double variance = n * m / 12 * (both + 1 - (both > 1 ? ranked.ties / (both * (both - 1)) : 0));
  if (variance <= 0) return 1;  // all values are equal
  const double z = (u - n * m / 2 - 0.5) / std::sqrt(variance);
  return boost::math::cdf(boost::math::complement(boost::math::normal_distribution<double>(), z));
}

}  // namespace

// P(n, m, u) of exactly u: the largest value of all is one of the n, with chance n / (n + m), and is above all m; or it
// is one of the m (Mann and Whitney, 1947).
double exact_upper_tail(std::size_t first, std::size_t second, double u) {
  std::vector<std::vector<double>> of(second + 1, std::vector<double>(first * second + 1));  // by m; of the same n
  for (std::vector<double>& row : of) row[0] = 1;                                            // n = 0: u is 0
  for (std::size_t n = 1; n <= first; ++n) {
    for (std::size_t m = 1; m <= second; ++m) {
      const double own = static_cast<double>(n) / static_cast<double>(n + m);
      for (std::size_t i = n * m + 1; i-- > 0;) of[m][i] = (i >= m ? own * of[m][i - m] : 0) + (1 - own) * of[m - 1][i];
    }
  }
  double tail = 0;
  for (std::size_t i = first * second + 1; i-- > 0 && static_cast<double>(i) >= u;) tail += of[second][i];
  return std::min(tail, 1.0);
}

RankSum rank_sum_test(std::span<const double> first, std::span<const double> second, Alternative alternative) {
  PLUMBLINE_CHECK(!first.empty() && !second.empty(), "a comparison needs values on both sides");
  const Ranked ranked = rank(first, second);
  const auto pairs = static_cast<double>(first.size() * second.size());
  // Where the sides are apart, equal values within them change nothing: one arrangement alone has that u.
  const bool is_apart = ranked.u == 0 || ranked.u == pairs;
  const bool exact = (ranked.ties == 0 || is_apart) && first.size() * second.size() <= kMostPairsExact;
  const auto upper = [&](double u) {
    return exact ? exact_upper_tail(first.size(), second.size(), u)
                 : normal_upper_tail(static_cast<double>(first.size()), static_cast<double>(second.size()), ranked, u);
  };
  switch (alternative) {
    case Alternative::kGreater:
      return {ranked.u, upper(ranked.u), exact};
    case Alternative::kLess:
      return {ranked.u, upper(pairs - ranked.u), exact};
    case Alternative::kDifferent:
      break;
  }
  return {ranked.u, std::min(1.0, 2 * upper(std::max(ranked.u, pairs - ranked.u))), exact};
}

}  // namespace plumbline::statistics
