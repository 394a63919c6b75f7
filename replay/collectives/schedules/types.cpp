#include "replay/collectives/schedules/types.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

constexpr std::array<std::string_view, 34> kOperationNames = {"barrier",
                                                              "bcast",
                                                              "reduce",
                                                              "allreduce",
                                                              "gather",
                                                              "gatherv",
                                                              "scatter",
                                                              "scatterv",
                                                              "allgather",
                                                              "allgatherv",
                                                              "alltoall",
                                                              "alltoallv",
                                                              "alltoallw",
                                                              "reduce_scatter",
                                                              "reduce_scatter_block",
                                                              "scan",
                                                              "exscan",
                                                              "ibarrier",
                                                              "ibcast",
                                                              "ireduce",
                                                              "iallreduce",
                                                              "igather",
                                                              "igatherv",
                                                              "iscatter",
                                                              "iscatterv",
                                                              "iallgather",
                                                              "iallgatherv",
                                                              "ialltoall",
                                                              "ialltoallv",
                                                              "ialltoallw",
                                                              "ireduce_scatter",
                                                              "ireduce_scatter_block",
                                                              "iscan",
                                                              "iexscan"};

std::uint64_t counts_needed(const Call& call) {
  switch (blocking_form(call.operation)) {
    case Operation::gatherv:
    case Operation::scatterv:
    case Operation::allgatherv:
    case Operation::reduce_scatter:
      return call.ranks;
    case Operation::alltoallv:
    case Operation::alltoallw:
      return std::uint64_t{call.ranks} * call.ranks;
    default:
      return 0;
  }
}

}  // namespace

std::string_view to_string(Operation operation) { return kOperationNames.at(static_cast<std::size_t>(operation)); }

std::optional<Operation> operation_named(std::string_view name) {
  const auto found = std::ranges::find(kOperationNames, name);
  if (found == kOperationNames.end()) return std::nullopt;
  return static_cast<Operation>(found - kOperationNames.begin());
}

void check(const Call& call) {
  const std::string where = "a call of " + std::string(to_string(call.operation));
  if (call.ranks == 0) throw Error(where, "the communicator has no ranks", "give ranks >= 1");
  if (call.root >= call.ranks)
    throw Error(where, "root " + std::to_string(call.root) + " of " + std::to_string(call.ranks) + " ranks",
                "give a rank of the communicator");
  if (const std::uint64_t needed = call.in_rows ? 0 : counts_needed(call); needed != 0 && call.counts.size() != needed)
    throw Error(where, std::to_string(call.counts.size()) + " counts for " + std::to_string(call.ranks) + " ranks",
                "give " + std::to_string(needed));
  if (!call.node_of.empty() && call.node_of.size() != call.ranks)
    throw Error(where, std::to_string(call.node_of.size()) + " nodes for " + std::to_string(call.ranks) + " ranks",
                "give one per rank, or none");
}

}  // namespace plumbline::replay::collectives::schedules
