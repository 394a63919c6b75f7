// The express path of the store-and-forward network: which pairs may take it, and what their packets do on it. How they
// come back to the pair queues: fall_back.cpp.

#include <algorithm>
#include <utility>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

namespace {

constexpr int kPreGranted = 16;  // packets that a source makes at a time; any number gives the same times

}  // namespace

void StoreAndForward::end_of_beginnings() {
  for (const std::uint32_t message : beginning_) pairs_[messages_[message].pair].beginning = 0;
  beginning_.clear();
}

// Takes from the express path what cannot stay there when this message begins.
void StoreAndForward::make_way(const Message& message, const Round& round) {
  Pair& pair = pairs_[message.pair];
  pair.barred += message.barred ? 1 : 0;
  ++pair.beginning;
  if (message.is_long) ++long_messages_;
  if (long_messages_ > 0 || idle_registered_ > 2 * (messages_under_way_ - 1)) unregister_idle();
  if (pair.messages++ == 0) {
    if (!pair.stays_registered) return use_components(message.pair, round);
    pair.stays_registered = false;
    --idle_registered_;
    return;
  }
  if (pair.express_from == pair.hops) return;
  // Messages of one pair take grants at the source, and only what is in the flow already goes in order.
  ExpressFlow& flow = flows_[pair.flow];
  const Instant now{round.at, round.number};
  const bool is_made = flow.empty() || (packets_[flow.back().packet].last != 0 && flow.back().arrival < now);
  const bool at_source = pair.express_from == 0 && (!is_made || pair.beginning > 1);
  if (message.barred || at_source) fall_back_to_packets(pair, round);
}

void StoreAndForward::use_components(std::uint32_t index, const Round& round) {
  Pair& pair = pairs_[index];
  pair.stale = true;
  for (std::uint32_t hop = 0; hop < pair.hops; ++hop) {
    packets::Users& users = users_[components_[pair.first + hop]];
    if (++users.count == 2) disturbed_.push_back(users.only);
    users.only ^= index;
  }
  for (const std::uint32_t other : disturbed_) pairs_[other].stale = true;
  for (const std::uint32_t other : disturbed_)
    if (pairs_[other].stale) keep_to_what_is_alone(pairs_[other], round);
  disturbed_.clear();
}

void StoreAndForward::leave_components(std::uint32_t index) {
  Pair& pair = pairs_[index];
  for (std::uint32_t hop = 0; hop < pair.hops; ++hop) {
    packets::Users& users = users_[components_[pair.first + hop]];
    users.only ^= index;
    if (--users.count == 1) pairs_[users.only].stale = true;
  }
}

// A pair without messages remains a user of its components for a while, because many pairs send again soon. So somebody
// may find a component in use that is not, and stay off the express path, which changes no time. But where few messages
// are under way, or long ones, it would cost more than it saves.
void StoreAndForward::stay_registered(std::uint32_t index) {
  Pair& pair = pairs_[index];
  if (pair.flow != kNone) give_back(pair);
  if (long_messages_ > 0) return leave_components(index);
  pair.stays_registered = true;
  ++idle_registered_;
  if (!std::exchange(pair.listed, true)) stay_registered_.push_back(index);
}

void StoreAndForward::unregister_idle() {
  for (const std::uint32_t index : stay_registered_) {
    pairs_[index].listed = false;
    if (std::exchange(pairs_[index].stays_registered, false)) leave_components(index);
  }
  stay_registered_.clear();
  idle_registered_ = 0;
}

void StoreAndForward::find_alone(Pair& pair) {
  pair.stale = false;
  pair.alone_from = pair.hops;
  if (pair.hops > ExpressFlow::kMostHops) return;
  while (pair.alone_from > 0) {
    const std::uint32_t component = components_[pair.first + pair.alone_from - 1];
    if (users_[component].count != 1 || servers_[component].held > 0) return;
    --pair.alone_from;
  }
}

void StoreAndForward::keep_to_what_is_alone(Pair& pair, const Round& round) {
  find_alone(pair);
  if (pair.express_from < pair.alone_from) fall_back_to_packets(pair, round);
}

// A packet that arrives at the pair queue. In a single component one packet needs one event either way.
bool StoreAndForward::takes_express(std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  Pair& pair = pairs_[pair_queues_[pair_queue].pair];
  if (pair.hops == 1 && pair.express_from == 1 && packets_[packet].last != 0) return false;
  if (pair.stale) find_alone(pair);
  const std::uint32_t hop = pair_queue - pair.first;
  PLUMBLINE_CHECK(hop <= pair.express_from, "a packet overtakes those on the express path");
  if (hop < pair.alone_from || pair.barred > 0) return false;
  if (hop == 0 && pair.beginning > 1) return false;
  return is_empty(pair, hop, pair.express_from, round);
}

// No packet is in the pair queues of these hops, nor on its way from them to the next ones.
bool StoreAndForward::is_empty(const Pair& pair, std::uint32_t from, std::uint32_t to, const Round& round) {
  for (std::uint32_t hop = from; hop < to; ++hop) {
    const PairQueue& pair_queue = pair_queues_[pair.first + hop];
    if (pair_queue.under_way > 0) open(pair.first + hop, round);
    if (pair_queue.under_way > 0 || pair_queue.head != kNone) return false;
  }
  return true;
}

