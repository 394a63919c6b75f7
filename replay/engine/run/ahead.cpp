#include "replay/engine/run/ahead.hpp"

#include <algorithm>

#include "replay/engine/run/file_accesses.hpp"

namespace plumbline::replay::engine {
namespace {

// Of a collective, at most: no algorithm sends a rank more than all blocks.
std::uint64_t largest_message(const Run& run, std::uint32_t rank, const Operation& op) {
  return std::max(op.bytes, run.program.rank(rank).collectives[op.extra].received) * run.comms.size(op.comm);
}

std::uint64_t largest_exchange(const Run& run, std::uint32_t rank, const Operation& op) {
  std::uint64_t most = 0;
  const RankProgram& own = run.program.rank(rank);
  for (const auto& list : {own.sends_to(op), own.receives_from(op)})
    for (const Neighbour& neighbour : list) most = std::max(most, neighbour.bytes);
  return most;
}

}  // namespace

bool begins_at_clock(const Run& run, std::uint32_t rank, const Operation& op) {
  if (!run.options.run_ahead) return true;
  if (run.engine.must_synchronise(rank) && !is_outside_mpi(op)) return true;
  if (is_open_wildcard(op)) return true;  // which message is there first is known at the clock
  switch (op.kind) {
    case OpKind::kNonBlockingCollective:
      return true;
    case OpKind::kIrecv:
      return (op.flags & kNotCompleted) || run.engine.may_be_rendezvous(op.bytes);
    case OpKind::kSendrecv:
      return run.engine.may_be_rendezvous(run.program.rank(rank).sendrecvs[op.extra].bytes);
    case OpKind::kCollective:
      return run.engine.may_be_rendezvous(largest_message(run, rank, op));
    case OpKind::kNonBlockingNeighbourhood:
      return true;
    case OpKind::kNeighbourhood:
      return run.engine.may_be_rendezvous(largest_exchange(run, rank, op));
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return synchronises(run, rank, op);  // aggregators receive
    default:
      return false;
  }
}

}  // namespace plumbline::replay::engine
