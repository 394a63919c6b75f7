// What runs instead of an algorithm that cannot run a call (Open MPI), and calls that a library would fail on.
#include <string>

#include "base/check.hpp"
#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nodes.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"
#include "replay/collectives/schedules/segments.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

[[noreturn]] void cannot_run(const Algorithm& algorithm, const std::string& why) {
  throw Error(to_string(algorithm), why, "ask effective() or the library's choice");
}

Algorithm other(const Algorithm& asked, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_for(asked.library, asked.operation))
    if (algorithm.name == name) return algorithm;
  PLUMBLINE_CHECK(false, "no algorithm to fall back on: " + std::string(name));
}

// coll_base_bcast_intra_split_bintree gives up where a half is empty or shorter than a segment.
Algorithm split_binary_or_chain(const Algorithm& asked, const Call& call) {
  const std::uint64_t smaller_half = call.count / 2 * call.type_bytes;
  if (call.count >= 2 && std::max(asked.segment_bytes, asked.segment_bytes == 0 ? 0 : call.type_bytes) <= smaller_half)
    return asked;
  Algorithm chain = other(asked, "chain");
  chain.fan_out = 1;
  chain.segment_bytes = asked.segment_bytes;
  return chain;
}

Algorithm openmpi_bcast(const Algorithm& asked, const Call& call) {
  if (asked.name == "split_binary_tree") return split_binary_or_chain(asked, call);
  if ((asked.name == "scatter_allgather" || asked.name == "scatter_allgather_ring") && call.count < call.ranks)
    return other(asked, "basic_linear");
  if (asked.name == "knomial" && asked.radix < 2) cannot_run(asked, "its radix is below 2");
  return asked;
}

Algorithm openmpi_reduce(const Algorithm& asked, const Call& call) {
  if (asked.name == "rabenseifner" && (call.count < power_of_two_below(call.ranks) || !call.commutative))
    return other(asked, "linear");
  return asked;
}

Algorithm openmpi_allreduce(const Algorithm& asked, const Call& call) {
  if (asked.name == "rabenseifner" && (call.count < power_of_two_below(call.ranks) || !call.commutative))
    return other(asked, "basic_linear");
  if (asked.name == "segmented_ring" &&
      call.count < call.ranks * segment_count(asked.segment_bytes, call.count, call.type_bytes))
    return openmpi_allreduce(other(asked, "ring"), call);
  if (asked.name == "ring" && call.count < call.ranks) return other(asked, "recursive_doubling");
  return asked;
}

Algorithm openmpi_allgather(const Algorithm& asked, const Call& call) {
  if (asked.operation == Operation::allgather && asked.name == "recursive_doubling" && !is_power_of_two(call.ranks))
    return other(asked, "bruck");
  if (asked.name == "neighbor" && call.ranks % 2 != 0) return other(asked, "ring");
  return asked;
}

Algorithm openmpi_alltoall(const Algorithm& asked, const Call& call) {
  if (call.in_place) return other(asked, "basic_inplace");
  if (asked.name == "basic_inplace") cannot_run(asked, "the call is not in place");
  return asked;
}

Algorithm openmpi_reduce_scatter_block(const Algorithm& asked, const Call& call) {
  if (asked.name == "recursive_halving" && !call.commutative) return other(asked, "basic_linear");
  if (asked.name == "recursive_doubling" && call.count * call.ranks > std::numeric_limits<std::int32_t>::max())
    return other(asked, "basic_linear");
  return asked;
}

