#include "bench/report/campaign_difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/statistics/rank_sum.hpp"

namespace plumbline::bench {
namespace {

// 2 / C(n + m, n): both ends of the distribution of the rank sum.
double least_p_of(std::size_t n, std::size_t m) {
  const auto a = static_cast<double>(n), b = static_cast<double>(m);
  return std::min(1.0, 2 * std::exp(std::lgamma(a + 1) + std::lgamma(b + 1) - std::lgamma(a + b + 1)));
}

Difference difference_of(const SummaryRow& row, const SummaryRow& reference) {
  const statistics::RankSum test =
      statistics::rank_sum_test(row.run_medians, reference.run_medians, statistics::Alternative::kDifferent);
  return {row.subject,        row.bytes, row.run_medians.size(), reference.run_medians.size(), row.median(),
          reference.median(), test.p};
}

}  // namespace

std::vector<double> adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t rank = p.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    q[i] = least;
  }
  return q;
}

AgainstReference compare(std::span<const SummaryRow> rows, std::span<const SummaryRow> reference) {
  std::map<std::tuple<Subject, std::uint64_t>, const SummaryRow*> known;
  for (const SummaryRow& row : reference)
    if (row.has_times()) known[{row.subject, row.bytes}] = &row;
  AgainstReference result;
  for (const SummaryRow& row : rows) {
    const auto counterpart = known.find({row.subject, row.bytes});
    if (!row.has_times() || counterpart == known.end()) {
      ++result.only_here;
      continue;
    }
    result.both.push_back(difference_of(row, *counterpart->second));
    const Difference& added = result.both.back();
    result.least_p = std::min(result.least_p, least_p_of(added.runs, added.reference_runs));
  }
  result.only_in_reference = known.size() - result.both.size();
  std::vector<double> p;
  for (const Difference& each : result.both) p.push_back(each.p);
  const std::vector<double> q = adjusted(p);
  for (std::size_t i = 0; i < q.size(); ++i) result.both[i].q = q[i];
  return result;
}

}  // namespace plumbline::bench
