// What MPICH 4.0.2 chooses: the trees of maint/tuning/coll/ch4/generic.json and maint/tuning/coll/mpir/generic.json,
// and csel.c, which searches them.
#include <string>

#include "base/check.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/nodes.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Algorithm mpich_named(Operation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_for(kMpich, operation))
    if (algorithm.name == name) return algorithm;
  PLUMBLINE_CHECK(false, "no such algorithm of MPICH: " + std::string(name));
}

// The smp algorithms of the generic tree are for empty buffers alone (MPIR_CVAR_MAX_SMP_*_MSG_SIZE are 0). Those of
// allreduce get there; of the others, compositions or MPI_Reduce itself have taken care.
std::string_view bcast_name(const Call& call) {
  if (call.ranks < 8 || bytes_of(call) <= 12288) return "binomial";
  if (is_power_of_two(call.ranks) && bytes_of(call) <= 524288) return "scatter_recursive_doubling_allgather";
  return "scatter_ring_allgather";
}

std::string_view allreduce_name(const Call& call) {
  if (bytes_of(call) == 0 && call.commutative) return "smp";
  if (bytes_of(call) <= 8 || !call.built_in || call.count < power_of_two_below(call.ranks)) return "recursive_doubling";
  return "reduce_scatter_allgather";
}

std::string_view reduce_name(const Call& call) {
  if (bytes_of(call) <= 2048 || !call.built_in || call.count < power_of_two_below(call.ranks)) return "binomial";
  return "reduce_scatter_gather";
}

std::string_view allgather_name(const Call& call) {
  const std::uint64_t total = Blocks(call).total();
  if (is_power_of_two(call.ranks)) return total < 524288 ? "recursive_doubling" : "ring";
  return total < 81920 ? "brucks" : "ring";
}

bool has_equal_blocks(const Call& call) {
  for (const std::uint64_t count : call.counts)
    if (count != call.counts.front()) return false;
  return true;
}

std::string_view reduce_scatter_name(const Call& call) {
  if (call.commutative) return Blocks(call).total() < 524288 ? "recursive_halving" : "pairwise";
  return has_equal_blocks(call) && is_power_of_two(call.ranks) ? "noncommutative" : "recursive_doubling";
}

// The tree asks for fewer than 8 ranks. The search takes 8 for fewer than 8, where that question was not answered
// before, when the communicator was made: here alone, behind the question for MPI_IN_PLACE.
std::string_view alltoall_name(const Call& call) {
  if (call.in_place) return "pairwise_sendrecv_replace";
  if (call.ranks > 8 && bytes_of(call) <= 256) return "brucks";
  return bytes_of(call) <= 32768 ? "scattered" : "pairwise";
}

std::string_view flat_name(const Call& call) {
  switch (call.operation) {
    case Operation::barrier:
      return "dissemination";
    case Operation::bcast:
      return bcast_name(call);
    case Operation::reduce:
      return reduce_name(call);
    case Operation::allreduce:
      return allreduce_name(call);
    case Operation::gather:
    case Operation::scatter:
      return "binomial";
    case Operation::gatherv:
    case Operation::scatterv:
      return "linear";
    case Operation::allgather:
    case Operation::allgatherv:
      return allgather_name(call);
    case Operation::alltoall:
      return alltoall_name(call);
    case Operation::alltoallv:
    case Operation::alltoallw:
      return call.in_place ? "pairwise_sendrecv_replace" : "scattered";
    case Operation::reduce_scatter:
    case Operation::reduce_scatter_block:
      return reduce_scatter_name(call);
    case Operation::scan:
    case Operation::exscan:
      return "recursive_doubling";
    default:
      return mpich_non_blocking_name(call);
  }
}

// The compositions that are not flat; "" for those that are.
std::string_view composition_name(const Call& call, const Nodes& nodes) {
  if (!nodes.are_hierarchy()) return "";
  const std::uint64_t bytes = bytes_of(call);
  switch (call.operation) {
    case Operation::barrier:
      return "composition_alpha";
    case Operation::bcast:
      if (call.ranks < 8 || bytes < 12288) return "composition_alpha";
      return is_power_of_two(call.ranks) && bytes < 524288 ? "composition_beta" : "";
    case Operation::allreduce:
      return call.commutative && nodes.members.size() > 1 ? "composition_alpha" : "";
    case Operation::reduce:
      if (!call.commutative) return "";
      return bytes <= 2048 ? "composition_beta" : "composition_alpha";
    case Operation::scan:
      return nodes.are_consecutive() ? "composition_alpha" : "";
    default:
      return "";
  }
}

}  // namespace

Algorithm mpich_flat_choice(const Call& call) {
  check(call);
  return mpich_named(call.operation, flat_name(call));
}

Algorithm mpich_choice(const Call& call) {
  check(call);
  const std::string_view composition = composition_name(call, Nodes(call));
  return composition.empty() ? mpich_flat_choice(call) : mpich_named(call.operation, composition);
}

}  // namespace plumbline::replay::collectives::schedules
