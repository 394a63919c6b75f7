#include "hwmodels/network/packets/fall_back.hpp"

#include <algorithm>
#include <optional>

#include "hwmodels/network/packets/express.hpp"
#include "hwmodels/network/packets/grants.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/send_queues.hpp"
#include "hwmodels/network/packets/steps.hpp"
#include "hwmodels/network/packets/waiting.hpp"

namespace plumbline::hw::packets {
namespace {

void clear_components(State& state, Pair& pair, const Round& round) {
  for (std::uint32_t hop = pair.express_from; hop < pair.hops; ++hop) {
    ComponentState& server = state.servers[state.pair_queues[pair.first + hop].component];
    server.idle_at = std::min(server.idle_at, round.at);
    server.returning = kNone;
    server.wakes = false;
  }
}

// At its entry.
void place_waiting(State& state, Pair& pair, std::size_t i, std::uint32_t index, const Round& round) {
  const ExpressPacket& express = state.express.flows[pair.flow][i];
  const bool has_arrived = express.arrival < Instant{round.at, round.number};
  if (express.ahead && !has_arrived) {  // not made yet
    const Packet& packet = state.packets[index];
    Message& message = state.messages[packet.message];
    message.left += packet.size;
    message.available += packet.size;
    --message.packets;
    return free_packet(state, index);
  }
  const std::uint32_t pair_queue = pair.first + express.entry;
  count_without_grant(state, pair_queue, 1);
  if (!has_arrived) return wait(state, index, pair_queue, round);
  state.packets[index].pair_queue = pair_queue;
  append(state, index, state.pair_queues[pair_queue]);
}

// In service at `hop`, on its way from there to the next one, or waiting there.
void place_taken(State& state, Pair& pair, std::size_t i, std::uint32_t hop, std::uint32_t index, const Round& round) {
  const Instant now{round.at, round.number};
  const Passage& passage = state.express.flows[pair.flow].passage(i, hop);
  PairQueue& pair_queue = state.pair_queues[pair.first + hop];
  Packet& packet = state.packets[index];
  packet.service = passage.service;
  packet.pair_queue = pair.first + hop;
  pair_queue.used += passage.service;
  ++pair_queue.under_way;
  const Time leaves =
      pair_queue.last ? passage.end().at : passage.end().at + state.servers[pair_queue.component].latency;
  if (pair_queue.last)
    pair.delivers = leaves;
  else
    count_without_grant(state, packet.pair_queue + 1, 1);
  if (Instant{leaves, 0} >= now) {
    emit(state, round, leaves, kLeaves | index);
    if (pair_queue.ends_service) state.servers[pair_queue.component].wakes = true;
    return;
  }
  packet.pair_queue = pair.first + hop + 1;
  append(state, index, state.pair_queues[packet.pair_queue]);
}

// A number for the packet that no signal to come knows.
std::uint32_t renew(State& state, std::uint32_t old) {
  if (state.packets[old].next == 0) return old;
  const std::uint32_t index = packet_slot(state);
  state.packets[index] = state.packets[old];
  state.packets[old].pair_queue = kNone;
  return index;
}

void place(State& state, Pair& pair, std::size_t i, const Round& round) {
  const ExpressFlow& flow = state.express.flows[pair.flow];
  const Instant now{round.at, round.number};
  const ExpressPacket& express = flow[i];
  const Bytes size = state.packets[express.packet].size;
  std::uint32_t next = express.entry;  // the first hop that has not taken it
  while (next < pair.hops && flow.passage(i, next).begin < now) {
    const Passage& passage = flow.passage(i, next);
    state.servers[state.pair_queues[pair.first + next].component].idle_at = passage.end().at;
    if (state.options.watched)
      state.use.granted.add({round.at, passage.begin.at, passage.service, size, pair.first + next}, round.at);
    if (has_send_queues(state)) count_turn(state, pair.first + next, size, {passage.begin.at, passage.end().at}, false);
    ++next;
  }
  for (std::uint32_t hop = next; hop < pair.hops; ++hop) {
    ComponentState& server = state.servers[state.pair_queues[pair.first + hop].component];
    server.busy_time -= flow.passage(i, hop).service;
    server.served = server.served - size;
    --state.services;
  }
  if (next == pair.hops && Instant{express.end, 0} < now) return free_packet(state, express.packet);
  const bool releases = (state.packets[express.packet].next & 1U << (kReleases >> kKindShift)) != 0;
  const std::uint32_t packet = renew(state, express.packet);
  if (next == express.entry) return place_waiting(state, pair, i, packet, round);
  // Its signal is of this round, or it would not be to come.
  if (releases) release(state, {pair.first + express.entry - 1, state.packets[packet].service});
  place_taken(state, pair, i, next - 1, packet, round);
}

void wake(State& state, std::uint32_t component, const Round& round) {
  ComponentState& server = state.servers[component];
  if (server.wakes) return;
  server.wakes = true;
  emit(state, round, server.idle_at, kWakes | component);
}

// In the list of its server.
void take_place(State& state, std::uint32_t index, const Round& round) {
  ComponentState& server = state.servers[state.pair_queues[index].component];
  if (grants_service(server)) return grant_service(state, index, server.idle_at, false, round);
  join(state, index, server, round.at);
  wake(state, state.pair_queues[index].component, round);
}

// When the service in hand ends.
void come_back(State& state, std::uint32_t index, const Round& round) {
  ComponentState& server = state.servers[state.pair_queues[index].component];
  if (server.grants != Grants::kDecided) return emit(state, round, server.idle_at, kReturns | index);
  server.returning = index;
  wake(state, state.pair_queues[index].component, round);
}

// A pair queue whose packets wait is in the list of its server, comes back to it at the end of the service in hand, or
// joins it in this round.
void take_grant(State& state, Pair& pair, std::uint32_t hop, const Round& round) {
  const Instant now{round.at, round.number};
  const ExpressFlow& flow = state.express.flows[pair.flow];
  const std::uint32_t index = pair.first + hop;
  const PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.head == kNone || pair_queue.is_blocked() || (pair_queue.fresh && pair_queue.head == pair_queue.tail))
    return;
  std::size_t taken = flow.size();  // the last packet that began here
  while (taken > 0 && (flow[taken - 1].entry > hop || flow.passage(taken - 1, hop).begin >= now)) --taken;
  PLUMBLINE_CHECK(taken > 0, "a packet waits at an idle component");
  --taken;
  if ((flow[taken].blocked >> hop & 1) != 0) {
    const std::optional<Instant> open = flow.reopening(taken, hop, pair_queue);
    if (open && *open == now) return be_candidate(state, index);
    take_place(state, index, round);
  } else {
    const Instant begin = flow.passage(taken, hop).begin;
    bool has_joined = false;  // by an arrival while the server was busy
    for (std::size_t i = taken + 1; i < flow.size(); ++i) {
      const Instant arrival = flow.arrival(i, hop);
      if (arrival >= now) break;
      has_joined = has_joined || arrival > begin || (hop == 0 && flow[i].ahead);
    }
    if (has_joined)
      take_place(state, index, round);
    else
      come_back(state, index, round);
  }
}

}  // namespace

void fall_back_to_packets(State& state, Pair& pair, const Round& round) {
  const std::uint32_t from = pair.express_from;
  clear_components(state, pair, round);
  ExpressFlow& flow = state.express.flows[pair.flow];
  for (std::size_t i = 0; i < flow.size(); ++i) place(state, pair, i, round);
  for (std::uint32_t hop = from; hop < pair.hops; ++hop) take_grant(state, pair, hop, round);
  while (!flow.empty()) flow.pop_front();
  give_back(state, pair);
}

}  // namespace plumbline::hw::packets
