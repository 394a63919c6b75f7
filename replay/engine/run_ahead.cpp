// Which operations may begin ahead of the clock of the replay (mpi/engine.hpp).

#include <algorithm>

#include "replay/engine/run.hpp"

namespace plumbline::replay {

// What ranks do ahead of the clock nobody can see, unless it is to answer somebody (engine.hpp).
bool Run::begins_at_clock(std::uint32_t rank, const Operation& op) const {
  if (!options_.run_ahead) return true;
  if (engine_.must_synchronise(rank) && !is_outside_mpi(op)) return true;
  if (is_open_wildcard(op)) return true;  // which message is there first is known at the clock
  switch (op.kind) {
    case OpKind::kNonBlockingCollective:
      return true;
    case OpKind::kIrecv:
      return (op.flags & kNotCompleted) || engine_.may_be_rendezvous(op.bytes);
    case OpKind::kSendrecv:
      return engine_.may_be_rendezvous(program_.rank(rank).sendrecvs[op.extra].bytes);
    case OpKind::kCollective:
      return engine_.may_be_rendezvous(largest_message(rank, op));
    case OpKind::kNonBlockingNeighbourhood:
      return true;
    case OpKind::kNeighbourhood:
      return engine_.may_be_rendezvous(largest_exchange(rank, op));
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return synchronises(rank, op);  // aggregators receive
    default:
      return false;
  }
}

// Of a collective, at most: no algorithm sends a rank more than all blocks.
std::uint64_t Run::largest_message(std::uint32_t rank, const Operation& op) const {
  return std::max(op.bytes, program_.rank(rank).collectives[op.extra].received) * comms_.size(op.comm);
}

std::uint64_t Run::largest_exchange(std::uint32_t rank, const Operation& op) const {
  std::uint64_t most = 0;
  const RankProgram& own = program_.rank(rank);
  for (const auto& list : {own.sends_to(op), own.receives_from(op)})
    for (const Neighbour& neighbour : list) most = std::max(most, neighbour.bytes);
  return most;
}

}  // namespace plumbline::replay
