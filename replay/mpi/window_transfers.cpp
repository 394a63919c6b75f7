#include "replay/mpi/window_transfers.hpp"

#include <algorithm>
#include <utility>

#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/window_calls.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/window_locks.hpp"

namespace plumbline::replay::mpi::rma {
namespace {

// osc/pt2pt keeps what the target does not expect yet.
bool is_held(const Windows& windows, const Side& own_side, const Peer& peer, std::uint32_t window) {
  if (windows.way(window) != WindowWay::kQueued) return false;
  return peer.lock == Lock::kAsked || own_side.awaited_posts > 0;
}

Trip trip_of(const Windows& windows, const Transfer& t) {
  const bool combines = t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch;
  const bool by_origin = combines && windows.way(t.window) == WindowWay::kMemory &&
                         (t.means == Means::kDirect || t.means == Means::kInterface);
  if (!by_origin) return {t.bytes, t.received, true};
  switch (t.trip) {
    case 0:  // the lock of accumulates
      return {0, 0, false};
    case 1:
      if (uses_atomics(t.kind, t.bytes)) return {t.bytes, t.received, true};
      return {0, std::max(t.bytes, t.received), t.bytes == 0};
    default:
      return {t.bytes, 0, true};
  }
}

Duration pass_over(const Windows& windows, std::uint32_t rank, std::uint64_t bytes) {
  const BytesPerSecond memory = windows.engine.memory_rates[windows.engine.node(rank)];
  return memory.count > 0 ? transfer_time(Bytes{bytes}, memory) : Duration{};
}

void free_transfer(Windows& windows, std::uint32_t id) {
  windows.transfers[id].next = windows.free_transfers;
  windows.free_transfers = id;
}

void end_half(Windows& windows, std::uint32_t id) {
  if (std::exchange(windows.transfers[id].half_over, true)) free_transfer(windows, id);
}

// At the clock of the origin.
void begin_trip(Windows& windows, std::uint32_t id) {
  const Transfer& t = windows.transfers[id];
  const Trip trip = trip_of(windows, t);
  const std::uint32_t origin = windows.world(t.window, t.origin), target = windows.world(t.window, t.target);
  RankState& state = windows.engine.rank(origin);
  ControlMessage control{.what = What::kThere, .window = t.window, .from = t.origin, .to = t.target, .transfer = id};
  switch (t.means) {
    case Means::kOwn:
      state.clock += pass_over(windows, origin, t.bytes + t.received);
      return finish(windows, id, state.clock);
    case Means::kAnswered:
      return send(windows, control, trip.there, false);
    case Means::kInterface:
      control.takes_cpu = false;
      return send(windows, control, trip.there, true);
    case Means::kDirect: {
      // The origin's CPU copies: from its memory, or from the other's.
      control.what = What::kCopied;
      control.takes_cpu = false;
      const TransportId transport =
          windows.engine.costs.transport(windows.engine.node(origin), windows.engine.node(target));
      const std::uint64_t bytes = trip.there + trip.back;
      state.clock += windows.engine.costs.of(transport, bytes).send;
      if (trip.there == 0) std::swap(control.from, control.to);
      return send_by_interface(windows, control, bytes, state.clock, false);
    }
  }
}

}  // namespace

void issue(Windows& windows, std::uint32_t rank, const Operation& op) {
  const RmaTail& tail = windows.program.rank(rank).rma[op.extra];
  std::uint32_t id = windows.free_transfers;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(windows.transfers.size());
    windows.transfers.emplace_back();
  } else {
    windows.free_transfers = windows.transfers[id].next;
  }
  const std::uint32_t number = windows.own(rank, op.comm), target = static_cast<std::uint32_t>(op.peer);
  const bool local = windows.same_node(op.comm, number, target);
  const TransportId transport =
      windows.engine.costs.transport(windows.engine.node(rank), windows.engine.node(windows.world(op.comm, target)));
  Transfer transfer{.window = op.comm, .origin = number, .target = target, .bytes = op.bytes};
  transfer.received = tail.received;
  transfer.kind = op.kind;
  transfer.means = number == target
                       ? Means::kOwn
                       : means_of(windows.way(op.comm), {.window = windows.program.windows()[op.comm].kind,
                                                         .kind = op.kind,
                                                         .bytes = op.bytes,
                                                         .same_node = local,
                                                         .progress = windows.engine.costs.progress(transport)});
  const bool combines = op.kind == OpKind::kRmaAccumulate || op.kind == OpKind::kRmaFetch;
  transfer.blocks = transfer.means == Means::kDirect ||
                    (combines && windows.way(op.comm) == WindowWay::kMemory && transfer.means != Means::kOwn);
  if (tail.request != kNone) {
    transfer.request = windows.engine.request_of_slot(rank, tail.request);
    windows.engine.requests[transfer.request].state = Request::State::kPending;
    windows.engine.requests[transfer.request].message = kNone;
  }
  Side& own_side = side(windows, op.comm, number);
  if (transfer.blocks) windows.calls[rank].transfer = id;
  Peer& peer = peer_of(own_side, target);
  ++own_side.outstanding;
  ++peer.outstanding;
  if (transfer.means == Means::kAnswered) {
    ++peer.issued;
    ++side(windows, op.comm, target).to_come;
  }
  // With its own lock there is nobody to be kept out by the one of the accumulates; in a node that costs nothing.
  const bool needs_lock = transfer.means == Means::kInterface && peer.lock != Lock::kExclusive;
  if (combines && transfer.blocks && transfer.means != Means::kAnswered && !needs_lock) transfer.trip = 1;
  windows.transfers[id] = transfer;
  const bool asks =
      windows.way(op.comm) == WindowWay::kQueued && own_side.holds_all && peer.lock == Lock::kFree && number != target;
  if (asks) ask_peer(windows, op.comm, number, target, false, true);
  Peer& now = peer_of(side(windows, op.comm, number), target);
  windows.transfers[id].next = kNone;
  if (!is_held(windows, own_side, now, op.comm)) return begin_trip(windows, id);
  if (now.held_first == kNone)
    now.held_first = id;
  else
    windows.transfers[now.held_last].next = id;
  now.held_last = id;
}

