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

inline void StoreAndForward::note_waiting(std::uint32_t station) {
  if (std::exchange(stations_[station].noted, true)) return;
  waited_in_.push_back(station);
}

// To the packets that wait in the station, which it names.
[[gnu::always_inline]] inline void StoreAndForward::append(std::uint32_t packet, Station& station) {
  packets_[packet].next = kNone;
  if (station.head == kNone)
    station.head = packet;
  else
    packets_[station.tail].next = packet;
  station.tail = packet;
  if (options_.watched) note_waiting(packets_[packet].station);
}

[[gnu::always_inline]] inline void StoreAndForward::be_candidate(std::uint32_t station) {
  if (stations_[station].candidate) return;
  stations_[station].candidate = true;
  candidates_.push_back(station);
}

inline void StoreAndForward::free_packet(std::uint32_t packet) {
  packets_[packet].next = free_packets_;
  free_packets_ = packet;
}

// A service that begins at `begin`, of a packet that comes at `arrival`, or has come before the present.
[[gnu::always_inline]] inline void StoreAndForward::serve(std::uint32_t index, std::uint32_t taken, Time begin,
                                                          Time arrival) {
  Station& station = stations_[index];
  ComponentState& server = servers_[station.component];
  Packet& packet = packets_[taken];
  const Duration service = service_time(station, packet.size);
  packet.station = index;
  packet.service = service;
  station.used += service;
  ++station.under_way;
  server.idle_at = begin + service;
  server.busy_time += service;
  server.served += packet.size;
  ++services_;
  if (!options_.watched) return;
  note_use(station.component);
  granted_.add({arrival, begin, service, packet.size, index}, queue_->now());
}

// The next station has taken a packet (or the target has consumed it): its service time leaves the window.
[[gnu::always_inline]] inline void StoreAndForward::release(const Release& release) {
  Station& station = stations_[release.station];
  const bool was_blocked = station.is_blocked();
  station.used -= release.service;
  --station.under_way;
  if (station.head != kNone && was_blocked && !station.is_blocked()) be_candidate(release.station);
}

// In the list of its server: the turn that it has is not taken before the decisions of round 0.
inline bool StoreAndForward::is_queued(const Station& station, const Round& round) {
  return station.turn > round.at || (station.turn == round.at && round.number == 0);
}

// Gives a station the part of its window back that the next one owes, or what it has delivered, if the time has come.
[[gnu::always_inline]] inline void StoreAndForward::open(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  if (station.last) return open_target(index, round);
  Station& next = stations_[index + 1];
  if (next.owed.ps != 0 && !is_queued(next, round)) release({index, std::exchange(next.owed, {})});
}

// Whether a station that would wait for the server is told its turn at once.
inline bool StoreAndForward::gives_turn(const ComponentState& server) {
  return server.turns != packets::Turns::kDecided && server.turn == kNone;
}

// Whether a packet that waits there may be told its turn, or its station join the list: the pair has no other turn to
// come, unless no other pair can come between.
inline bool StoreAndForward::may_have_turn(const Station& station, const Round& round) {
  if (station.whole) return station.turn != Station::kNever;
  return !is_queued(station, round) && !station.is_blocked();
}

inline void StoreAndForward::count_without_turn(std::uint32_t index, int more) {
  ComponentState& server = servers_[stations_[index].component];
  if (server.turns == packets::Turns::kAhead) server.without_turn += static_cast<std::uint32_t>(more);
}

// Gives a packet, which comes at `arrival` or has come before, its turn at a station. It leaves that at the time that
// is returned.
[[gnu::always_inline]] inline Time StoreAndForward::begin_turn(std::uint32_t packet, std::uint32_t index, Time begin,
                                                               Time arrival, bool at_once, const Round& round) {
  Station& station = stations_[index];
  if (station.owed.ps != 0) open(index - 1, round);
  PLUMBLINE_CHECK(station.owed.ps == 0, "a station has one turn at a time");
  const Duration before = packets_[packet].service;
  if (station.last) station.used = {}, station.under_way = 0;  // what it has taken is delivered before this begins
  serve(index, packet, begin, arrival);
  station.turn = at_once ? Station::kLongAgo : begin;
  station.next_turn = packet;
  if (station.first) {
    announce_begin(packet, begin, at_once, round);
  } else if (at_once) {
    releases_.push_back({index - 1, before});
  } else {
    station.owed = before;
    const Station& previous = stations_[index - 1];
    if (previous.head != kNone && previous.is_blocked()) round.queue.push_signal({begin, 1, kOpens | (index - 1)});
  }
  const ComponentState& server = servers_[station.component];
  if (!station.last) return server.idle_at + server.latency;
  return pairs_[station.pair].delivers = server.idle_at;
}

// What leave() and admit() come to, in one go, for a packet that is alone at a switch, and nothing of its pair is
// before it there and at the cable behind it: so most packets find a fabric. False: it is not so, and nothing is done.
inline bool StoreAndForward::passes(std::uint32_t packet, std::uint32_t from, const Round& round) {
  const Station *here = &stations_[from], *next = here + 1;
  if (here->last || next->last || here->ends_service || is_empty(packets_[packet])) return false;
  if (!knows_two_turns(from + 1, round)) return false;
  take_two(packet, from + 1, round);
  return true;
}

}  // namespace plumbline::hw
