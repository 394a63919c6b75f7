#include "replay/mpi/window_calls.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/window_locks.hpp"
#include "replay/mpi/window_transfers.hpp"

namespace plumbline::replay::mpi::rma {
namespace {

void begin_access(Windows& windows, std::uint32_t rank, const Operation& op) {
  Side& own_side = side(windows, op.comm, windows.own(rank, op.comm));
  own_side.started = windows.program.rank(rank).group_of(op);
  own_side.awaited_posts = 0;
  for (Peer& peer : own_side.peers) peer.awaited = false;
  if (op.flags & kWinNoCheck) return;
  for (const std::uint32_t target : own_side.started) {
    Peer& peer = peer_of(own_side, target);
    if (peer.posts > 0) {
      --peer.posts;
    } else if (!std::exchange(peer.awaited, true)) {
      ++own_side.awaited_posts;
    }
  }
}

void tell_posted(Windows& windows, std::uint32_t rank, const Operation& op) {
  const std::uint32_t number = windows.own(rank, op.comm);
  side(windows, op.comm, number).posted = windows.program.rank(rank).group_of(op);
  if (op.flags & kWinNoCheck) return;
  for (const std::uint32_t origin : side(windows, op.comm, number).posted)
    tell(windows, {.what = What::kPost, .window = op.comm, .from = number, .to = origin},
         windows.engine.rank(rank).clock);
}

void tell_completed(Windows& windows, std::uint32_t window, std::uint32_t own) {
  const std::span<const std::uint32_t> started = std::exchange(side(windows, window, own).started, {});
  for (const std::uint32_t target : started) {
    const bool answered =
        target != own &&
        means_of_control(windows.way(window), windows.same_node(window, own, target)) == Means::kInterface;
    if (answered) ++side(windows, window, own).unanswered;
    const std::uint64_t issued = peer_of(side(windows, window, own), target).issued;
    tell(windows, {.what = What::kComplete, .window = window, .from = own, .to = target, .count = issued},
         windows.engine.rank(windows.world(window, own)).clock);
  }
}

// Among all ranks of the window, in a space of its own: windows have communicators of their own in both libraries.
void collective(Windows& windows, std::uint32_t rank, std::uint32_t window, Collective kind) {
  const std::uint32_t number = windows.own(rank, window);
  collectives::Shape shape;
  shape.kind = kind;
  shape.size = windows.size(window);
  shape.rank = number;
  constexpr std::uint64_t kCount = 4;  // bytes
  if (kind == Collective::kReduceScatter) {
    shape.sent = kCount * shape.size;
    shape.received = kCount;
  }
  const std::uint32_t request = request_for(
      windows, rank, {.what = What::kCollected, .takes_cpu = true, .window = window, .from = number, .to = number});
  start(windows.engine, rank, shape, windows.program.comm(windows.program.windows()[window].comm), window, kWindowSpace,
        side(windows, window, number).collectives++, request);
}

// Whether a condition holds; actions are carried out.
bool passes(Windows& windows, std::uint32_t rank, Call& call, Step step) {
  const Operation& op = *call.op;
  const std::uint32_t number = windows.own(rank, op.comm);
  Side& own_side = side(windows, op.comm, number);
  switch (step) {
    case Step::kTransferred: {
      if (op.peer == kNoPeer) return own_side.outstanding == 0;
      const Peer* peer = find_peer(own_side, static_cast<std::uint32_t>(op.peer));
      return peer == nullptr || peer->outstanding == 0;
    }
    case Step::kThisTransferred:
      return call.transfer == kNone;
    case Step::kPosted:
      return own_side.awaited_posts == 0;
    case Step::kCompleted:
      if (own_side.completes < own_side.posted.size()) return false;
      own_side.completes -= static_cast<std::uint32_t>(own_side.posted.size());
      for (const std::uint32_t origin : std::exchange(own_side.posted, {})) --peer_of(own_side, origin).completes;
      return true;
    case Step::kGranted:
      return is_granted(own_side, op);
    case Step::kNothingAsked:
      return own_side.asked == 0;
    case Step::kAnswered:
      return own_side.unanswered == 0;
    case Step::kCollected:
      return std::exchange(call.collected, false);
    case Step::kArrived:
      return own_side.carried_out == own_side.to_come;
    case Step::kBeginAccess:
      return begin_access(windows, rank, op), true;
    case Step::kTellPosted:
      return tell_posted(windows, rank, op), true;
    case Step::kTellCompleted:
      return tell_completed(windows, op.comm, number), true;
    case Step::kAskLeader:
      ++own_side.unanswered;
      return tell(windows, {.what = What::kVisit, .window = op.comm, .from = number, .to = 0},
                  windows.engine.rank(rank).clock),
             true;
    case Step::kAsk:
      return ask(windows, op.comm, number, op), true;
    case Step::kRelease:
      return release(windows, op.comm, number, op), true;
    case Step::kFlush:
      return flush(windows, op.comm, number, op), true;
    case Step::kCounts:
      return collective(windows, rank, op.comm, Collective::kReduceScatter), true;
    case Step::kBarrier:
      return collective(windows, rank, op.comm, Collective::kBarrier), true;
    case Step::kOver:
      break;
  }
  return true;
}

// Takes steps as long as nothing has to be waited for.
void advance(Windows& windows, std::uint32_t rank) {
  Call& call = windows.calls[rank];
  if (call.advancing) return;
  call.advancing = true;
  while (call.step < call.steps.size() && call.steps[call.step] != Step::kOver &&
         passes(windows, rank, call, call.steps[call.step]))
    ++call.step;
  call.advancing = false;
  if (call.step < call.steps.size() && call.steps[call.step] != Step::kOver) return;
  const Operation& op = *std::exchange(call.op, nullptr);
  if (op.kind == OpKind::kWinFree && ++windows.states[op.comm].freed == windows.size(op.comm))
    windows.states[op.comm].sides = {};
  one_less(windows.engine, rank);
}

Steps steps_of(const Windows& windows, const Operation& op, std::uint32_t own) {
  using enum Step;
  const bool by_memory = windows.way(op.comm) == WindowWay::kMemory,
             queued = windows.way(op.comm) == WindowWay::kQueued;
  const bool checked = !(op.flags & kWinNoCheck);
  switch (op.kind) {
    case OpKind::kWinCreate:
    case OpKind::kWinFree:
      return {kTransferred, kBarrier, kCollected};
    case OpKind::kWinFence:
      if (queued) return {kTransferred, kCounts, kCollected, kArrived, kBarrier, kCollected};
      return {kTransferred, kBarrier, kCollected};
    case OpKind::kWinPost:
      return {kTellPosted};
    case OpKind::kWinStart:
      return {kBeginAccess, queued ? kOver : kPosted};
    case OpKind::kWinComplete:
      if (queued) return {kPosted, kTellCompleted, kTransferred};
      return {kTransferred, kTellCompleted, kAnswered};
    case OpKind::kWinWait:
      return {kCompleted};
    case OpKind::kWinLock:
      if (queued) return {kNothingAsked, kAsk, op.peer == static_cast<std::int32_t>(own) ? kGranted : kOver};
      if (by_memory && checked && (op.flags & kWinExclusive)) return {kAskLeader, kAnswered, kAsk, kGranted};
      return {kAsk, kGranted};
    case OpKind::kWinUnlock:
      if (queued) return {kGranted, kRelease, kAnswered, kTransferred};
      return {kTransferred, kRelease, kAnswered};
    case OpKind::kWinFlush:
      if (queued) return {kGranted, kFlush, kAnswered, kTransferred};
      return {kTransferred};
    case OpKind::kRmaPut:
    case OpKind::kRmaGet:
    case OpKind::kRmaAccumulate:
    case OpKind::kRmaFetch:
      return {kThisTransferred};
    default:
      return {};
  }
}

}  // namespace

void call(Windows& windows, std::uint32_t rank, const Operation& op) {
  Call& call = windows.calls[rank];
  call = {};
  call.op = &op;
  ++windows.engine.rank(rank).pending;
  call.steps = steps_of(windows, op, windows.own(rank, op.comm));
  call.advancing = true;  // what is over at once settles nothing yet
  if (is_rma_transfer(op.kind)) issue(windows, rank, op);
  call.advancing = false;
  advance(windows, rank);
}

void settle(Windows& windows, std::uint32_t window, std::uint32_t own, Time at) {
  const std::uint32_t rank = windows.world(window, own);
  const Call& call = windows.calls[rank];
  if (call.op == nullptr || call.op->comm != window || call.advancing) return;
  RankState& state = windows.engine.rank(rank);
  state.clock = std::max(state.clock, at);
  advance(windows, rank);
}

void post_came(Windows& windows, std::uint32_t window, std::uint32_t own, std::uint32_t from) {
  Side& own_side = side(windows, window, own);
  Peer& peer = peer_of(own_side, from);
  if (!peer.awaited) {
    ++peer.posts;
    return;
  }
  peer.awaited = false;
  if (--own_side.awaited_posts > 0) return;
  release_held(windows, window, own, own_side.started);
}

}  // namespace plumbline::replay::mpi::rma
