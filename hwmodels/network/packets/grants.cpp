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

#include <algorithm>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

using packets::Grants;

// To the first of the packets that wait, and where no other pair can come between to those behind it. `at_once`: it
// begins with the decisions of this round.
void StoreAndForward::grant_service(std::uint32_t index, Time begin, bool at_once, const Round& round) {
  PairQueue& pair_queue = pair_queues_[index];
  while (true) {
    const std::uint32_t packet = pair_queue.head;
    pair_queue.head = packets_[packet].next;
    count_without_grant(index, -1);
    pass_on(packet, index, begin_granted(packet, index, begin, round.at, at_once, round), round);
    if (pair_queue.head == kNone || !grants_next(index, round)) return;
    begin = servers_[pair_queue.component].idle_at;
    at_once = false;
  }
}

// Whether the packet that waits behind one that has been given its grant is given its own. Else it is seen to that it
// will be.
bool StoreAndForward::grants_next(std::uint32_t index, const Round& round) {
  watch_next(index, round);
  const PairQueue& pair_queue = pair_queues_[index];
  const Time idle_at = servers_[pair_queue.component].idle_at;
  const bool is_known = pair_queue.whole && idle_at > round.at;
  if (is_known && !is_empty(packets_[pair_queue.head])) return true;
  if (is_known)
    enter(index, round);
  else
    push(round, idle_at, kReturns | index);
  return false;
}

// Of a pair queue that had to join the list, when the component is idle.
void StoreAndForward::begin_listed(std::uint32_t index, const Round& round) {
  const std::uint32_t component = pair_queues_[index].component;
  servers_[component].wakes = false;
  grant_service(index, round.at, true, round);
  grant_behind(component, round);
  if (servers_[component].grant != kNone) be_woken(component, round);
}

// To those that stand in the list up to the next packet of no bytes. Behind one that began in this round none is told.
void StoreAndForward::grant_behind(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  while (server.grant != kNone && server.idle_at > round.at) {
    const std::uint32_t index = server.grant;
    PairQueue& pair_queue = pair_queues_[index];
    if (is_empty(packets_[pair_queue.head])) return;
    server.grant = pair_queue.next_waiting;
    pair_queue.grant = PairQueue::kLongAgo;
    if (pair_queue.under_way > 0) open(index, round);
    grant_service(index, server.idle_at, false, round);
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

// Whether a packet that comes to the pair queue would be given its grant in this round: nothing of its pair is before
// it.
bool StoreAndForward::begins_granted(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  if (!grants_service(servers_[pair_queue.component]) || pair_queue.head != kNone) return false;
  return may_be_granted(pair_queue, round);
}

// What wait(), admit() and grant_service() come to for a packet that nothing else of its round has to do with.
void StoreAndForward::take_alone(std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = servers_[pair_queues_[index].component].idle_at;
  count_without_grant(index, -1);
  const Time leaves = begin_granted(packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  pass_on(packet, index, leaves, round);
}

// Whether a packet that comes to the pair queue would be given its grant there and ahead at the next one, and does not
// travel express. What its pair has in service here, or on its way to the next pair queue, has a grant to come there or
// none yet: so it needs not be asked whether the pair has a grant to come here, or is blocked here.
bool StoreAndForward::knows_two_grants(std::uint32_t index, const Round& round) {
  const PairQueue &here = pair_queues_[index], &next = pair_queues_[index + 1];
  if (next.last || here.head != kNone) return false;
  const ComponentState &server = servers_[here.component], &after = servers_[next.component];
  if (server.grants != Grants::kGranted || server.grant != kNone || has_one_user(index)) return false;
  if (after.grants != Grants::kPreGranted || after.without_grant > 0 || has_one_user(index + 1)) return false;
  if (here.under_way > 0) open(index, round);
  if (next.under_way > 0) open(index + 1, round);
  return next.owed.ps == 0 && !next.is_blocked();
}

void StoreAndForward::take_two(std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = servers_[pair_queues_[index].component].idle_at;
  const Time comes = begin_granted(packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  const ComponentState& server = servers_[pair_queues_[index + 1].component];
  const Time leaves = begin_granted(packet, index + 1, std::max(server.idle_at, comes), comes, false, round);
  if (servers_[pair_queues_[index + 2].component].grants == Grants::kPreGranted)
    pass_on(packet, index + 1, leaves, round);
  else
    push(round, leaves, kLeaves | packet);
}

// Whether a packet that is on its way to the pair queue can be given its grant there: nothing that is not known yet
// comes before it. Packets that will travel express are better off so.
bool StoreAndForward::comes_ahead(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  const ComponentState& server = servers_[pair_queue.component];
  if (server.grants != Grants::kPreGranted || server.without_grant > 0) return false;
  if (has_one_user(index)) {
    Pair& pair = pairs_[pair_queue.pair];
    if (pair.stale) find_alone(pair);
    const std::uint32_t hop = index - pair.first;
    if (hop >= pair.express_from || (hop >= pair.alone_from && pair.barred == 0)) return false;
  }
  if (pair_queue.owed.ps != 0) settle(index, round);
  if (pair_queue.under_way > 0) open(index, round);
  return pair_queue.owed.ps == 0 && !pair_queue.is_blocked();
}

// As open() of the pair queue before, also for a grant that comes with this round: that has its effect in the next one.
void StoreAndForward::settle(std::uint32_t index, const Round& round) {
  PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.grant == round.at && round.number == 0)
    releases_.push_back({index - 1, std::exchange(pair_queue.owed, {})});
  else
    open(index - 1, round);
}

void StoreAndForward::open_target(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  const bool delivers = !pair_queue.ends_service && pair_queue.under_way > 0;
  if (delivers && pairs_[pair_queue.pair].delivers <= round.at) release({index, pair_queue.used});
}

// A packet is going to wait in the pair queue, of which others are under way: what later grants change for it needs
// signals.
void StoreAndForward::watch_window(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.last) {
    const bool waits =
        !pair_queue.ends_service && !pair_queue.whole && (is_queued(pair_queue, round) || pair_queue.is_blocked());
    if (waits) round.queue.push_signal({pairs_[pair_queue.pair].delivers, 0, kReturns | index});
    return;
  }
  if (pair_queue.grant != PairQueue::kNever && is_queued(pair_queue, round)) {
    const Duration service = service_time(pair_queue, packets_[pair_queue.next_waiting].size);
    round.queue.push_signal({pair_queue.grant + service, 0, kReturns | index});
  }
  watch_next(index, round);
}

// Where packets wait because the window is closed: the grant that is to come in the next pair queue opens it by a
// signal.
void StoreAndForward::watch_next(std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = pair_queues_[index];
  if (pair_queue.last || !pair_queue.is_blocked() || pair_queues_[index + 1].owed.ps == 0) return;
  if (is_queued(pair_queues_[index + 1], round))
    round.queue.push_signal({pair_queues_[index + 1].grant, 1, kOpens | index});
  else
    open(index, round);
}

}  // namespace plumbline::hw
