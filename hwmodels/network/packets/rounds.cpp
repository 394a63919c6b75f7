// What the store-and-forward network does in a round: updates, which commute, the places of what waits, decisions.

#include <algorithm>
#include <span>
#include <tuple>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {
namespace {

// In which order the notes of one message come.
std::uint32_t place_of(Notification::Kind kind) {
  switch (kind) {
    case Notification::Kind::kPacketTaken:
      return 0;
    case Notification::Kind::kBuffered:
      return 1;
    case Notification::Kind::kSent:
      return 2;
    case Notification::Kind::kPacketDelivered:
      return 3;
    case Notification::Kind::kDelivered:
      break;
  }
  return 4;
}

}  // namespace

void StoreAndForward::handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out) {
  Round round{event.at, queue.round(), queue};
  if (!is_one_passage(round)) {
    in_round_ = true;
    update_all(round);
    decide_all(round);
    in_round_ = false;
  }
  give_windows_back();
  while (!candidates_.empty() && notes_.empty() && queue.begin_next_round_alone()) {
    ++round.number;
    in_round_ = true;
    decide_all(round);
    in_round_ = false;
    give_windows_back();
  }
  if (!candidates_.empty()) queue.push_signal({round.at, round.number + 1, kGoesOn});
  if (!notes_.empty()) give_notes(out);
}

// Whether all that happens in the round is that a packet passes a switch and the cable behind it, as in most rounds.
// Then that is done.
inline bool StoreAndForward::is_one_passage(const Round& round) {
  const std::span<const std::uint32_t> signals = round.queue.signals();
  if (signals.size() > 1 || (signals.front() & ~kIndexMask) != kLeaves || !candidates_.empty()) return false;
  const std::uint32_t packet = signals.front() & kIndexMask;
  return passes(packet, packets_[packet].pair_queue, round);
}

// Before anything else of the round, so that nothing that goes express in it has to come back in it.
inline void StoreAndForward::begin_messages(const Round& round) {
  for (const std::uint32_t signal : round.queue.signals())
    if ((signal & ~kIndexMask) == kMakes) begin_all(signal & kIndexMask, round);
}

void StoreAndForward::update_all(const Round& round) {
  const std::span<const std::uint32_t> signals = round.queue.signals();
  begin_messages(round);
  nothing_else_ = signals.size() == 1 && beginning_.size() <= 1 && candidates_.empty() && emitted_.empty();
  for (const std::uint32_t signal : signals) update(round, signal);
  nothing_else_ = false;
  for (const std::uint32_t signal : emitted_) update(round, signal);
  emitted_.clear();
  if (!beginning_.empty()) end_of_beginnings();
}

void StoreAndForward::decide_all(const Round& round) {
  if (!tied_.empty()) append_tied();
  if (!candidates_.empty()) admit(round);
  for (const std::uint32_t component : touched_) decide(component, round);
  touched_.clear();
  for (const std::uint32_t packet : begun_) begin_given(packet, round);
  begun_.clear();
}

// What has been taken in this round opens the windows behind it in the next one.
inline void StoreAndForward::give_windows_back() {
  for (const Release& each : releases_) release(each);
  releases_.clear();
}

// A message, and those that begin with it.
void StoreAndForward::begin_all(std::uint32_t message, const Round& round) {
  for (; message != kNone; message = messages_[message].next) begin_message(message, round);
}

void StoreAndForward::begin_message(std::uint32_t index, const Round& round) {
  Message& message = messages_[index];
  if (message.begun) return;
  message.begun = true;
  beginning_.push_back(index);
  if (message.fits_buffer) note(Notification::Kind::kBuffered, message, {});
  Pair& pair = pairs_[message.pair];
  if (!pair.has_ends) {
    pair.has_ends = true;
    add_end(pair.source_node, pair_queues_[pair.first].component, round);
    add_end(pair.target_node, pair_queues_[pair.first + pair.hops - 1].component, round);
  }
  if (options_.express) make_way(message, round);
}

bool StoreAndForward::next_is_available(const Message& message) const {
  return message.available >= std::min(message.left, sizes_.granularity);
}

std::uint32_t StoreAndForward::packet_slot() {
  const std::uint32_t index = free_packets_;
  if (index != kNone) {
    free_packets_ = packets_[index].next;
    return index;
  }
  PLUMBLINE_CHECK(packets_.size() < kIndexMask, "more than 2^28 packets are under way");
  packets_.emplace_back();
  return static_cast<std::uint32_t>(packets_.size() - 1);
}

