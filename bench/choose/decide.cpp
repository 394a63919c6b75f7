#include "bench/choose/decide.hpp"

#include <algorithm>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"

namespace plumbline::bench::choose {
namespace {

constexpr std::size_t kFewestToGiveUp = 3;  // rounds: one or two may have been disturbed

double share_of_each(std::size_t candidates, const Doubt& doubt) {
  return doubt.chance / static_cast<double>(std::max<std::size_t>(candidates, 2) - 1);
}

}  // namespace

std::size_t decide(std::span<const Rounds> candidates, const Doubt& doubt) {
  const Rounds& library = candidates[0];
  const double limit = share_of_each(candidates.size(), doubt);
  const double slow_enough = (1 - doubt.gain) * statistics::median(library);
  std::size_t best = 0;
  double least = statistics::median(library);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i].size() < library.size()) continue;
    const double median = statistics::median(candidates[i]);
    if (median >= least || median > slow_enough) continue;
    if (statistics::rank_sum_test(library, candidates[i], statistics::Alternative::kGreater).p > limit) continue;
    best = i;
    least = median;
  }
  return best;
}

bool is_hopeless(const Rounds& candidate, std::span<const Rounds> candidates, double times) {
  if (candidate.size() < kFewestToGiveUp) return false;
  double fastest = statistics::median(candidates[0]);
  for (const Rounds& each : candidates) fastest = std::min(fastest, statistics::median(each));
  return *std::min_element(candidate.begin(), candidate.end()) > times * fastest;
}

std::uint32_t least_rounds(std::size_t candidates, const Doubt& doubt) {
  const double limit = share_of_each(candidates, doubt);
  std::uint32_t rounds = 1;
  double orders = 2;  // in which n and n values can be mixed: C(2n, n)
  while (1 / orders > limit) {
    ++rounds;
    orders *= (4.0 * rounds - 2) / rounds;
  }
  return rounds;
}

}  // namespace plumbline::bench::choose
