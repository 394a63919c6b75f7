// Transfers to and from windows, and the control messages that everything on windows travels by.

#include <algorithm>

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {

void Windows::issue(std::uint32_t rank, const Operation& op) {
  const RmaTail& tail = program_.rank(rank).rma[op.extra];
  std::uint32_t id = free_transfers_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(transfers_.size());
    transfers_.emplace_back();
  } else {
    free_transfers_ = transfers_[id].next;
  }
  const std::uint32_t number = own(rank, op.comm), target = static_cast<std::uint32_t>(op.peer);
  const bool local = same_node(op.comm, number, target);
  const TransportId transport = engine_.costs_.transport(engine_.node(rank), engine_.node(world(op.comm, target)));
  Transfer transfer{.window = op.comm, .origin = number, .target = target, .bytes = op.bytes};
  transfer.received = tail.received;
  transfer.kind = op.kind;
  transfer.means = number == target ? Means::kOwn
                                    : means_of(way(op.comm), {.window = program_.windows()[op.comm].kind,
                                                              .kind = op.kind,
                                                              .bytes = op.bytes,
                                                              .same_node = local,
                                                              .progress = engine_.costs_.progress(transport)});
  const bool combines = op.kind == OpKind::kRmaAccumulate || op.kind == OpKind::kRmaFetch;
  transfer.blocks = transfer.means == Means::kDirect ||
                    (combines && way(op.comm) == WindowWay::kMemory && transfer.means != Means::kOwn);
  if (tail.request != kNone) {
    transfer.request = engine_.request_of_slot(rank, tail.request);
    engine_.requests_[transfer.request].state = Request::State::kPending;
    engine_.requests_[transfer.request].message = kNone;
  }
  Side& own_side = side(op.comm, number);
  if (transfer.blocks) calls_[rank].transfer = id;
  Peer& peer = peer_of(own_side, target);
  ++own_side.outstanding;
  ++peer.outstanding;
  if (transfer.means == Means::kAnswered) {
    ++peer.issued;
    ++side(op.comm, target).to_come;
  }
  // With its own lock there is nobody to be kept out by the one of the accumulates; in a node that costs nothing.
  const bool needs_lock = transfer.means == Means::kInterface && peer.lock != Lock::kExclusive;
  if (combines && transfer.blocks && transfer.means != Means::kAnswered && !needs_lock) transfer.trip = 1;
  transfers_[id] = transfer;
  const bool asks =
      way(op.comm) == WindowWay::kQueued && own_side.holds_all && peer.lock == Lock::kFree && number != target;
  if (asks) ask_peer(op.comm, number, target, false, true);
  Peer& now = peer_of(side(op.comm, number), target);
  transfers_[id].next = kNone;
  if (!is_held(own_side, now, op.comm)) return begin_trip(id);
  if (now.held_first == kNone)
    now.held_first = id;
  else
    transfers_[now.held_last].next = id;
  now.held_last = id;
}

// osc/pt2pt keeps what the target does not expect yet.
bool Windows::is_held(const Side& own_side, const Peer& peer, std::uint32_t window) const {
  if (way(window) != WindowWay::kQueued) return false;
  return peer.lock == Lock::kAsked || own_side.awaited_posts > 0;
}

void Windows::release_held(Peer& peer) {
  std::uint32_t next = std::exchange(peer.held_first, kNone);
  while (next != kNone) {
    const std::uint32_t transfer = next;
    next = transfers_[transfer].next;
    begin_trip(transfer);
  }
}

// Whether the target answers; osc/pt2pt only where there is something to give.
bool Windows::is_answered(const Transfer& t) const {
  return way(t.window) != WindowWay::kQueued || t.kind == OpKind::kRmaGet || t.kind == OpKind::kRmaFetch ||
         t.means == Means::kOwn;
}