// The next packet of a message, taken from what is left of it; the first one carries the header.
std::uint32_t StoreAndForward::new_packet(std::uint32_t message) {
  Message& record = messages_[message];
  const std::uint32_t number = record.packets++;
  const Bytes payload = std::min(record.left, sizes_.granularity);
  record.left = record.left - payload;
  record.available = record.available - payload;
  const std::uint32_t index = packet_slot();
  Packet& packet = packets_[index];
  packet.size = number == 0 ? payload + sizes_.header : payload;
  packet.service = {};
  packet.message = message;
  packet.next = kNone;
  packet.number = number & packets::kMostPackets;
  packet.last = record.left.count == 0 ? 1U : 0U;
  return index;
}

Bytes StoreAndForward::payload(const Packet& packet) const {
  return packet.number == 0 ? packet.size - sizes_.header : packet.size;
}

void StoreAndForward::update(const Round& round, std::uint32_t signal) {
  const std::uint32_t index = signal & kIndexMask;
  if ((signal & ~kIndexMask) == kLeaves) return leave(index, round);  // most
  switch (signal & ~kIndexMask) {
    case kWakes:
      return end_service(index, round.at);
    case kMakes:
      return make_all(index, round);
    case kGoesOn:
      if (index > 0 && let_go(index - 1)) end_service(index - 1, round.at);
      return;
    case kOpens:
      return open(index, round);
    case kReturns:
      open(index, round);
      return be_candidate(index);
    case kBegins:
      return begun_.push_back(index);
    default:
      return update_express(round, signal & ~kIndexMask, index);
  }
}

void StoreAndForward::leave(std::uint32_t packet, const Round& round) {
  const std::uint32_t index = packets_[packet].pair_queue;
  const PairQueue& from = pair_queues_[index];
  if (from.ends_service) end_service(from.component, round.at);
  if (!from.last) return arrive(packet, index + 1, round);
  if (messages_[packets_[packet].message].piecewise) tell(from.component, round);
  consume(packet, round);
}

// Begins its next service one round later, so that whoever is notified of the packet can hold it first.
void StoreAndForward::tell(std::uint32_t component, const Round& round) {
  hold_component(component, round);
  push(round, round.at, kGoesOn | (component + 1));
}

// A service ends, unless the one in hand was begun after this signal was pushed.
void StoreAndForward::end_service(std::uint32_t component, Time at) {
  ComponentState& server = servers_[component];
  if (server.idle_at > at) return;
  if (server.returning != kNone) {
    be_candidate(server.returning);
    server.returning = kNone;
  }
  if (server.grant != kNone) touch(component);
}

void StoreAndForward::make_all(std::uint32_t message, const Round& round) {
  while (message != kNone) {
    const std::uint32_t next = std::exchange(messages_[message].next, kNone);
    make(message, round);
    message = next;
  }
}

void StoreAndForward::make(std::uint32_t message, const Round& round) {
  Message& record = messages_[message];
  record.starved = !next_is_available(record);
  if (!record.starved) arrive(new_packet(message), pairs_[record.pair].first, round);
}

void StoreAndForward::consume(std::uint32_t index, const Round& round) {
  const std::uint32_t pair_queue = packets_[index].pair_queue, of = packets_[index].message;
  const Duration service = packets_[index].service;
  const bool last = packets_[index].last != 0;
  Message& message = messages_[of];
  const Bytes bytes = message.piecewise ? payload(packets_[index]) : Bytes{};
  free_packet(index);
  if (pair_queues_[pair_queue].ends_service)
    release({pair_queue, service});
  else
    open(pair_queue, round);
  if (message.piecewise) note(Notification::Kind::kPacketDelivered, message, bytes);
  if (last) end_message(of);
}

void StoreAndForward::end_message(std::uint32_t index) {
  Message& message = messages_[index];
  note(Notification::Kind::kDelivered, message, {});
  if (options_.express) {
    Pair& pair = pairs_[message.pair];
    pair.barred -= message.barred ? 1 : 0;
    if (message.is_long) --long_messages_;
    if (--pair.messages == 0) stay_registered(message.pair);
  }
  message.next = free_messages_;
  free_messages_ = index;
  --messages_under_way_;
}

void StoreAndForward::arrive(std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  if (has_one_user(pair_queue) && takes_express(packet, pair_queue, round))
    return go_express(packet, pair_queue, round);
  wait(packet, pair_queue, round);
}

void StoreAndForward::wait(std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  packets_[packet].pair_queue = pair_queue;
  PairQueue& to = pair_queues_[pair_queue];
  if (to.under_way > 0) open(pair_queue, round);
  if (nothing_else_ && !is_empty(packets_[packet]) && begins_granted(pair_queue, round))
    return take_alone(packet, pair_queue, round);
  if (to.under_way > 0) watch_window(pair_queue, round);
  if (to.fresh) return tied_.push_back(packet);
  to.fresh = true;
  append(packet, to);
  be_candidate(pair_queue);
}

