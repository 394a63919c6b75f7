#include "replay/compare/pairing/split_runs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "replay/compare/pairing/run_columns.hpp"

namespace plumbline::replay {
namespace {

using Call = std::tuple<std::uint16_t, std::uint32_t, OpKind>;  // call, site, kind

struct Counts {
  std::uint64_t observed = 0, reference = 0;
  bool is_split() const { return reference > 0 && observed >= kSplitFactor * reference; }
};

template <typename Visit>
void for_each_access(const Program& program, Visit visit) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto operations = program.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Operation& operation = operations[i];
      if (operation.kind == OpKind::kIoRead || operation.kind == OpKind::kIoWrite)
        visit(rank, i, Call{operation.call, operation.site, operation.kind});
    }
  }
}

}  // namespace

std::uint64_t inner_data_operations(const RankProgram& rank, std::uint32_t operation) {
  return static_cast<std::uint64_t>(std::ranges::count_if(rank.inner_of(operation), [](const InnerItem& item) {
    return item.kind == InnerKind::kRead || item.kind == InnerKind::kWrite;
  }));
}

void explain_split_calls(const Program& observed, Expected& reference) {
  std::map<Call, Counts> counts;
  for_each_access(observed, [&](std::uint32_t rank, std::uint32_t i, const Call& call) {
    if (std::as_const(reference).ranks[rank].not_judged[i] == kOnlyHere) return;
    counts[call].observed += inner_data_operations(observed.rank(rank), i);
    counts[call].reference += reference.ranks[rank].ideal_io[i];
  });
  for_each_access(observed, [&](std::uint32_t rank, std::uint32_t i, const Call& call) {
    if (!counts[call].is_split() || std::as_const(reference).ranks[rank].not_judged[i] == kOnlyHere) return;
    const OperationTimes& times = observed.rank(rank).times[i];
    ExpectedRank& columns = reference.ranks[rank];
    columns.as_run[i] = columns.as_run_upper[i] = std::max(times.end - times.begin, columns.upper[i]);
  });
}

}  // namespace plumbline::replay
