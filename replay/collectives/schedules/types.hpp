#pragma once
// Collective schedules as data: a call as all ranks of an intra-communicator agree on it, and the messages that one
// rank posts for it. All ranks are ranks of the communicator; all sizes are bytes, unless a name says elements.
// docs/models/collectives.md tells where the schedules come from.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace plumbline::replay::collectives::schedules {

enum class Operation {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  // The non-blocking forms, in the order of the blocking ones: the libraries have algorithms of their own for them.
  ibarrier,
  ibcast,
  ireduce,
  iallreduce,
  igather,
  igatherv,
  iscatter,
  iscatterv,
  iallgather,
  iallgatherv,
  ialltoall,
  ialltoallv,
  ialltoallw,
  ireduce_scatter,
  ireduce_scatter_block,
  iscan,
  iexscan,
};

inline constexpr Operation kLastOperation = Operation::iexscan;

constexpr bool is_non_blocking(Operation operation) { return operation >= Operation::ibarrier; }
// ibcast: bcast; bcast: itself.
constexpr Operation blocking_form(Operation operation) {
  return is_non_blocking(operation)
             ? static_cast<Operation>(static_cast<int>(operation) - static_cast<int>(Operation::ibarrier))
             : operation;
}
constexpr Operation non_blocking_form(Operation operation) {
  return static_cast<Operation>(static_cast<int>(blocking_form(operation)) + static_cast<int>(Operation::ibarrier));
}
static_assert(blocking_form(Operation::iexscan) == Operation::exscan);

// "allreduce", as in MPI_Allreduce.
std::string_view to_string(Operation operation);
std::optional<Operation> operation_named(std::string_view name);  // nothing: there is none

// One collective call as all its ranks agree on it.
struct Call {
  Operation operation = Operation::barrier;
  std::uint32_t ranks = 1;
  std::uint32_t root = 0;
  // Elements of the datatype that the library compares: of the whole buffer for bcast, reduce, allreduce, scan and
  // exscan; of the block of one rank for gather, scatter, allgather, alltoall and reduce_scatter_block. Not used where
  // `counts` is.
  std::uint64_t count = 0;
  std::uint64_t type_bytes = 1;
  // Elements per rank (gatherv, scatterv, allgatherv, reduce_scatter), or ranks x ranks elements, row = sender
  // (alltoallv; alltoallw, whose ranks may differ in datatype: bytes, with type_bytes 1).
  std::vector<std::uint64_t> counts;
  // alltoallv and alltoallw without `counts`: each rank has its own, elements to and from each rank, which must be here
  // when its schedule is asked for.
  bool in_rows = false;
  std::span<const std::uint64_t> own_sent, own_received;
  bool commutative = true, built_in = true;  // of the reduction's operator
  bool in_place = false;                     // MPI_IN_PLACE as send buffer of all ranks
  std::vector<std::uint32_t> node_of;        // any number per node, per rank; empty: all ranks on one node
};

// Throws Error if the call contradicts itself: no ranks, a root outside, the wrong number of counts or nodes.
void check(const Call& call);

struct Transfer {
  bool send = false;
  std::uint32_t peer = 0;
  std::uint64_t bytes = 0;  // of a receive: those that arrive, not the room for them
  // A receive posted for MPI_ANY_SOURCE: `peer` is one that will be received in this round, which one is not known.
  bool any_source = false;
  // Of a receive: what arrives is combined with what is there, by the reduction's operator.
  bool combines = false;

  // As messages: what is done with them afterwards does not show.
  friend bool operator==(const Transfer& a, const Transfer& b) {
    return a.send == b.send && a.peer == b.peer && a.bytes == b.bytes && a.any_source == b.any_source;
  }
};

// Posted in this order, then all of them awaited. Of a non-blocking call the first one is posted in the call itself,
// the others when the library looks for progress; it may be empty, where the library has nothing to post before that.
struct Round {
  std::vector<Transfer> posted;
};

// What one rank does. A library that posts a receive before it has waited for the one before (segments, rings) is
// written as rounds that begin with the wait: sends and receives are each in the order in which they are posted.
using Schedule = std::vector<Round>;

}  // namespace plumbline::replay::collectives::schedules
