// Locks of windows. A target grants them in the order in which requests arrive: the first one, and with a shared one
// the shared ones behind it (MPICH's queue; osc/rdma tries again and again instead, where anybody may be the next).

#include <utility>

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {

bool Windows::is_granted(const Side& side, const Operation& op) const {
  if (op.peer == kNoPeer) return side.asked == 0;
  const Peer* peer = find_peer(side, static_cast<std::uint32_t>(op.peer));
  return peer == nullptr || peer->lock != Lock::kAsked;
}

void Windows::ask(std::uint32_t window, std::uint32_t own, const Operation& op) {
  const bool checked = !(op.flags & kWinNoCheck), exclusive = (op.flags & kWinExclusive) != 0;
  if (op.peer != kNoPeer) return ask_peer(window, own, static_cast<std::uint32_t>(op.peer), exclusive, checked);
  Side& own_side = side(window, own);
  if (checked) own_side.holds_all = true;
  if (!checked) return;
  switch (way(window)) {
    case WindowWay::kMemory:
      ++own_side.asked;
      return tell({.what = What::kLockRequest, .all = true, .window = window, .from = own, .to = 0},
                  engine_.rank(world(window, own)).clock);
    case WindowWay::kQueued:  // of others when something is for them
      return ask_peer(window, own, own, false, true);
    case WindowWay::kMessages:
      for (std::uint32_t target = 0; target < size(window); ++target) ask_peer(window, own, target, false, true);
  }
}

void Windows::ask_peer(std::uint32_t window, std::uint32_t own, std::uint32_t target, bool exclusive, bool checked) {
  Side& own_side = side(window, own);
  Peer& peer = peer_of(own_side, target);
  if (peer.lock != Lock::kFree) return;  // MPI forbids it
  peer.lock = checked ? Lock::kAsked : Lock::kUnchecked;
  if (!checked) return;
  ++own_side.asked;
  tell({.what = What::kLockRequest, .exclusive = exclusive, .window = window, .from = own, .to = target},
       engine_.rank(world(window, own)).clock);
}

void Windows::release(std::uint32_t window, std::uint32_t own, const Operation& op) {
  Side& own_side = side(window, own);
  if (op.peer != kNoPeer) return release_peer(window, own, peer_of(own_side, static_cast<std::uint32_t>(op.peer)));
  if (!std::exchange(own_side.holds_all, false)) return;
  if (way(window) == WindowWay::kMemory)
    return tell({.what = What::kUnlock, .all = true, .window = window, .from = own, .to = 0},
                engine_.rank(world(window, own)).clock);
  for (std::size_t i = 0; i < own_side.peers.size(); ++i) release_peer(window, own, own_side.peers[i]);
}

void Windows::release_peer(std::uint32_t window, std::uint32_t own, Peer& peer) {
  const Lock held = std::exchange(peer.lock, Lock::kFree);
  if (held != Lock::kShared && held != Lock::kExclusive) return;
  const std::uint32_t target = peer.rank;
  const std::uint64_t issued = peer.issued;
  if (way(window) != WindowWay::kMemory) ++side(window, own).unanswered;
  tell({.what = What::kUnlock,
        .exclusive = held == Lock::kExclusive,
        .window = window,
        .from = own,
        .to = target,
        .count = issued},
       engine_.rank(world(window, own)).clock);
}

// Of messages without answers: what was sent before it has been carried out when this is answered.
void Windows::flush(std::uint32_t window, std::uint32_t own, const Operation& op) {
  if (op.flags & kWinLocal) return;
  for (std::size_t i = 0; i < side(window, own).peers.size(); ++i) {
    const Peer& peer = side(window, own).peers[i];
    if (peer.issued == 0 || (op.peer != kNoPeer && peer.rank != static_cast<std::uint32_t>(op.peer))) continue;
    const ControlMessage control{
        .what = What::kFlush, .window = window, .from = own, .to = peer.rank, .count = peer.issued};
    ++side(window, own).unanswered;
    tell(control, engine_.rank(world(window, own)).clock);
  }
}

void Windows::lock_requested(const ControlMessage& control, Time at) {
  if (control.all) {
    states_[control.window].waiting_all.push_back(control.from);
    return grant_all(control.window, at);
  }
  side(control.window, control.to).queue.push_back({control.from, control.exclusive});
  grant_queued(control.window, control.to, at);
}

void Windows::unlocked(const ControlMessage& control, Time at) {
  const auto one_less = [](Side& side) { side.shared_holders -= side.shared_holders > 0 ? 1 : 0; };
  if (control.all) {
    for (std::uint32_t rank = 0; rank < size(control.window); ++rank) one_less(side(control.window, rank));
    for (std::uint32_t rank = 0; rank < size(control.window); ++rank) grant_queued(control.window, rank, at);
    return;
  }
  Side& target = side(control.window, control.to);
  if (control.exclusive)
    target.exclusive_holder = kNone;
  else
    one_less(target);
  if (way(control.window) != WindowWay::kMemory) answer(What::kAnswer, control, at);
  grant_queued(control.window, control.to, at);
  grant_all(control.window, at);
}

void Windows::grant_queued(std::uint32_t window, std::uint32_t target, Time at) {
  while (true) {
    Side& own_side = side(window, target);
    if (own_side.queue.empty() || own_side.exclusive_holder != kNone) return;
    const LockRequest request = own_side.queue.front();
    if (request.exclusive && own_side.shared_holders > 0) return;
    own_side.queue.erase(own_side.queue.begin());
    if (request.exclusive)
      own_side.exclusive_holder = request.origin;
    else
      ++own_side.shared_holders;
    answer(What::kGrant, {.exclusive = request.exclusive, .window = window, .from = request.origin, .to = target}, at);
  }
}

// By memory: a lock of all is one counter, which exclusive locks exclude.
void Windows::grant_all(std::uint32_t window, Time at) {
  std::vector<std::uint32_t>& waiting = states_[window].waiting_all;
  if (waiting.empty()) return;
  for (std::uint32_t rank = 0; rank < size(window); ++rank)
    if (side(window, rank).exclusive_holder != kNone) return;
  const std::vector<std::uint32_t> granted = std::exchange(waiting, {});
  for (const std::uint32_t origin : granted) {
    for (std::uint32_t rank = 0; rank < size(window); ++rank) ++side(window, rank).shared_holders;
    answer(What::kGrant, {.all = true, .window = window, .from = origin, .to = 0}, at);
  }
}

// ControlMessage::from is who grants.
void Windows::granted(const ControlMessage& control, Time) {
  Side& own_side = side(control.window, control.to);
  --own_side.asked;
  if (control.all) return;
  Peer& peer = peer_of(own_side, control.from);
  peer.lock = control.exclusive ? Lock::kExclusive : Lock::kShared;
  if (peer.held_first != kNone) release_held(peer);
}

}  // namespace plumbline::replay::mpi
