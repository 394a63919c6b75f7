#include "viewer/index/runs/peers.hpp"

namespace plumbline::viewer {

using replay::kNone;

std::uint32_t peer_of(const replay::Program& program, std::uint32_t rank, const replay::Operation& op) {
  const bool has_peer = replay::has_peer(op.kind) || replay::is_data_collective(op.kind);
  if (op.peer < 0) return kNone;
  const auto number = static_cast<std::size_t>(op.peer);
  if (replay::is_one_sided(op.kind)) {
    const auto members = program.comm(program.windows()[op.comm].comm).members;
    return number < members.size() ? members[number] : kNone;
  }
  if (!has_peer || op.comm >= program.comms()) return kNone;
  const auto peers = replay::peers_of(program.comm(op.comm), rank);
  return number < peers.size() ? peers[number] : kNone;
}

std::uint32_t comm_of(const replay::Program& program, const replay::RankProgram& rank, const replay::Operation& op) {
  if (replay::is_one_sided(op.kind)) return program.windows()[op.comm].comm;
  if (replay::is_io(op.kind)) return op.extra < rank.accesses.size() ? rank.accesses[op.extra].comm : kNone;
  return op.comm < program.comms() ? op.comm : kNone;
}

std::uint32_t size_of(const replay::CommView& comm) {
  return static_cast<std::uint32_t>(comm.members.size() + comm.remote_members.size());
}

}  // namespace plumbline::viewer