// Takes back the packet that came first in the order of handling, so that all that arrived in this round can be
// ordered.
void StoreAndForward::take_back_fresh(PairQueue& pair_queue) {
  tied_.push_back(pair_queue.tail);
  pair_queue.fresh = false;
  if (pair_queue.head == pair_queue.tail) {
    pair_queue.head = kNone;
    return;
  }
  std::uint32_t before = pair_queue.head;
  while (packets_[before].next != pair_queue.tail) before = packets_[before].next;
  packets_[before].next = kNone;
  pair_queue.tail = before;
}

void StoreAndForward::append_tied() {
  for (std::size_t i = 0, count = tied_.size(); i < count; ++i) {
    PairQueue& pair_queue = pair_queues_[packets_[tied_[i]].pair_queue];
    if (pair_queue.fresh) take_back_fresh(pair_queue);
  }
  std::sort(tied_.begin(), tied_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t order_a = messages_[packets_[a].message].order();
    const std::uint64_t order_b = messages_[packets_[b].message].order();
    return order_a != order_b ? order_a < order_b : packets_[a].number < packets_[b].number;
  });
  for (const std::uint32_t packet : tied_) append(packet, pair_queues_[packets_[packet].pair_queue]);
  tied_.clear();
}

void StoreAndForward::touch(std::uint32_t component) {
  if (servers_[component].touched) return;
  servers_[component].touched = true;
  touched_.push_back(component);
}

// Candidates that have packets and may be served join the lists of their servers, ordered by their first packets.
void StoreAndForward::admit(const Round& round) {
  if (candidates_.size() == 1) {  // as in most rounds
    const std::uint32_t index = candidates_.front();
    candidates_.clear();
    if (is_admitted(index, round)) enter(index, round);
    return;
  }
  bool tied = false;
  for (const std::uint32_t index : candidates_) {
    if (!is_admitted(index, round)) continue;
    ComponentState& server = servers_[pair_queues_[index].component];
    tied = tied || server.newcomer;
    server.newcomer = true;
    newcomers_.push_back(index);
  }
  candidates_.clear();
  if (tied) order_newcomers();
  for (const std::uint32_t index : newcomers_) {
    servers_[pair_queues_[index].component].newcomer = false;
    enter(index, round);
  }
  newcomers_.clear();
}

bool StoreAndForward::is_admitted(std::uint32_t index, const Round& round) {
  PairQueue& pair_queue = pair_queues_[index];
  pair_queue.candidate = pair_queue.fresh = false;
  return pair_queue.head != kNone && may_be_granted(pair_queue, round);
}

void StoreAndForward::enter(std::uint32_t index, const Round& round) {
  const std::uint32_t component = pair_queues_[index].component;
  ComponentState& server = servers_[component];
  if (grants_service(server) && !is_empty(packets_[pair_queues_[index].head]))
    return grant_service(index, std::max(server.idle_at, round.at), server.idle_at <= round.at, round);
  if (pair_queues_[index].owed.ps != 0) open(index - 1, round);
  join(index, server, round.at);
  if (server.idle_at <= round.at)
    touch(component);
  else
    be_woken(component, round);
}

// By component, so that only those of one component are looked at any closer.
void StoreAndForward::order_newcomers() {
  std::sort(newcomers_.begin(), newcomers_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const PairQueue &one = pair_queues_[a], &other = pair_queues_[b];
    if (one.component != other.component) return one.component < other.component;
    const Packet &first = packets_[one.head], &second = packets_[other.head];
    const std::uint64_t order = messages_[first.message].order(), against = messages_[second.message].order();
    return order != against ? order < against : first.number < second.number;
  });
}

// The end of the server's list; its begin where the pair queue keeps its grant.
void StoreAndForward::join(std::uint32_t index, ComponentState& server, Time now) {
  PairQueue& pair_queue = pair_queues_[index];
  pair_queue.grant = PairQueue::kNever;
  pair_queue.next_waiting = kNone;
  if (server.grant == kNone) {
    server.grant = server.grant_tail = index;
  } else if (has_send_queues() && keeps_turn(index, now)) {
    pair_queue.next_waiting = std::exchange(server.grant, index);
  } else {
    pair_queues_[server.grant_tail].next_waiting = index;
    server.grant_tail = index;
  }
}

// Somebody waits for the end of the service in hand.
void StoreAndForward::be_woken(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  if (server.wakes) return;
  server.wakes = true;
  push(round, server.idle_at, kWakes | component);
}

