#include "replay/mpi/window_locks.hpp"

#include <utility>
#include <vector>

#include "replay/mpi/window_control.hpp"
#include "replay/mpi/window_transfers.hpp"

namespace plumbline::replay::mpi::rma {
namespace {

void release_peer(Windows& windows, std::uint32_t window, std::uint32_t own, Peer& peer) {
  const Lock held = std::exchange(peer.lock, Lock::kFree);
  if (held != Lock::kShared && held != Lock::kExclusive) return;
  const std::uint32_t target = peer.rank;
  const std::uint64_t issued = peer.issued;
  if (windows.way(window) != WindowWay::kMemory) ++side(windows, window, own).unanswered;
  tell(windows,
       {.what = What::kUnlock,
        .exclusive = held == Lock::kExclusive,
        .window = window,
        .from = own,
        .to = target,
        .count = issued},
       windows.engine.rank(windows.world(window, own)).clock);
}

void grant_queued(Windows& windows, std::uint32_t window, std::uint32_t target, Time at) {
  while (true) {
    Side& own_side = side(windows, window, target);
    if (own_side.queue.empty() || own_side.exclusive_holder != kNone) return;
    const LockRequest request = own_side.queue.front();
    if (request.exclusive && own_side.shared_holders > 0) return;
    own_side.queue.erase(own_side.queue.begin());
    if (request.exclusive)
      own_side.exclusive_holder = request.origin;
    else
      ++own_side.shared_holders;
    answer(windows, What::kGrant,
           {.exclusive = request.exclusive, .window = window, .from = request.origin, .to = target}, at);
  }
}

// By memory: a lock of all is one counter, which exclusive locks exclude.
void grant_all(Windows& windows, std::uint32_t window, Time at) {
  std::vector<std::uint32_t>& waiting = windows.states[window].waiting_all;
  if (waiting.empty()) return;
  for (std::uint32_t rank = 0; rank < windows.size(window); ++rank)
    if (side(windows, window, rank).exclusive_holder != kNone) return;
  const std::vector<std::uint32_t> granted = std::exchange(waiting, {});
  for (const std::uint32_t origin : granted) {
    for (std::uint32_t rank = 0; rank < windows.size(window); ++rank) ++side(windows, window, rank).shared_holders;
    answer(windows, What::kGrant, {.all = true, .window = window, .from = origin, .to = 0}, at);
  }
}

}  // namespace

bool is_granted(const Side& side, const Operation& op) {
  if (op.peer == kNoPeer) return side.asked == 0;
  const Peer* peer = find_peer(side, static_cast<std::uint32_t>(op.peer));
  return peer == nullptr || peer->lock != Lock::kAsked;
}

void ask(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op) {
  const bool checked = !(op.flags & kWinNoCheck), exclusive = (op.flags & kWinExclusive) != 0;
  if (op.peer != kNoPeer)
    return ask_peer(windows, window, own, static_cast<std::uint32_t>(op.peer), exclusive, checked);
  Side& own_side = side(windows, window, own);
  if (checked) own_side.holds_all = true;
  if (!checked) return;
  switch (windows.way(window)) {
    case WindowWay::kMemory:
      ++own_side.asked;
      return tell(windows, {.what = What::kLockRequest, .all = true, .window = window, .from = own, .to = 0},
                  windows.engine.rank(windows.world(window, own)).clock);
    case WindowWay::kQueued:  // of others when something is for them
      return ask_peer(windows, window, own, own, false, true);
    case WindowWay::kMessages:
      for (std::uint32_t target = 0; target < windows.size(window); ++target)
        ask_peer(windows, window, own, target, false, true);
  }
}

void ask_peer(Windows& windows, std::uint32_t window, std::uint32_t own, std::uint32_t target, bool exclusive,
              bool checked) {
  Side& own_side = side(windows, window, own);
  Peer& peer = peer_of(own_side, target);
  if (peer.lock != Lock::kFree) return;  // MPI forbids it
  peer.lock = checked ? Lock::kAsked : Lock::kUnchecked;
  if (!checked) return;
  ++own_side.asked;
  tell(windows, {.what = What::kLockRequest, .exclusive = exclusive, .window = window, .from = own, .to = target},
       windows.engine.rank(windows.world(window, own)).clock);
}

void release(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op) {
  Side& own_side = side(windows, window, own);
  if (op.peer != kNoPeer)
    return release_peer(windows, window, own, peer_of(own_side, static_cast<std::uint32_t>(op.peer)));
  if (!std::exchange(own_side.holds_all, false)) return;
  if (windows.way(window) == WindowWay::kMemory)
    return tell(windows, {.what = What::kUnlock, .all = true, .window = window, .from = own, .to = 0},
                windows.engine.rank(windows.world(window, own)).clock);
  for (std::size_t i = 0; i < own_side.peers.size(); ++i) release_peer(windows, window, own, own_side.peers[i]);
}

void flush(Windows& windows, std::uint32_t window, std::uint32_t own, const Operation& op) {
  if (op.flags & kWinLocal) return;
  for (std::size_t i = 0; i < side(windows, window, own).peers.size(); ++i) {
    const Peer& peer = side(windows, window, own).peers[i];
    if (peer.issued == 0 || (op.peer != kNoPeer && peer.rank != static_cast<std::uint32_t>(op.peer))) continue;
    const ControlMessage control{
        .what = What::kFlush, .window = window, .from = own, .to = peer.rank, .count = peer.issued};
    ++side(windows, window, own).unanswered;
    tell(windows, control, windows.engine.rank(windows.world(window, own)).clock);
  }
}

void lock_requested(Windows& windows, const ControlMessage& control, Time at) {
  if (control.all) {
    windows.states[control.window].waiting_all.push_back(control.from);
    return grant_all(windows, control.window, at);
  }
  side(windows, control.window, control.to).queue.push_back({control.from, control.exclusive});
  grant_queued(windows, control.window, control.to, at);
}

void unlocked(Windows& windows, const ControlMessage& control, Time at) {
  const auto one_less = [](Side& side) { side.shared_holders -= side.shared_holders > 0 ? 1 : 0; };
  if (control.all) {
    for (std::uint32_t rank = 0; rank < windows.size(control.window); ++rank)
      one_less(side(windows, control.window, rank));
    for (std::uint32_t rank = 0; rank < windows.size(control.window); ++rank)
      grant_queued(windows, control.window, rank, at);
    return;
  }
  Side& target = side(windows, control.window, control.to);
  if (control.exclusive)
    target.exclusive_holder = kNone;
  else
    one_less(target);
  if (windows.way(control.window) != WindowWay::kMemory) answer(windows, What::kAnswer, control, at);
  grant_queued(windows, control.window, control.to, at);
  grant_all(windows, control.window, at);
}

void granted(Windows& windows, const ControlMessage& control) {
  Side& own_side = side(windows, control.window, control.to);
  --own_side.asked;
  if (control.all) return;
  Peer& peer = peer_of(own_side, control.from);
  peer.lock = control.exclusive ? Lock::kExclusive : Lock::kShared;
  if (peer.held_first != kNone) release_held(windows, control.window, control.to, {&control.from, 1});
}

}  // namespace plumbline::replay::mpi::rma