Algorithm openmpi_effective(const Algorithm& asked, const Call& call) {
  if (is_non_blocking(asked.operation)) return libnbc_effective(asked, call);
  if (call.ranks == 1) return other(asked, "self");  // coll/self
  if (asked.name == "self") cannot_run(asked, "the communicator has more than one rank");
  const bool becomes_in_place = asked.operation == Operation::alltoall && call.in_place;
  if (asked.name == "two_proc" && call.ranks != 2 && !becomes_in_place)
    cannot_run(asked, "the communicator has " + std::to_string(call.ranks) + " ranks, not 2");
  switch (asked.operation) {
    case Operation::bcast:
      return openmpi_bcast(asked, call);
    case Operation::reduce:
      return openmpi_reduce(asked, call);
    case Operation::allreduce:
      return openmpi_allreduce(asked, call);
    case Operation::allgather:
    case Operation::allgatherv:
      return openmpi_allgather(asked, call);
    case Operation::alltoall:
    case Operation::alltoallv:
    case Operation::alltoallw:
      return openmpi_alltoall(asked, call);
    case Operation::reduce_scatter_block:
      return openmpi_reduce_scatter_block(asked, call);
    default:
      return asked;
  }
}

bool is_reduce_scatter(Operation operation) {
  return operation == Operation::reduce_scatter || operation == Operation::reduce_scatter_block;
}

bool is_allgather(Operation operation) {
  return operation == Operation::allgather || operation == Operation::allgatherv;
}

bool is_alltoall(Operation operation) {
  return operation == Operation::alltoall || operation == Operation::alltoallv || operation == Operation::alltoallw;
}

// MPICH's algorithms assert what they need. Non-blocking ones need the same as those that they are named after.
struct MpichNeeds {
  const Algorithm& asked;
  const Call& call;
  Operation operation = blocking_form(asked.operation);
  std::string_view name = asked.name.substr(asked.name.starts_with(kSched) ? kSched.size() : 0);

  static constexpr std::string_view kSched = "sched_";

  void check() const {
    if (name.starts_with("composition_") || name == "smp") check_nodes();
    const bool doubles = is_allgather(operation) && name == "recursive_doubling";
    const bool non_blocking_bcast = asked.name == "sched_scatter_recursive_doubling_allgather";
    if ((doubles || name == "noncommutative" || non_blocking_bcast) && !is_power_of_two(call.ranks))
      cannot_run(asked, std::to_string(call.ranks) + " ranks are no power of two");
    if ((name == "reduce_scatter_gather" || name == "reduce_scatter_allgather") &&
        (!call.built_in || call.count < power_of_two_below(call.ranks)))
      cannot_run(asked, "it needs a built-in operator and an element per rank");
    if (is_reduce_scatter(operation)) check_reduce_scatter();
    if (is_alltoall(operation) && call.in_place != (name == "pairwise_sendrecv_replace" || name == "inplace"))
      cannot_run(asked, call.in_place ? "the call is in place" : "the call is not in place");
  }

 private:
  void check_nodes() const {
    const bool of_generic_tree = asked.name == "smp";
    if (of_generic_tree && (bytes_of(call) > 0 || !call.commutative))
      cannot_run(asked, "it is written down for empty buffers and operators that commute only");
    if (!of_generic_tree && !Nodes(call).are_hierarchy()) cannot_run(asked, "no two ranks share a node");
    if (operation == Operation::scan && !Nodes(call).are_consecutive())
      cannot_run(asked, "the ranks of a node are not consecutive");
    if (asked.name == "sched_smp" && operation != Operation::bcast && operation != Operation::scan && !call.commutative)
      cannot_run(asked, "the operator does not commute");
  }

  void check_reduce_scatter() const {
    if ((name == "recursive_halving" || name == "pairwise") && !call.commutative)
      cannot_run(asked, "the operator does not commute");
    for (const std::uint64_t count : call.counts)
      if (name == "noncommutative" && count != call.counts.front()) cannot_run(asked, "blocks are not equal");
  }
};

}  // namespace

Algorithm effective(const Algorithm& asked, const Call& call) {
  check(call);
  if (asked.operation != call.operation) cannot_run(asked, "the call is " + std::string(to_string(call.operation)));
  if (asked.library == kOpenMpi) return openmpi_effective(asked, call);
  if (asked.library == kPiosimhd) {
    check_piosimhd(asked, call);
    return asked;
  }
  if (asked.library != kMpich) cannot_run(asked, "no such library");
  MpichNeeds{asked, call}.check();
  return asked;
}

}  // namespace plumbline::replay::collectives::schedules
