#pragma once
// Grants that are given before they come. The list of a component is first in, first out, and a service has a known
// length, so a pair queue that joins the list knows at once when its grant comes, and no event is needed then. Where
// all packets come from one component, they come in the order in which that serves them: then the grant is known as
// soon as the packet is taken there. What a grant that comes later changes for others is made up for when somebody
// asks:
// - The pair queue before has its window back in the round after (`owed`). If packets wait there, by a signal.
// - The pair queue may join the list again at the end of its service. If packets wait, by a signal.
// - At the target a pair has its window back when the packet has been served (`Pair::delivers`); likewise.
// Only at the source something happens with the begin itself: the next packet is made. That is a signal.
// A packet of no bytes is served within a round and would have to be told rounds. It joins the list instead, with all
// that come behind it; until that is empty the component decides, each time it is idle.

#include <utility>

#include "hwmodels/network/packets/state.hpp"
#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw::packets {

// Gives the first of the packets that wait in a pair queue its grant, and those behind it theirs where no other pair
// can come between. `at_once`: the service begins with the decisions of this round.
void grant_service(State& state, std::uint32_t pair_queue, Time begin, bool at_once, const Round& round);

// Grants the service of a pair queue that had to join the list of its component, which is idle now.
void begin_listed(State& state, std::uint32_t pair_queue, const Round& round);

// At the source something happens when a granted service begins: the next packet is made, or a notification is due.
void announce_begin(State& state, std::uint32_t packet, Time begin, bool at_once, const Round& round);

// Whether a packet that comes to the pair queue would be given its grant in this round: nothing of its pair is before
// it.
bool begins_granted(State& state, std::uint32_t pair_queue, const Round& round);

// What wait(), admit() and grant_service() come to for a packet that nothing else of its round has to do with.
void take_alone(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// Whether a packet that comes to the pair queue would be given its grant there and ahead at the next one, and does not
// travel express. What its pair has in service here, or on its way to the next pair queue, has a grant to come there or
// none yet: so it needs not be asked whether the pair has a grant to come here, or is blocked here.
bool knows_two_grants(State& state, std::uint32_t pair_queue, const Round& round);

// Gives a packet, of which knows_two_grants() is true, its grants at the pair queue and at the next one.
void take_two(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// As open(), of the last pair queue of a route: what it has delivered by now.
void open_target(State& state, std::uint32_t pair_queue, const Round& round);

// A packet is going to wait in the pair queue, of which others are under way: what later grants change for it needs
// signals.
void watch_window(State& state, std::uint32_t pair_queue, const Round& round);

// Where packets wait because the window is closed: the grant that is to come in the next pair queue opens it by a
// signal.
void watch_next(State& state, std::uint32_t pair_queue, const Round& round);

// A packet that is in service at a pair queue until it leaves `at`, later than now, gets on from there: ahead where it
// can be told its grant, up to where an event is needed. False: that is not its next place. With a grant that comes
// just then and another packet that waits for it, one event does for both.
bool pass_on(State& state, std::uint32_t packet, std::uint32_t pair_queue, Time at, const Round& round);

// What leave() and admit() come to, in one go, for a packet that is alone at a switch, and nothing of its pair is
// before it there and at the cable behind it: so most packets find a fabric. False: it is not so, and nothing is done.
inline bool passes(State& state, std::uint32_t packet, std::uint32_t from, const Round& round) {
  const PairQueue *here = &state.pair_queues[from], *next = here + 1;
  if (here->last || next->last || here->ends_service || is_empty(state.packets[packet])) return false;
  if (!knows_two_grants(state, from + 1, round)) return false;
  take_two(state, packet, from + 1, round);
  return true;
}

// Gives a pair queue the part of its window back that the next one owes, or what it has delivered, if the time has
// come.
[[gnu::always_inline]] inline void open(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.last) return open_target(state, index, round);
  PairQueue& next = state.pair_queues[index + 1];
  if (next.owed.ps != 0 && !is_queued(next, round)) release(state, {index, std::exchange(next.owed, {})});
}

// Gives a packet, which comes at `arrival` or has come before, its grant at a pair queue. It leaves that at the time
// that is returned.
[[gnu::always_inline]] inline Time begin_granted(State& state, std::uint32_t packet, std::uint32_t index, Time begin,
                                                 Time arrival, bool at_once, const Round& round) {
  PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.owed.ps != 0) open(state, index - 1, round);
  PLUMBLINE_CHECK(pair_queue.owed.ps == 0, "a pair queue has one grant at a time");
  const Duration before = state.packets[packet].service;
  if (pair_queue.last)
    pair_queue.used = {}, pair_queue.under_way = 0;  // what it has taken is delivered before this begins
  serve(state, index, packet, begin, arrival);
  pair_queue.grant = at_once ? PairQueue::kLongAgo : begin;
  pair_queue.next_waiting = packet;
  if (pair_queue.first) {
    announce_begin(state, packet, begin, at_once, round);
  } else if (at_once) {
    state.work.releases.push_back({index - 1, before});
  } else {
    pair_queue.owed = before;
    const PairQueue& previous = state.pair_queues[index - 1];
    if (previous.head != kNone && previous.is_blocked()) round.queue.push_signal({begin, 1, kOpens | (index - 1)});
  }
  const ComponentState& server = state.servers[pair_queue.component];
  if (!pair_queue.last) return server.idle_at + server.latency;
  return state.pairs[pair_queue.pair].delivers = server.idle_at;
}

}  // namespace plumbline::hw::packets
