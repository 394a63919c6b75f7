#include "replay/compare/instances.hpp"

#include <algorithm>
#include <tuple>

#include "replay/compare/result/excess.hpp"

namespace plumbline::replay {

Instance instance_of(const Program& observed, const Expected& expected, ReferenceRun reference, Time begin,
                     std::uint32_t rank, std::size_t operation) {
  const OperationTimes& times = observed.rank(rank).times[operation];
  const ExpectedRank& columns = expected.ranks[rank];
  Instance instance{rank, static_cast<std::uint32_t>(operation), times.begin - begin, {}, {}};
  instance.own = excess_over(times.end - times.begin, columns.lower[operation], columns.upper[operation]);
  if (reference == ReferenceRun::kExpected)
    instance.inherited = columns.lower[operation] - (columns.free[operation].end - columns.free[operation].begin);
  return instance;
}

bool is_worse(const Instance& a, const Instance& b) {
  return std::tuple(b.own, a.rank, a.operation) < std::tuple(a.own, b.rank, b.operation);
}

void keep_worst(std::vector<Instance>& worst, const Instance& instance) {
  if (worst.size() == kMostInstances) {
    if (!is_worse(instance, worst.back())) return;
    worst.pop_back();
  }
  worst.insert(std::ranges::upper_bound(worst, instance, is_worse), instance);
}

}  // namespace plumbline::replay