// An idle server takes one packet of the pair queue whose grant it is.
void StoreAndForward::decide(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  server.touched = false;
  if (server.held > 0 || server.grant == kNone) return;
  const std::uint32_t index = server.grant;
  PairQueue& pair_queue = pair_queues_[index];
  server.grant = pair_queue.next_waiting;
  pair_queue.grant = PairQueue::kLongAgo;
  if (pair_queue.under_way > 0) open(index, round);
  if (server.grants != packets::Grants::kDecided) return begin_listed(index, round);
  const std::uint32_t taken = pair_queue.head;
  pair_queue.head = packets_[taken].next;
  if (!pair_queue.first) releases_.push_back({index - 1, packets_[taken].service});
  serve(index, taken, round.at, round.at);
  if (has_send_queues()) count_turn(index, packets_[taken].size, {round.at, server.idle_at}, server.grant != kNone);
  if (pair_queue.first) begin_at_source(taken, round);
  const Time leaves = pair_queue.last ? server.idle_at : server.idle_at + server.latency;
  const bool comes_back = pass_on(taken, index, leaves, round);
  if (pair_queue.head != kNone) watch_next(index, round);
  server.wakes = comes_back && pair_queue.ends_service;
  if (pair_queue.head != kNone && !is_queued(pair_queue, round) && !pair_queue.is_blocked()) server.returning = index;
  if (server.grant != kNone || server.returning != kNone) be_woken(component, round);
}

// A packet that is in service at a pair queue until it leaves `at`, later than now, gets on from there: ahead where it
// can be told its grant, up to where an event is needed. False: that is not its next place. With a grant that comes
// just then and another packet that waits for it, one event does for both.
bool StoreAndForward::pass_on(std::uint32_t packet, std::uint32_t index, Time at, const Round& round) {
  const std::uint32_t first = index;
  while (!pair_queues_[index].last) {
    ComponentState& next = servers_[pair_queues_[index + 1].component];
    if (next.grants != packets::Grants::kPreGranted) break;
    const Time idle_at = next.idle_at;
    const bool waits = pair_queues_[index].head != kNone && pair_queues_[index].is_blocked();
    if ((idle_at <= at && waits) || is_empty(packets_[packet]) || !comes_ahead(index + 1, round)) {
      ++next.without_grant;
      break;
    }
    at = begin_granted(packet, ++index, std::max(idle_at, at), at, false, round);
  }
  const PairQueue& from = pair_queues_[index];
  if (from.last && !from.first && !from.ends_service && packets_[packet].last == 0)
    free_packet(packet);  // nobody waits for it, and the window of its pair opens when somebody asks
  else
    push(round, at, kLeaves | packet);
  return index == first;
}

// The source makes the next packet when it begins the service of the one before.
void StoreAndForward::begin_at_source(std::uint32_t index, const Round& round) {
  const std::uint32_t of = packets_[index].message;
  Message& message = messages_[of];
  if (message.piecewise) note(Notification::Kind::kPacketTaken, message, payload(packets_[index]));
  note_begin(packets_[index]);
  if (packets_[index].last != 0) return;
  message.starved = !next_is_available(message);
  if (message.starved) return;
  const std::uint32_t next = new_packet(of);
  const std::uint32_t first = pairs_[message.pair].first;
  packets_[next].pair_queue = first;
  PairQueue& pair_queue = pair_queues_[first];
  if (pair_queue.under_way > 0) open(first, round);
  if (pair_queue.under_way > 0) watch_window(first, round);
  append(next, pair_queue);
  if (!may_be_granted(pair_queue, round)) return;
  ComponentState& server = servers_[pair_queue.component];
  if (server.grants == packets::Grants::kDecided)
    join(first, server, round.at);
  else
    enter(first, round);
}

// By a grant that was given: with the decisions of the round.
void StoreAndForward::begin_given(std::uint32_t packet, const Round& round) {
  PairQueue& pair_queue = pair_queues_[pairs_[messages_[packets_[packet].message].pair].first];
  if (pair_queue.grant <= round.at) pair_queue.grant = PairQueue::kLongAgo;
  begin_at_source(packet, round);
}

// Whether somebody is to be told when it begins its service at the source.
bool StoreAndForward::is_told(const Packet& packet, const Message& message) {
  return packet.number == message.buffers || (packet.last != 0 && message.tells_sent);
}

// Of its service at the source.
void StoreAndForward::note_begin(const Packet& packet) {
  const Message& message = messages_[packet.message];
  if (packet.number == message.buffers) note(Notification::Kind::kBuffered, message, {});
  if (packet.last != 0 && message.tells_sent) note(Notification::Kind::kSent, message, {});
}

void StoreAndForward::note(Notification::Kind kind, const Message& message, Bytes bytes) {
  notes_.push_back({message.order(), place_of(kind), {kind, message.id, bytes}});
}

void StoreAndForward::give_notes(std::vector<Notification>& out) {
  if (notes_.size() > 1)
    std::sort(notes_.begin(), notes_.end(),
              [](const Note& a, const Note& b) { return std::tie(a.order, a.place) < std::tie(b.order, b.place); });
  for (const Note& each : notes_) out.push_back(each.notification);
  notes_.clear();
}

}  // namespace plumbline::hw
