// What MPICH 4.0.2 chooses for non-blocking collectives: maint/tuning/coll/mpir/generic.json, and csel.c, which
// searches it. The steps of `smp` go through mpir_coll_sched_auto.c, whose thresholds are those of the tree.
#include "base/check.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/nodes.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

std::string_view ibcast_name(const Call& call) {
  if (Nodes(call).are_hierarchy()) return "sched_smp";
  if (call.ranks < 8 || bytes_of(call) < 12288) return "sched_binomial";
  return is_power_of_two(call.ranks) && bytes_of(call) < 524288 ? "sched_scatter_recursive_doubling_allgather"
                                                                : "sched_scatter_ring_allgather";
}

// Large enough to be cut, with an operator that can be applied to parts.
bool is_cut(const Call& call) {
  return bytes_of(call) > 2048 && call.built_in && call.count >= power_of_two_below(call.ranks);
}

std::string_view sched_reduce_name(const Call& call) {
  if (Nodes(call).are_hierarchy()) return call.commutative ? "sched_smp" : "sched_binomial";
  return is_cut(call) ? "sched_reduce_scatter_gather" : "sched_binomial";
}

std::string_view iallgather_name(const Call& call) {
  const std::uint64_t total = Blocks(call).total();
  if (is_power_of_two(call.ranks)) return total < 524288 ? "sched_recursive_doubling" : "sched_ring";
  return total < 81920 ? "sched_brucks" : "sched_ring";
}

// As in alltoall, 8 ranks are taken for fewer than 8.
std::string_view ialltoall_name(const Call& call) {
  if (call.in_place) return "sched_inplace";
  if (call.ranks > 8 && bytes_of(call) <= 2048) return "sched_brucks";
  return bytes_of(call) <= 32768 ? "sched_permuted_sendrecv" : "sched_pairwise";
}

// What is compared with the threshold of the block form are elements: csel.c leaves out the size of one.
std::uint64_t compared_size(const Call& call) {
  return call.operation == Operation::ireduce_scatter_block ? call.count * call.ranks : Blocks(call).total();
}

std::string_view ireduce_scatter_name(const Call& call) {
  if (call.commutative) return compared_size(call) < 524288 ? "sched_recursive_halving" : "sched_pairwise";
  for (const std::uint64_t count : call.counts)
    if (call.operation == Operation::ireduce_scatter && count != call.counts.front()) return "sched_recursive_doubling";
  return is_power_of_two(call.ranks) ? "sched_noncommutative" : "sched_recursive_doubling";
}

std::string_view iscan_name(const Call& call) {
  const Nodes nodes(call);
  return nodes.are_hierarchy() && nodes.are_consecutive() ? "sched_smp" : "sched_recursive_doubling";
}

}  // namespace

std::string_view mpich_non_blocking_name(const Call& call) {
  switch (call.operation) {
    case Operation::ibcast:
      return ibcast_name(call);
    case Operation::ireduce:
      return sched_reduce_name(call);
    case Operation::iallreduce:
      return is_cut(call) ? "sched_reduce_scatter_allgather" : "sched_recursive_doubling";
    case Operation::igather:
    case Operation::iscatter:
      return "sched_binomial";
    case Operation::igatherv:
    case Operation::iscatterv:
      return "sched_linear";
    case Operation::iallgather:
    case Operation::iallgatherv:
      return iallgather_name(call);
    case Operation::ialltoall:
      return ialltoall_name(call);
    case Operation::ialltoallv:
    case Operation::ialltoallw:
      return call.in_place ? "sched_inplace" : "sched_blocked";
    case Operation::ireduce_scatter:
    case Operation::ireduce_scatter_block:
      return ireduce_scatter_name(call);
    case Operation::iscan:
      return iscan_name(call);
    case Operation::ibarrier:
    case Operation::iexscan:
      return "sched_recursive_doubling";
    default:
      PLUMBLINE_CHECK(false, "not a non-blocking operation");
  }
}

// Some MPI functions return early, and some algorithms that add up counts.
bool sched_is_empty(const Algorithm& algorithm, const Call& call) {
  switch (call.operation) {
    case Operation::ibarrier:
    case Operation::ibcast:
    case Operation::iallreduce:
      return false;
    case Operation::ireduce_scatter:
      return Blocks(call).total() == 0 && algorithm.name != "sched_noncommutative";
    case Operation::iallgatherv:
      return Blocks(call).total() == 0;
    case Operation::igatherv:
    case Operation::iscatterv:
    case Operation::ialltoallv:
    case Operation::ialltoallw:
      return false;
    default:
      return bytes_of(call) == 0;
  }
}

}  // namespace plumbline::replay::collectives::schedules
