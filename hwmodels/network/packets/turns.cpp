// Turns that are given before they come. The list of a component is first in, first out, and a service has a known
// length, so a station that joins the list knows at once when its turn comes, and no event is needed then. Where all
// packets come from one component, they come in the order in which that serves them: then the turn is known as soon as
// the packet is taken there. What a turn that comes later changes for others is made up for when somebody asks:
// - The station before has its window back in the round after (`owed`). If packets wait there, by a signal.
// - The station may join the list again at the end of its service. If packets wait, by a signal.
// - At the target a pair has its window back when the packet has been served (`Pair::delivers`); likewise.
// Only at the source something happens with the begin itself: the next packet is made. That is a signal.
// A packet of no bytes is served within a round and would have to be told rounds. It joins the list instead, with all
// that come behind it; until that is empty the component decides, each time it is idle.

#include <algorithm>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

using packets::Turns;

// To the first of the packets that wait, and where no other pair can come between to those behind it. `at_once`: it
// begins with the decisions of this round.
void StoreAndForward::give_turn(std::uint32_t index, Time begin, bool at_once, const Round& round) {
  Station& station = stations_[index];
  while (true) {
    const std::uint32_t packet = station.head;
    station.head = packets_[packet].next;
    count_without_turn(index, -1);
    pass_on(packet, index, begin_turn(packet, index, begin, round.at, at_once, round), round);
    if (station.head == kNone || !gives_next_turn(index, round)) return;
    begin = servers_[station.component].idle_at;
    at_once = false;
  }
}

// Whether the packet that waits behind one that has been given its turn is given its own. Else it is seen to that it
// will be.
bool StoreAndForward::gives_next_turn(std::uint32_t index, const Round& round) {
  watch_next(index, round);
  const Station& station = stations_[index];
  const Time idle_at = servers_[station.component].idle_at;
  const bool is_known = station.whole && idle_at > round.at;
  if (is_known && !is_empty(packets_[station.head])) return true;
  if (is_known)
    enter(index, round);
  else
    push(round, idle_at, kReturns | index);
  return false;
}

// Of a station that had to join the list, when the component is idle.
void StoreAndForward::begin_listed(std::uint32_t index, const Round& round) {
  const std::uint32_t component = stations_[index].component;
  servers_[component].wakes = false;
  give_turn(index, round.at, true, round);
  give_turns_behind(component, round);
  if (servers_[component].turn != kNone) be_woken(component, round);
}

// To those that stand in the list up to the next packet of no bytes. Behind one that began in this round none is told.
void StoreAndForward::give_turns_behind(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  while (server.turn != kNone && server.idle_at > round.at) {
    const std::uint32_t index = server.turn;
    Station& station = stations_[index];
    if (is_empty(packets_[station.head])) return;
    server.turn = station.next_turn;
    station.turn = Station::kLongAgo;
    if (station.under_way > 0) open(index, round);
    give_turn(index, server.idle_at, false, round);
  }
}

// At the source, when something happens with the begin: the next packet is made, or it is notified.
void StoreAndForward::announce_begin(std::uint32_t packet, Time begin, bool at_once, const Round& round) {
  if (packets_[packet].last != 0 && !is_told(packets_[packet], messages_[packets_[packet].message])) return;
  if (at_once)
    begun_.push_back(packet);
  else
    emit(round, begin, kBegins | packet);
}

// Whether a packet that comes to the station would be given its turn in this round: nothing of its pair is before it.
bool StoreAndForward::begins_turn(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  if (!gives_turn(servers_[station.component]) || station.head != kNone) return false;
  return may_have_turn(station, round);
}

// What wait(), admit() and give_turn() come to for a packet that nothing else of its round has to do with.
void StoreAndForward::take_alone(std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = servers_[stations_[index].component].idle_at;
  count_without_turn(index, -1);
  const Time leaves = begin_turn(packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  pass_on(packet, index, leaves, round);
}

// Whether a packet that comes to the station would be given its turn there and ahead at the next one, and does not
// travel express. What its pair has in service here, or on its way to the next station, has a turn to come there or
// none yet: so it needs not be asked whether the pair has a turn to come here, or is blocked here.
bool StoreAndForward::knows_two_turns(std::uint32_t index, const Round& round) {
  const Station &here = stations_[index], &next = stations_[index + 1];
  if (next.last || here.head != kNone) return false;
  const ComponentState &server = servers_[here.component], &after = servers_[next.component];
  if (server.turns != Turns::kGiven || server.turn != kNone || has_one_user(index)) return false;
  if (after.turns != Turns::kAhead || after.without_turn > 0 || has_one_user(index + 1)) return false;
  if (here.under_way > 0) open(index, round);
  if (next.under_way > 0) open(index + 1, round);
  return next.owed.ps == 0 && !next.is_blocked();
}

void StoreAndForward::take_two(std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = servers_[stations_[index].component].idle_at;
  const Time comes = begin_turn(packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  const ComponentState& server = servers_[stations_[index + 1].component];
  const Time leaves = begin_turn(packet, index + 1, std::max(server.idle_at, comes), comes, false, round);
  if (servers_[stations_[index + 2].component].turns == Turns::kAhead)
    pass_on(packet, index + 1, leaves, round);
  else
    push(round, leaves, kLeaves | packet);
}

// Whether a packet that is on its way to the station can be given its turn there: nothing that is not known yet comes
// before it. Packets that will travel express are better off so.
bool StoreAndForward::comes_ahead(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  const ComponentState& server = servers_[station.component];
  if (server.turns != Turns::kAhead || server.without_turn > 0) return false;
  if (has_one_user(index)) {
    Pair& pair = pairs_[station.pair];
    if (pair.stale) find_alone(pair);
    const std::uint32_t hop = index - pair.first;
    if (hop >= pair.express_from || (hop >= pair.alone_from && pair.barred == 0)) return false;
  }
  if (station.owed.ps != 0) settle(index, round);
  if (station.under_way > 0) open(index, round);
  return station.owed.ps == 0 && !station.is_blocked();
}

// As open() of the station before, also for a turn that comes with this round: that has its effect in the next one.
void StoreAndForward::settle(std::uint32_t index, const Round& round) {
  Station& station = stations_[index];
  if (station.turn == round.at && round.number == 0)
    releases_.push_back({index - 1, std::exchange(station.owed, {})});
  else
    open(index - 1, round);
}

void StoreAndForward::open_target(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  const bool delivers = !station.ends_service && station.under_way > 0;
  if (delivers && pairs_[station.pair].delivers <= round.at) release({index, station.used});
}

// A packet is going to wait in the station, of which others are under way: what later turns change for it needs
// signals.
void StoreAndForward::watch_window(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  if (station.last) {
    const bool waits = !station.ends_service && !station.whole && (is_queued(station, round) || station.is_blocked());
    if (waits) round.queue.push_signal({pairs_[station.pair].delivers, 0, kReturns | index});
    return;
  }
  if (station.turn != Station::kNever && is_queued(station, round)) {
    const Duration service = service_time(station, packets_[station.next_turn].size);
    round.queue.push_signal({station.turn + service, 0, kReturns | index});
  }
  watch_next(index, round);
}

// Where packets wait because the window is closed: the turn that is to come in the next station opens it by a signal.
void StoreAndForward::watch_next(std::uint32_t index, const Round& round) {
  const Station& station = stations_[index];
  if (station.last || !station.is_blocked() || stations_[index + 1].owed.ps == 0) return;
  if (is_queued(stations_[index + 1], round))
    round.queue.push_signal({stations_[index + 1].turn, 1, kOpens | index});
  else
    open(index, round);
}

}  // namespace plumbline::hw
