#pragma once
// The small steps of a packet's way, which are taken at every component: inline, because a call costs more than most of
// them.

#include <utility>

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// A signal that is due at `at`; one of the present in the next round.
inline void push(const Round& round, Time at, std::uint32_t signal) {
  round.queue.push_signal({at, at == round.at ? round.number + 1 : 0, signal});
}

// Where the network is watched: the component does something.
inline void note_use(State& state, std::uint32_t component) {
  if (std::exchange(state.servers[component].noted, true)) return;
  state.use.used.push_back(component);
}

// Where the network is watched: packets may wait in the pair queue.
inline void note_waiting(State& state, std::uint32_t pair_queue) {
  if (std::exchange(state.pair_queues[pair_queue].noted, true)) return;
  state.use.waited_in.push_back(pair_queue);
}

// Puts a packet behind those that wait in the pair queue, which it names.
[[gnu::always_inline]] inline void append(State& state, std::uint32_t packet, PairQueue& pair_queue) {
  state.packets[packet].next = kNone;
  if (pair_queue.head == kNone)
    pair_queue.head = packet;
  else
    state.packets[pair_queue.tail].next = packet;
  pair_queue.tail = packet;
  if (state.options.watched) note_waiting(state, state.packets[packet].pair_queue);
}

// The pair queue may have to join the list of its server in this round.
[[gnu::always_inline]] inline void be_candidate(State& state, std::uint32_t pair_queue) {
  if (state.pair_queues[pair_queue].candidate) return;
  state.pair_queues[pair_queue].candidate = true;
  state.work.candidates.push_back(pair_queue);
}

// Its record is free for another packet.
inline void free_packet(State& state, std::uint32_t packet) {
  state.packets[packet].next = state.free_packets;
  state.free_packets = packet;
}

// A service begins at `begin`, of a packet that comes at `arrival`, or has come before the present.
[[gnu::always_inline]] inline void serve(State& state, std::uint32_t index, std::uint32_t taken, Time begin,
                                         Time arrival) {
  PairQueue& pair_queue = state.pair_queues[index];
  ComponentState& server = state.servers[pair_queue.component];
  Packet& packet = state.packets[taken];
  const Duration service = service_time(state, pair_queue, packet.size);
  packet.pair_queue = index;
  packet.service = service;
  pair_queue.used += service;
  ++pair_queue.under_way;
  server.idle_at = begin + service;
  server.busy_time += service;
  server.served += packet.size;
  ++state.services;
  if (!state.options.watched) return;
  note_use(state, pair_queue.component);
  state.use.granted.add({arrival, begin, service, packet.size, index}, state.queue->now());
}

// The next pair queue has taken a packet (or the target has consumed it): its service time leaves the window.
[[gnu::always_inline]] inline void release(State& state, const Release& release) {
  PairQueue& pair_queue = state.pair_queues[release.pair_queue];
  const bool was_blocked = pair_queue.is_blocked();
  pair_queue.used -= release.service;
  --pair_queue.under_way;
  if (pair_queue.head != kNone && was_blocked && !pair_queue.is_blocked()) be_candidate(state, release.pair_queue);
}

// Whether the pair queue is in the list of its server: the grant that it has is not taken before the decisions of round
// 0.
inline bool is_queued(const PairQueue& pair_queue, const Round& round) {
  return pair_queue.grant > round.at || (pair_queue.grant == round.at && round.number == 0);
}

// Whether a pair queue that would wait for the server is told its grant at once.
inline bool grants_service(const ComponentState& server) {
  return server.grants != Grants::kDecided && server.grant == kNone;
}

// Whether a packet that waits there may be told its grant, or its pair queue join the list: the pair has no other grant
// to come, unless no other pair can come between.
inline bool may_be_granted(const PairQueue& pair_queue, const Round& round) {
  if (pair_queue.whole) return pair_queue.grant != PairQueue::kNever;
  return !is_queued(pair_queue, round) && !pair_queue.is_blocked();
}

// So many more packets wait at the pair queue, or are on the way there, that have no grant yet.
inline void count_without_grant(State& state, std::uint32_t index, int more) {
  ComponentState& server = state.servers[state.pair_queues[index].component];
  if (server.grants == Grants::kPreGranted) server.without_grant += static_cast<std::uint32_t>(more);
}

// A signal for a time that has not come, or for the round in hand.
inline void emit(State& state, const Round& round, Time at, std::uint32_t signal) {
  if (at == round.at && state.work.in_round)
    state.work.emitted.push_back(signal);
  else
    round.queue.push_signal({at, 0, signal});
}

// Somebody waits for the end of the service in hand of a component: it gets a signal then.
inline void be_woken(State& state, std::uint32_t component, const Round& round) {
  ComponentState& server = state.servers[component];
  if (server.wakes) return;
  server.wakes = true;
  push(round, server.idle_at, kWakes | component);
}

// The component is to decide in this round.
inline void touch(State& state, std::uint32_t component) {
  if (state.servers[component].touched) return;
  state.servers[component].touched = true;
  state.work.touched.push_back(component);
}

}  // namespace plumbline::hw::packets
