// The end of an express ride: each packet of the flow is put where the pair queues would have it by now. "By now" is
// before the decisions of the round in hand: what began earlier has begun, all else has not. The grants of a server
// need no more than its one pair: others come later.

#include <algorithm>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

using packets::Grants;

void StoreAndForward::fall_back_to_packets(Pair& pair, const Round& round) {
  const std::uint32_t from = pair.express_from;
  clear_components(pair, round);
  ExpressFlow& flow = flows_[pair.flow];
  for (std::size_t i = 0; i < flow.size(); ++i) place(pair, i, round);
  for (std::uint32_t hop = from; hop < pair.hops; ++hop) take_grant(pair, hop, round);
  while (!flow.empty()) flow.pop_front();
  give_back(pair);
}

void StoreAndForward::clear_components(Pair& pair, const Round& round) {
  for (std::uint32_t hop = pair.express_from; hop < pair.hops; ++hop) {
    ComponentState& server = servers_[pair_queues_[pair.first + hop].component];
    server.idle_at = std::min(server.idle_at, round.at);
    server.returning = kNone;
    server.wakes = false;
  }
}

void StoreAndForward::place(Pair& pair, std::size_t i, const Round& round) {
  const ExpressFlow& flow = flows_[pair.flow];
  const Instant now{round.at, round.number};
  const ExpressPacket& express = flow[i];
  const Bytes size = packets_[express.packet].size;
  std::uint32_t next = express.entry;  // the first hop that has not taken it
  while (next < pair.hops && flow.passage(i, next).begin < now) {
    const Passage& passage = flow.passage(i, next);
    servers_[pair_queues_[pair.first + next].component].idle_at = passage.end().at;
    if (options_.watched)
      granted_.add({round.at, passage.begin.at, passage.service, size, pair.first + next}, round.at);
    if (has_send_queues()) count_turn(pair.first + next, size, {passage.begin.at, passage.end().at}, false);
    ++next;
  }
  for (std::uint32_t hop = next; hop < pair.hops; ++hop) {
    ComponentState& server = servers_[pair_queues_[pair.first + hop].component];
    server.busy_time -= flow.passage(i, hop).service;
    server.served = server.served - size;
    --services_;
  }
  if (next == pair.hops && Instant{express.end, 0} < now) return free_packet(express.packet);
  const bool releases = (packets_[express.packet].next & 1U << (kReleases >> kKindShift)) != 0;
  const std::uint32_t packet = renew(express.packet);
  if (next == express.entry) return place_waiting(pair, i, packet, round);
  // Its signal is of this round, or it would not be to come.
  if (releases) release({pair.first + express.entry - 1, packets_[packet].service});
  place_taken(pair, i, next - 1, packet, round);
}

// At its entry.
void StoreAndForward::place_waiting(Pair& pair, std::size_t i, std::uint32_t index, const Round& round) {
  const ExpressPacket& express = flows_[pair.flow][i];
  const bool has_arrived = express.arrival < Instant{round.at, round.number};
  if (express.ahead && !has_arrived) {  // not made yet
    const Packet& packet = packets_[index];
    Message& message = messages_[packet.message];
    message.left += packet.size;
    message.available += packet.size;
    --message.packets;
    return free_packet(index);
  }
  const std::uint32_t pair_queue = pair.first + express.entry;
  count_without_grant(pair_queue, 1);
  if (!has_arrived) return wait(index, pair_queue, round);
  packets_[index].pair_queue = pair_queue;
  append(index, pair_queues_[pair_queue]);
}

// In service at `hop`, on its way from there to the next one, or waiting there.
void StoreAndForward::place_taken(Pair& pair, std::size_t i, std::uint32_t hop, std::uint32_t index,
                                  const Round& round) {
  const Instant now{round.at, round.number};
  const Passage& passage = flows_[pair.flow].passage(i, hop);
  PairQueue& pair_queue = pair_queues_[pair.first + hop];
  Packet& packet = packets_[index];
  packet.service = passage.service;
  packet.pair_queue = pair.first + hop;
  pair_queue.used += passage.service;
  ++pair_queue.under_way;
  const Time leaves = pair_queue.last ? passage.end().at : passage.end().at + servers_[pair_queue.component].latency;
  if (pair_queue.last)
    pair.delivers = leaves;
  else
    count_without_grant(packet.pair_queue + 1, 1);
  if (Instant{leaves, 0} >= now) {
    emit(round, leaves, kLeaves | index);
    if (pair_queue.ends_service) servers_[pair_queue.component].wakes = true;
    return;
  }
  packet.pair_queue = pair.first + hop + 1;
  append(index, pair_queues_[packet.pair_queue]);
}

// A pair queue whose packets wait is in the list of its server, comes back to it at the end of the service in hand, or
// joins it in this round.
void StoreAndForward::take_grant(Pair& pair, std::uint32_t hop, const Round& round) {
  const Instant now{round.at, round.number};
  const ExpressFlow& flow = flows_[pair.flow];
  const std::uint32_t index = pair.first + hop;
  const PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.head == kNone || pair_queue.is_blocked() || (pair_queue.fresh && pair_queue.head == pair_queue.tail))
    return;
  std::size_t taken = flow.size();  // the last packet that began here
  while (taken > 0 && (flow[taken - 1].entry > hop || flow.passage(taken - 1, hop).begin >= now)) --taken;
  PLUMBLINE_CHECK(taken > 0, "a packet waits at an idle component");
  --taken;
  if ((flow[taken].blocked >> hop & 1) != 0) {
    const std::optional<Instant> open = flow.reopening(taken, hop, pair_queue);
    if (open && *open == now) return be_candidate(index);
    take_place(index, round);
  } else {
    const Instant begin = flow.passage(taken, hop).begin;
    bool has_joined = false;  // by an arrival while the server was busy
    for (std::size_t i = taken + 1; i < flow.size(); ++i) {
      const Instant arrival = flow.arrival(i, hop);
      if (arrival >= now) break;
      has_joined = has_joined || arrival > begin || (hop == 0 && flow[i].ahead);
    }
    if (has_joined)
      take_place(index, round);
    else
      come_back(index, round);
  }
}

// In the list of its server.
void StoreAndForward::take_place(std::uint32_t index, const Round& round) {
  ComponentState& server = servers_[pair_queues_[index].component];
  if (grants_service(server)) return grant_service(index, server.idle_at, false, round);
  join(index, server, round.at);
  wake(pair_queues_[index].component, round);
}

// When the service in hand ends.
void StoreAndForward::come_back(std::uint32_t index, const Round& round) {
  ComponentState& server = servers_[pair_queues_[index].component];
  if (server.grants != Grants::kDecided) return emit(round, server.idle_at, kReturns | index);
  server.returning = index;
  wake(pair_queues_[index].component, round);
}

void StoreAndForward::wake(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  if (server.wakes) return;
  server.wakes = true;
  emit(round, server.idle_at, kWakes | component);
}

// A number for the packet that no signal to come knows.
std::uint32_t StoreAndForward::renew(std::uint32_t old) {
  if (packets_[old].next == 0) return old;
  const std::uint32_t index = packet_slot();
  packets_[index] = packets_[old];
  packets_[old].pair_queue = kNone;
  return index;
}

// For a time that has not come, or for this round.
void StoreAndForward::emit(const Round& round, Time at, std::uint32_t signal) {
  if (at == round.at && in_round_)
    emitted_.push_back(signal);
  else
    round.queue.push_signal({at, 0, signal});
}

}  // namespace plumbline::hw
