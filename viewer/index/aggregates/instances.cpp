#include "viewer/index/aggregates/instances.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/time_sum.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

Duration excess(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  const Parts parts = parts_of(runs, rank, operation);
  return parts.judged ? parts.own : parts.observed;
}

struct OfRank {
  std::uint32_t rank = 0, count = 0;
  TimeSum excess;
  std::vector<std::int8_t> logs;  // of the instances that are shown
};

OfRank look_at(const Runs& runs, const OperationsAlike& alike, std::uint32_t rank, std::uint32_t first) {
  OfRank found{rank, 0, {}, {}};
  const auto size = static_cast<std::uint32_t>(runs.observed.rank(rank).operations.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!alike.contains(rank, i)) continue;
    const Duration own = excess(runs, rank, i);
    found.excess += own;
    if (found.count >= first && found.count - first < kMostInstances) found.logs.push_back(log_of(own));
    ++found.count;
  }
  return found;
}

}  // namespace

Instances instances_of(const Runs& runs, const OperationsAlike& alike, std::uint32_t first) {
  Instances result;
  result.first = first;
  std::vector<OfRank> ranks;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    OfRank found = look_at(runs, alike, rank, first);
    if (found.count == 0) continue;
    result.instances = std::max(result.instances, found.count);
    ranks.push_back(std::move(found));
  }
  if (ranks.size() > kMostInstanceRanks) {
    std::ranges::stable_sort(ranks, std::greater<>(), &OfRank::excess);
    ranks.resize(kMostInstanceRanks);
    std::ranges::sort(ranks, {}, &OfRank::rank);
  }
  if (first < result.instances) result.rows = std::min(result.instances - first, kMostInstances);
  for (const OfRank& rank : ranks) result.ranks.push_back(rank.rank);
  for (std::uint32_t row = 0; row < result.rows; ++row)
    for (const OfRank& rank : ranks) result.own.push_back(row < rank.logs.size() ? rank.logs[row] : kNoInstance);
  return result;
}

}  // namespace plumbline::viewer
