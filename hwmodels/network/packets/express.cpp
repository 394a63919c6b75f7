#include "hwmodels/network/packets/express.hpp"

#include "hwmodels/network/packets/fall_back.hpp"
#include "hwmodels/network/packets/grants.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/steps.hpp"
#include "hwmodels/network/packets/users.hpp"

namespace plumbline::hw::packets {
namespace {

constexpr int kMadeAhead = 16;  // packets that a source makes at a time; any number gives the same times

// No packet is in the pair queues of these hops, nor on its way from them to the next ones.
bool is_clear(State& state, const Pair& pair, std::uint32_t from, std::uint32_t to, const Round& round) {
  for (std::uint32_t hop = from; hop < to; ++hop) {
    const PairQueue& pair_queue = state.pair_queues[pair.first + hop];
    if (pair_queue.under_way > 0) open(state, pair.first + hop, round);
    if (pair_queue.under_way > 0 || pair_queue.head != kNone) return false;
  }
  return true;
}

// A signal of a packet in the flow; which ones are to come is kept, so that they can be cancelled.
void announce(State& state, std::uint32_t packet, std::uint32_t kind, Instant at, const Round& round) {
  state.packets[packet].next |= 1U << (kind >> kKindShift);
  round.queue.push_signal({at.at, at.round, kind | packet});
}

// Forgets packets that have left. The last one of a message waits for its signal.
void retire(State& state, Pair& pair, Time now) {
  ExpressFlow& flow = state.express.flows[pair.flow];
  while (!flow.empty() && flow.front().end < now && state.packets[flow.front().packet].last == 0) {
    free_packet(state, flow.front().packet);
    flow.pop_front();
  }
}

// Through all hops from the entry on.
void pass(State& state, Pair& pair, std::uint32_t index, ExpressPacket express, const Round& round) {
  ExpressFlow& flow = state.express.flows[pair.flow];
  retire(state, pair, round.at);
  flow.push_back(express);
  const std::size_t last = flow.size() - 1;
  Packet& packet = state.packets[index];
  packet.pair_queue = pair.first + express.entry;
  packet.next = 0;
  for (std::uint32_t hop = express.entry; hop < pair.hops; ++hop)
    flow.passage(last, hop).service = service_time(state, state.pair_queues[pair.first + hop], packet.size);
  flow.advance(&state.pair_queues[pair.first]);
  for (std::uint32_t hop = express.entry; hop < pair.hops; ++hop) {
    const Passage& passage = flow.passage(last, hop);
    ComponentState& server = state.servers[state.pair_queues[pair.first + hop].component];
    server.idle_at = passage.end().at;
    server.busy_time += passage.service;
    server.served += packet.size;
    if (state.options.watched) note_use(state, state.components[pair.first + hop]);
  }
  state.services += pair.hops - express.entry;

  const Instant now{round.at, round.number}, begin = flow.passage(last, express.entry).begin;
  if (express.entry > 0) {
    if (begin == now)
      state.work.releases.push_back({packet.pair_queue - 1, packet.service});
    else
      announce(state, index, kReleases, flow.passage(last, express.entry).release(), round);
  } else if (begin == now) {
    note_begin(state, packet);
  } else if (is_told(packet, state.messages[packet.message])) {
    announce(state, index, kSends, begin, round);
  }
  if (packet.last != 0) announce(state, index, kFinishes, {flow.back().end, 0}, round);
}

void make_ahead(State& state, Pair& pair, const Round& round) {
  ExpressFlow& flow = state.express.flows[pair.flow];
  std::uint32_t newest = flow.back().packet;
  for (int i = 0; i < kMadeAhead && state.packets[newest].last == 0; ++i) {
    const Instant made = flow.passage(flow.size() - 1, 0).begin;
    newest = new_packet(state, state.packets[newest].message);
    pass(state, pair, newest, {newest, 0, made, true}, round);
  }
  if (state.packets[newest].last == 0)
    announce(state, newest, kContinues, flow.passage(flow.size() - 1, 0).begin, round);
}

bool is_cancelled(State& state, std::uint32_t index, std::uint32_t kind) {
  Packet& packet = state.packets[index];
  packet.next &= ~(1U << (kind >> kKindShift));
  if (packet.pair_queue != kNone) return false;
  if (packet.next == 0) free_packet(state, index);
  return true;
}

void finish(State& state, std::uint32_t index) {
  const std::uint32_t message = state.packets[index].message;
  ExpressFlow& flow = state.express.flows[state.pairs[state.messages[message].pair].flow];
  bool is_out = false;
  while (!is_out) {
    is_out = flow.front().packet == index;
    free_packet(state, flow.front().packet);
    flow.pop_front();
  }
  end_message(state, message);
}

}  // namespace

void end_of_beginnings(State& state) {
  for (const std::uint32_t message : state.work.beginning) state.pairs[state.messages[message].pair].beginning = 0;
  state.work.beginning.clear();
}

void make_way(State& state, const Message& message, const Round& round) {
  Pair& pair = state.pairs[message.pair];
  pair.barred += message.barred ? 1 : 0;
  ++pair.beginning;
  if (message.is_long) ++state.express.long_messages;
  if (state.express.long_messages > 0 || state.express.idle_registered > 2 * (state.messages_under_way - 1))
    unregister_idle(state);
  if (pair.messages++ == 0) {
    if (!pair.stays_registered) return use_components(state, message.pair, round);
    pair.stays_registered = false;
    --state.express.idle_registered;
    return;
  }
  if (pair.express_from == pair.hops) return;
  // Messages of one pair take grants at the source, and only what is in the flow already goes in order.
  ExpressFlow& flow = state.express.flows[pair.flow];
  const Instant now{round.at, round.number};
  const bool is_made = flow.empty() || (state.packets[flow.back().packet].last != 0 && flow.back().arrival < now);
  const bool at_source = pair.express_from == 0 && (!is_made || pair.beginning > 1);
  if (message.barred || at_source) fall_back_to_packets(state, pair, round);
}

bool takes_express(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  Pair& pair = state.pairs[state.pair_queues[pair_queue].pair];
  if (pair.hops == 1 && pair.express_from == 1 && state.packets[packet].last != 0) return false;
  if (pair.stale) find_alone(state, pair);
  const std::uint32_t hop = pair_queue - pair.first;
  PLUMBLINE_CHECK(hop <= pair.express_from, "a packet overtakes those on the express path");
  if (hop < pair.alone_from || pair.barred > 0) return false;
  if (hop == 0 && pair.beginning > 1) return false;
  return is_clear(state, pair, hop, pair.express_from, round);
}

void go_express(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  Pair& pair = state.pairs[state.pair_queues[pair_queue].pair];
  if (pair.flow == kNone) {
    if (state.express.free_flows.empty()) {
      state.express.free_flows.push_back(static_cast<std::uint32_t>(state.express.flows.size()));
      state.express.flows.emplace_back();
    }
    pair.flow = state.express.free_flows.back();
    state.express.free_flows.pop_back();
    state.express.latencies.clear();
    for (std::uint32_t hop = 0; hop < pair.hops; ++hop)
      state.express.latencies.push_back(state.servers[state.pair_queues[pair.first + hop].component].latency);
    state.express.flows[pair.flow].start(state.express.latencies);
  }
  count_without_grant(state, pair_queue, -1);
  const std::uint32_t hop = pair_queue - pair.first;
  pair.express_from = hop;
  pass(state, pair, packet, {packet, hop, {round.at, round.number}, false}, round);
  if (hop == 0) make_ahead(state, pair, round);
}

void update_express(State& state, const Round& round, std::uint32_t kind, std::uint32_t index) {
  if (is_cancelled(state, index, kind)) return;
  const Packet& packet = state.packets[index];
  switch (kind) {
    case kReleases:
      return release(state, {packet.pair_queue - 1, packet.service});
    case kSends:
      return note_begin(state, packet);
    case kContinues:
      return make_ahead(state, state.pairs[state.messages[packet.message].pair], round);
    default:
      return finish(state, index);
  }
}

void give_back(State& state, Pair& pair) {
  ExpressFlow& flow = state.express.flows[pair.flow];
  for (; !flow.empty(); flow.pop_front()) free_packet(state, flow.front().packet);
  state.express.free_flows.push_back(pair.flow);
  pair.flow = kNone;
  pair.express_from = pair.hops;
}

}  // namespace plumbline::hw::packets
