#include "replay/mpi/windows.hpp"

#include <algorithm>
#include <string_view>

namespace plumbline::replay::mpi::rma {

Windows::Windows(const Program& of_program, const hw::Platform& platform, Communicators& of_comms, Engine& of_messages)
    : program(of_program),
      comms(of_comms),
      engine(of_messages),
      states(program.windows().size()),
      calls(program.ranks()) {
  const hw::Transports transports(platform);
  const std::string_view library = program.property("library");
  std::vector<bool> has_window(program.ranks(), false);
  std::vector<std::uint32_t> nodes;
  for (const Window& window : program.windows()) {
    nodes.clear();
    for (const std::uint32_t member : program.comm(window.comm).members) {
      nodes.push_back(engine.node(member));
      has_window[member] = true;
    }
    ways.push_back(way_of(library, program.property("mca:osc"), nodes, transports));
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (has_window[rank]) ++engine.rank(rank).reactive;
}

Side& side(Windows& windows, std::uint32_t window, std::uint32_t rank) {
  std::vector<Side>& sides = windows.states[window].sides;
  if (sides.empty()) sides.resize(windows.size(window));
  return sides[rank];
}

Peer& peer_of(Side& side, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(side.peers, rank, {}, &Peer::rank);
  if (found != side.peers.end() && found->rank == rank) return *found;
  return *side.peers.insert(found, Peer{.rank = rank});
}

const Peer* find_peer(const Side& side, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(side.peers, rank, {}, &Peer::rank);
  return found != side.peers.end() && found->rank == rank ? &*found : nullptr;
}

}  // namespace plumbline::replay::mpi::rma