Windows::Trip Windows::trip_of(const Transfer& t) const {
  const bool combines = t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch;
  const bool by_origin =
      combines && way(t.window) == WindowWay::kMemory && (t.means == Means::kDirect || t.means == Means::kInterface);
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

Duration Windows::pass_over(std::uint32_t rank, std::uint64_t bytes) const {
  const BytesPerSecond memory = engine_.memory_rates_[engine_.node(rank)];
  return memory.count > 0 ? transfer_time(Bytes{bytes}, memory) : Duration{};
}

// At the clock of the origin.
void Windows::begin_trip(std::uint32_t id) {
  const Transfer& t = transfers_[id];
  const Trip trip = trip_of(t);
  const std::uint32_t origin = world(t.window, t.origin), target = world(t.window, t.target);
  RankState& state = engine_.rank(origin);
  ControlMessage control{.what = What::kThere, .window = t.window, .from = t.origin, .to = t.target, .transfer = id};
  switch (t.means) {
    case Means::kOwn:
      state.clock += pass_over(origin, t.bytes + t.received);
      return finish(id, state.clock);
    case Means::kAnswered:
      return send(control, trip.there, false);
    case Means::kInterface:
      control.takes_cpu = false;
      return send(control, trip.there, true);
    case Means::kDirect: {
      // The origin's CPU copies: from its memory, or from the other's.
      control.what = What::kCopied;
      control.takes_cpu = false;
      const TransportId transport = engine_.costs_.transport(engine_.node(origin), engine_.node(target));
      const std::uint64_t bytes = trip.there + trip.back;
      state.clock += engine_.costs_.of(transport, bytes).send;
      if (trip.there == 0) std::swap(control.from, control.to);
      return send_by_interface(control, bytes, state.clock, false);
    }
  }
}

// At the target.
void Windows::carry_out(const ControlMessage& control, Time at) {
  const Transfer& t = transfers_[control.transfer];
  const std::uint32_t rank = world(t.window, t.target);
  const Trip trip = trip_of(t);
  if (t.means == Means::kInterface) {
    const ControlMessage back{.what = What::kBack,
                              .takes_cpu = false,
                              .window = t.window,
                              .from = t.target,
                              .to = t.origin,
                              .transfer = control.transfer};
    return send_by_interface(back, trip.back, at, true);
  }
  if (t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch)
    engine_.rank(rank).clock += pass_over(rank, t.bytes);
  Side& own_side = side(t.window, t.target);
  ++own_side.carried_out;
  ++peer_of(own_side, t.origin).carried_out;
  const std::uint32_t window = t.window, target = t.target;
  if (!is_answered(t))
    end_half(control.transfer);
  else
    send({.what = What::kBack, .window = t.window, .from = t.target, .to = t.origin, .transfer = control.transfer},
         trip.back, true);
  act_on_early(window, target, engine_.rank(rank).clock);
}

// At the origin.
void Windows::came_back(std::uint32_t id, Time at) {
  Transfer& t = transfers_[id];
  const std::uint32_t rank = world(t.window, t.origin);
  const Trip trip = trip_of(t);
  const bool combines = t.kind == OpKind::kRmaAccumulate || t.kind == OpKind::kRmaFetch;
  if (t.blocks) {  // its call is in hand
    RankState& state = engine_.rank(rank);
    state.clock = std::max(state.clock, at);
    const bool by_origin = t.trip == 1 && !(t.means == Means::kInterface && uses_atomics(t.kind, t.bytes));
    if (combines && by_origin) state.clock += pass_over(rank, t.bytes);
    at = state.clock;
  }
  if (trip.is_last) return finish(id, at);
  ++t.trip;
  begin_trip(id);
}

void Windows::free_transfer(std::uint32_t id) {
  transfers_[id].next = free_transfers_;
  free_transfers_ = id;
}

void Windows::end_half(std::uint32_t id) {
  if (std::exchange(transfers_[id].half_over, true)) free_transfer(id);
}

void Windows::finish(std::uint32_t id, Time at) {
  const Transfer t = transfers_[id];
  const std::uint32_t rank = world(t.window, t.origin);
  is_answered(t) ? free_transfer(id) : end_half(id);
  Side& own_side = side(t.window, t.origin);
  --own_side.outstanding;
  --peer_of(own_side, t.target).outstanding;
  if (calls_[rank].transfer == id) calls_[rank].transfer = kNone;
  if (t.request != kNone) engine_.complete(t.request, at, hw::Progress::kInCalls);
  settle(t.window, t.origin, at);
}

// A control message without a payload. From a rank to itself it is there at once.
void Windows::tell(ControlMessage control, Time at) {
  if (control.from == control.to) return act(control, at);
  switch (means_of_control(way(control.window), same_node(control.window, control.from, control.to))) {
    case Means::kOwn:
    case Means::kAnswered:
      return send(control, 0, true);
    case Means::kInterface:
      control.takes_cpu = false;
      return send(control, 0, true);
    case Means::kDirect: {
      control.takes_cpu = false;
      const std::uint32_t from = world(control.window, control.from), node = engine_.node(from);
      RankState& state = engine_.rank(from);
      state.clock = std::max(state.clock, at) + engine_.costs_.of(engine_.costs_.transport(node, node), 0).send;
      return send_by_interface(control, 0, state.clock, false);
    }
  }
}

// To who sent `to`; where memory does it, at no cost for anybody.
void Windows::answer(What what, const ControlMessage& to, Time at) {
  ControlMessage control = to;
  control.what = what;
  std::swap(control.from, control.to);
  control.takes_cpu = true;
  if (control.from == control.to) return act(control, at);
  const Means means = means_of_control(way(control.window), same_node(control.window, control.from, control.to));
  if (means == Means::kAnswered) return send(control, 0, true);
  control.takes_cpu = false;
  send_by_interface(control, 0, at, means == Means::kInterface);
}

std::uint32_t Windows::new_control_message(const ControlMessage& control) {
  std::uint32_t id = free_control_messages_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(control_messages_.size());
    control_messages_.emplace_back();
  } else {
    free_control_messages_ = control_messages_[id].next_free;
  }
  control_messages_[id] = control;
  return id;
}

