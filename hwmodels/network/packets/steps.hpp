#pragma once
// The small steps of a packet's way through the store-and-forward network, which are taken at every component: inline,
// because a call costs more than most of them.

#include <utility>

#include "hwmodels/network/packets/store_and_forward.hpp"

namespace plumbline::hw {

// Due at `at`; of the present in the next round.
inline void StoreAndForward::push(const Round& round, Time at, std::uint32_t signal) {
  round.queue.push_signal({at, at == round.at ? round.number + 1 : 0, signal});
}

inline void StoreAndForward::note_use(std::uint32_t component) {
  if (std::exchange(servers_[component].noted, true)) return;
  used_.push_back(component);
}

inline void StoreAndForward::note_waiting(std::uint32_t pair_queue) {
  if (std::exchange(pair_queues_[pair_queue].noted, true)) return;
  waited_in_.push_back(pair_queue);
}

// To the packets that wait in the pair queue, which it names.
[[gnu::always_inline]] inline void StoreAndForward::append(std::uint32_t packet, PairQueue& pair_queue) {
  packets_[packet].next = kNone;
  if (pair_queue.head == kNone)
    pair_queue.head = packet;
  else
    packets_[pair_queue.tail].next = packet;
  pair_queue.tail = packet;
  if (options_.watched) note_waiting(packets_[packet].pair_queue);
}

[[gnu::always_inline]] inline void StoreAndForward::be_candidate(std::uint32_t pair_queue) {
  if (pair_queues_[pair_queue].candidate) return;
  pair_queues_[pair_queue].candidate = true;
  candidates_.push_back(pair_queue);
}

inline void StoreAndForward::free_packet(std::uint32_t packet) {
  packets_[packet].next = free_packets_;
  free_packets_ = packet;
}

// A service that begins at `begin`, of a packet that comes at `arrival`, or has come before the present.
[[gnu::always_inline]] inline void StoreAndForward::serve(std::uint32_t index, std::uint32_t taken, Time begin,
                                                          Time arrival) {
  PairQueue& pair_queue = pair_queues_[index];
  ComponentState& server = servers_[pair_queue.component];
  Packet& packet = packets_[taken];
  const Duration service = service_time(pair_queue, packet.size);
  packet.pair_queue = index;
  packet.service = service;
  pair_queue.used += service;
  ++pair_queue.under_way;
  server.idle_at = begin + service;
  server.busy_time += service;
  server.served += packet.size;
  ++services_;
  if (!options_.watched) return;
  note_use(pair_queue.component);
  granted_.add({arrival, begin, service, packet.size, index}, queue_->now());
}

// The next pair queue has taken a packet (or the target has consumed it): its service time leaves the window.
[[gnu::always_inline]] inline void StoreAndForward::release(const Release& release) {
  PairQueue& pair_queue = pair_queues_[release.pair_queue];
  const bool was_blocked = pair_queue.is_blocked();
  pair_queue.used -= release.service;
  --pair_queue.under_way;
  if (pair_queue.head != kNone && was_blocked && !pair_queue.is_blocked()) be_candidate(release.pair_queue);
}

// In the list of its server: the grant that it has is not taken before the decisions of round 0.
inline bool StoreAndForward::is_queued(const PairQueue& pair_queue, const Round& round) {
  return pair_queue.grant > round.at || (pair_queue.grant == round.at && round.number == 0);
}

// Gives a pair queue the part of its window back that the next one owes, or what it has delivered, if the time has
// come.
[[gnu::always_inline]] inline void StoreAndForward::open(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.last) return open_target(index, round);
  PairQueue& next = pair_queues_[index + 1];
  if (next.owed.ps != 0 && !is_queued(next, round)) release({index, std::exchange(next.owed, {})});
}

// Whether a pair queue that would wait for the server is told its grant at once.
inline bool StoreAndForward::grants_service(const ComponentState& server) {
  return server.grants != packets::Grants::kDecided && server.grant == kNone;
}

// Whether a packet that waits there may be told its grant, or its pair queue join the list: the pair has no other grant
// to come, unless no other pair can come between.
inline bool StoreAndForward::may_be_granted(const PairQueue& pair_queue, const Round& round) {
  if (pair_queue.whole) return pair_queue.grant != PairQueue::kNever;
  return !is_queued(pair_queue, round) && !pair_queue.is_blocked();
}

inline void StoreAndForward::count_without_grant(std::uint32_t index, int more) {
  ComponentState& server = servers_[pair_queues_[index].component];
  if (server.grants == packets::Grants::kPreGranted) server.without_grant += static_cast<std::uint32_t>(more);
}

// Gives a packet, which comes at `arrival` or has come before, its grant at a pair queue. It leaves that at the time
// that is returned.
[[gnu::always_inline]] inline Time StoreAndForward::begin_granted(std::uint32_t packet, std::uint32_t index, Time begin,
                                                                  Time arrival, bool at_once, const Round& round) {
  PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.owed.ps != 0) open(index - 1, round);
  PLUMBLINE_CHECK(pair_queue.owed.ps == 0, "a station has one turn at a time");
  const Duration before = packets_[packet].service;
  if (pair_queue.last)
    pair_queue.used = {}, pair_queue.under_way = 0;  // what it has taken is delivered before this begins
  serve(index, packet, begin, arrival);
  pair_queue.grant = at_once ? PairQueue::kLongAgo : begin;
  pair_queue.next_waiting = packet;
  if (pair_queue.first) {
    announce_begin(packet, begin, at_once, round);
  } else if (at_once) {
    releases_.push_back({index - 1, before});
  } else {
    pair_queue.owed = before;
    const PairQueue& previous = pair_queues_[index - 1];
    if (previous.head != kNone && previous.is_blocked()) round.queue.push_signal({begin, 1, kOpens | (index - 1)});
  }
  const ComponentState& server = servers_[pair_queue.component];
  if (!pair_queue.last) return server.idle_at + server.latency;
  return pairs_[pair_queue.pair].delivers = server.idle_at;
}

// What leave() and admit() come to, in one go, for a packet that is alone at a switch, and nothing of its pair is
// before it there and at the cable behind it: so most packets find a fabric. False: it is not so, and nothing is done.
inline bool StoreAndForward::passes(std::uint32_t packet, std::uint32_t from, const Round& round) {
  const PairQueue *here = &pair_queues_[from], *next = here + 1;
  if (here->last || next->last || here->ends_service || is_empty(packets_[packet])) return false;
  if (!knows_two_grants(from + 1, round)) return false;
  take_two(packet, from + 1, round);
  return true;
}

}  // namespace plumbline::hw
