#include "replay/mpi/window_report.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace plumbline::replay::mpi::rma {
namespace {

// Who holds what is asked for.
std::vector<Missing> missing_locks(const Windows& windows, std::uint32_t window, const Side& own_side,
                                   const Operation& op) {
  std::vector<Missing> found;
  const std::vector<Side>& sides = windows.states[window].sides;
  const auto blame = [&](std::uint32_t target) {
    for (std::uint32_t other = 0; other < sides.size(); ++other) {
      const Peer* peer = find_peer(sides[other], target);
      const bool holds = peer != nullptr && (peer->lock == Lock::kShared || peer->lock == Lock::kExclusive);
      const bool holds_all = sides[other].holds_all && sides[other].asked == 0;
      if ((!holds && !holds_all) || &sides[other] == &own_side) continue;
      const std::uint32_t holder = windows.world(window, other);
      found.push_back({holder, fmt::format("rank {} to unlock window {} of rank {}", holder, window,
                                           windows.world(window, target))});
    }
  };
  if (op.peer != kNoPeer) {
    blame(static_cast<std::uint32_t>(op.peer));
    return found;
  }
  for (std::uint32_t target = 0; target < sides.size(); ++target) {
    const Peer* peer = find_peer(own_side, target);
    if (windows.way(window) == WindowWay::kMemory || (peer != nullptr && peer->lock == Lock::kAsked)) blame(target);
  }
  return found;
}

}  // namespace

std::vector<Missing> missing(const Windows& windows, std::uint32_t rank) {
  const Call& call = windows.calls[rank];
  if (call.op == nullptr || call.step >= call.steps.size() || windows.states[call.op->comm].sides.empty()) return {};
  const Operation& op = *call.op;
  const Side& own_side = windows.states[op.comm].sides[windows.own(rank, op.comm)];
  std::vector<Missing> found;
  const auto add = [&](std::uint32_t of_window, std::string_view what) {
    const std::uint32_t peer = windows.world(op.comm, of_window);
    found.push_back({peer, fmt::format("rank {} to {} window {}", peer, what, op.comm)});
  };
  switch (call.steps[call.step]) {
    case Step::kPosted:
      for (const Peer& peer : own_side.peers)
        if (peer.awaited) add(peer.rank, "post");
      return found;
    case Step::kCompleted:
      for (const std::uint32_t origin : own_side.posted)
        if (const Peer* peer = find_peer(own_side, origin); peer == nullptr || peer->completes == 0)
          add(origin, "complete its access to");
      return found;
    case Step::kGranted:
    case Step::kNothingAsked:
      return missing_locks(windows, op.comm, own_side, op);
    case Step::kTransferred:
    case Step::kThisTransferred:
    case Step::kAnswered:
      for (const Peer& peer : own_side.peers)
        if (peer.outstanding > 0 || peer.lock == Lock::kAsked) add(peer.rank, "answer what was sent to");
      return found;
    default:
      return {};
  }
}

}  // namespace plumbline::replay::mpi::rma