void StoreAndForward::go_express(std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  Pair& pair = pairs_[pair_queues_[pair_queue].pair];
  if (pair.flow == kNone) {
    if (free_flows_.empty()) {
      free_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
      flows_.emplace_back();
    }
    pair.flow = free_flows_.back();
    free_flows_.pop_back();
    latencies_.clear();
    for (std::uint32_t hop = 0; hop < pair.hops; ++hop)
      latencies_.push_back(servers_[pair_queues_[pair.first + hop].component].latency);
    flows_[pair.flow].start(latencies_);
  }
  count_without_grant(pair_queue, -1);
  const std::uint32_t hop = pair_queue - pair.first;
  pair.express_from = hop;
  pass(pair, packet, {packet, hop, {round.at, round.number}, false}, round);
  if (hop == 0) make_ahead(pair, round);
}

// Through all hops from the entry on.
void StoreAndForward::pass(Pair& pair, std::uint32_t index, ExpressPacket express, const Round& round) {
  ExpressFlow& flow = flows_[pair.flow];
  retire(pair, round.at);
  flow.push_back(express);
  const std::size_t last = flow.size() - 1;
  Packet& packet = packets_[index];
  packet.pair_queue = pair.first + express.entry;
  packet.next = 0;
  for (std::uint32_t hop = express.entry; hop < pair.hops; ++hop)
    flow.passage(last, hop).service = service_time(pair_queues_[pair.first + hop], packet.size);
  flow.advance(&pair_queues_[pair.first]);
  for (std::uint32_t hop = express.entry; hop < pair.hops; ++hop) {
    const Passage& passage = flow.passage(last, hop);
    ComponentState& server = servers_[pair_queues_[pair.first + hop].component];
    server.idle_at = passage.end().at;
    server.busy_time += passage.service;
    server.served += packet.size;
    if (options_.watched) note_use(components_[pair.first + hop]);
  }
  services_ += pair.hops - express.entry;

  const Instant now{round.at, round.number}, begin = flow.passage(last, express.entry).begin;
  if (express.entry > 0) {
    if (begin == now)
      releases_.push_back({packet.pair_queue - 1, packet.service});
    else
      announce(index, kReleases, flow.passage(last, express.entry).release(), round);
  } else if (begin == now) {
    note_begin(packet);
  } else if (is_told(packet, messages_[packet.message])) {
    announce(index, kSends, begin, round);
  }
  if (packet.last != 0) announce(index, kFinishes, {flow.back().end, 0}, round);
}

// A signal of a packet in the flow; which ones are to come is kept, so that they can be cancelled.
void StoreAndForward::announce(std::uint32_t packet, std::uint32_t kind, Instant at, const Round& round) {
  packets_[packet].next |= 1U << (kind >> kKindShift);
  round.queue.push_signal({at.at, at.round, kind | packet});
}

void StoreAndForward::make_ahead(Pair& pair, const Round& round) {
  ExpressFlow& flow = flows_[pair.flow];
  std::uint32_t newest = flow.back().packet;
  for (int i = 0; i < kPreGranted && packets_[newest].last == 0; ++i) {
    const Instant made = flow.passage(flow.size() - 1, 0).begin;
    newest = new_packet(packets_[newest].message);
    pass(pair, newest, {newest, 0, made, true}, round);
  }
  if (packets_[newest].last == 0) announce(newest, kContinues, flow.passage(flow.size() - 1, 0).begin, round);
}

bool StoreAndForward::is_cancelled(std::uint32_t index, std::uint32_t kind) {
  Packet& packet = packets_[index];
  packet.next &= ~(1U << (kind >> kKindShift));
  if (packet.pair_queue != kNone) return false;
  if (packet.next == 0) free_packet(index);
  return true;
}

void StoreAndForward::update_express(const Round& round, std::uint32_t kind, std::uint32_t index) {
  if (is_cancelled(index, kind)) return;
  const Packet& packet = packets_[index];
  switch (kind) {
    case kReleases:
      return release({packet.pair_queue - 1, packet.service});
    case kSends:
      return note_begin(packet);
    case kContinues:
      return make_ahead(pairs_[messages_[packet.message].pair], round);
    default:
      return finish(index);
  }
}

// Forgets packets that have left. The last one of a message waits for its signal.
void StoreAndForward::retire(Pair& pair, Time now) {
  ExpressFlow& flow = flows_[pair.flow];
  while (!flow.empty() && flow.front().end < now && packets_[flow.front().packet].last == 0) {
    free_packet(flow.front().packet);
    flow.pop_front();
  }
}

void StoreAndForward::finish(std::uint32_t index) {
  const std::uint32_t message = packets_[index].message;
  ExpressFlow& flow = flows_[pairs_[messages_[message].pair].flow];
  bool is_out = false;
  while (!is_out) {
    is_out = flow.front().packet == index;
    free_packet(flow.front().packet);
    flow.pop_front();
  }
  end_message(message);
}

void StoreAndForward::give_back(Pair& pair) {
  ExpressFlow& flow = flows_[pair.flow];
  for (; !flow.empty(); flow.pop_front()) free_packet(flow.front().packet);
  free_flows_.push_back(pair.flow);
  pair.flow = kNone;
  pair.express_from = pair.hops;
}

}  // namespace plumbline::hw