void release_held(Windows& windows, std::uint32_t window, std::uint32_t own, std::span<const std::uint32_t> targets) {
  bool& advancing = windows.calls[windows.world(window, own)].advancing;
  const bool was_advancing = std::exchange(advancing, true);
  for (const std::uint32_t target : targets) {
    std::uint32_t next = std::exchange(peer_of(side(windows, window, own), target).held_first, kNone);
    while (next != kNone) {
      const std::uint32_t transfer = next;
      next = windows.transfers[transfer].next;
      begin_trip(windows, transfer);
    }
  }
  advancing = was_advancing;
}

bool is_answered(const Windows& windows, const Transfer& t) {
  return windows.way(t.window) != WindowWay::kQueued || t.kind == OpKind::kRmaGet || t.kind == OpKind::kRmaFetch ||
         t.means == Means::kOwn;
}

void carry_out(Windows& windows, const ControlMessage& control, Time at) {
  const Transfer& t = windows.transfers[control.transfer];
  const std::uint32_t rank = windows.world(t.window, t.target);
  const Trip trip = trip_of(windows, t);
  if (t.means == Means::kInterface) {
    const ControlMessage back{.what = What::kBack,
                              .takes_cpu = false,
                              .window = t.window,
                              .from = t.target,
                              .to = t.origin,
                              .transfer = control.transfer};
    return send_by_interface(windows, back, trip.back, at, true);
  }
  if (t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch)
    windows.engine.rank(rank).clock += pass_over(windows, rank, t.bytes);
  Side& own_side = side(windows, t.window, t.target);
  ++own_side.carried_out;
  ++peer_of(own_side, t.origin).carried_out;
  const std::uint32_t window = t.window, target = t.target;
  if (!is_answered(windows, t))
    end_half(windows, control.transfer);
  else
    send(windows,
         {.what = What::kBack, .window = t.window, .from = t.target, .to = t.origin, .transfer = control.transfer},
         trip.back, true);
  act_on_early(windows, window, target, windows.engine.rank(rank).clock);
}

void came_back(Windows& windows, std::uint32_t id, Time at) {
  Transfer& t = windows.transfers[id];
  const std::uint32_t rank = windows.world(t.window, t.origin);
  const Trip trip = trip_of(windows, t);
  const bool combines = t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch;
  if (t.blocks) {  // its call is in hand
    RankState& state = windows.engine.rank(rank);
    state.clock = std::max(state.clock, at);
    const bool by_origin = t.trip == 1 && !(t.means == Means::kInterface && uses_atomics(t.kind, t.bytes));
    if (combines && by_origin) state.clock += pass_over(windows, rank, t.bytes);
    at = state.clock;
  }
  if (trip.is_last) return finish(windows, id, at);
  ++t.trip;
  begin_trip(windows, id);
}

void finish(Windows& windows, std::uint32_t id, Time at) {
  const Transfer t = windows.transfers[id];
  const std::uint32_t rank = windows.world(t.window, t.origin);
  is_answered(windows, t) ? free_transfer(windows, id) : end_half(windows, id);
  Side& own_side = side(windows, t.window, t.origin);
  --own_side.outstanding;
  --peer_of(own_side, t.target).outstanding;
  if (windows.calls[rank].transfer == id) windows.calls[rank].transfer = kNone;
  if (t.request != kNone) complete(windows.engine, t.request, at, hw::Progress::kInCalls);
  settle(windows, t.window, t.origin, at);
}

}  // namespace plumbline::replay::mpi::rma