std::uint32_t Windows::request_for(std::uint32_t rank, const ControlMessage& control) {
  const std::uint32_t request = engine_.pooled_request(rank);
  const std::uint32_t id = new_control_message(control);
  control_messages_[id].reader = rank;
  engine_.requests_[request].owner = kControlMessage | id;
  engine_.requests_[request].of_step = true;
  return request;
}

std::uint32_t Windows::new_message(const ControlMessage& control, std::uint64_t bytes) {
  const std::uint32_t from = world(control.window, control.from), to = world(control.window, control.to);
  const std::uint32_t id = engine_.new_message({to, from, kWindowSpace | control.window, 0});
  const std::uint32_t receive = request_for(to, control);
  Message& message = engine_.messages_[id];
  message.bytes = bytes;
  message.stage = Message::Stage::kEager;
  message.receive_request = receive;
  engine_.begin(receive, id);
  ++engine_.messages_sent_;
  return id;
}

// By the CPU of the sender, at its clock. `at_once`: the other side has room for it, whatever its size.
void Windows::send(const ControlMessage& control, std::uint64_t bytes, bool at_once) {
  const std::uint32_t id = new_message(control, bytes);
  const auto [to, from] = std::pair{engine_.messages_[id].channel.receiver, engine_.messages_[id].channel.source};
  const TransportId transport = engine_.messages_[id].transport;
  const MessageCost cost = engine_.costs_.of(transport, bytes);
  if (at_once || !cost.rendezvous) {
    engine_.inject(id, from, to, bytes, cost);
    if (control.what == What::kThere && !is_answered(transfers_[control.transfer]))
      finish(control.transfer, engine_.rank(from).clock);  // over for the origin
    return;
  }
  ControlMessage own = control;
  own.what = is_answered(transfers_[control.transfer]) ? What::kNothing : What::kBack;
  own.to = control.from;
  own.takes_cpu = false;
  const std::uint32_t sends = request_for(from, own);
  Message& message = engine_.messages_[id];
  message.send_request = sends;
  message.stage = Message::Stage::kRequest;
  engine_.begin(sends, id);
  engine_.expect_to_ask(message, true);
  ++engine_.ranks_[from].reactive;
  engine_.inject(id, from, to, 0, engine_.costs_.control(transport));
}

// Without a CPU. Without latency: in shared memory there is nobody who has to notice.
void Windows::send_by_interface(const ControlMessage& control, std::uint64_t bytes, Time at, bool with_latency) {
  const std::uint32_t id = new_message(control, bytes);
  const Message& message = engine_.messages_[id];
  MessageCost cost;
  if (with_latency) {
    const MessageCost& known = engine_.costs_.of(message.transport, bytes);
    cost.latency = known.latency + known.behind;
  }
  engine_.inject_by_interface(id, message.channel.source, message.channel.receiver, bytes, cost, at);
}

}  // namespace plumbline::replay::mpi
