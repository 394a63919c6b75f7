#include "hwmodels/network/packets/grants.hpp"

#include <algorithm>
#include <utility>

#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/users.hpp"
#include "hwmodels/network/packets/waiting.hpp"

namespace plumbline::hw::packets {
namespace {

// Whether the packet that waits behind one that has been given its grant is given its own. Else it is seen to that it
// will be.
bool grants_next(State& state, std::uint32_t index, const Round& round) {
  watch_next(state, index, round);
  const PairQueue& pair_queue = state.pair_queues[index];
  const Time idle_at = state.servers[pair_queue.component].idle_at;
  const bool is_known = pair_queue.whole && idle_at > round.at;
  if (is_known && !is_empty(state.packets[pair_queue.head])) return true;
  if (is_known)
    enter(state, index, round);
  else
    push(round, idle_at, kReturns | index);
  return false;
}

// As open() of the pair queue before, also for a grant that comes with this round: that has its effect in the next one.
void settle(State& state, std::uint32_t index, const Round& round) {
  PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.grant == round.at && round.number == 0)
    state.work.releases.push_back({index - 1, std::exchange(pair_queue.owed, {})});
  else
    open(state, index - 1, round);
}

// Whether a packet that is on its way to the pair queue can be given its grant there: nothing that is not known yet
// comes before it. Packets that will travel express are better off so.
bool comes_ahead(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  const ComponentState& server = state.servers[pair_queue.component];
  if (server.grants != Grants::kPreGranted || server.without_grant > 0) return false;
  if (has_one_user(state, index)) {
    Pair& pair = state.pairs[pair_queue.pair];
    if (pair.stale) find_alone(state, pair);
    const std::uint32_t hop = index - pair.first;
    if (hop >= pair.express_from || (hop >= pair.alone_from && pair.barred == 0)) return false;
  }
  if (pair_queue.owed.ps != 0) settle(state, index, round);
  if (pair_queue.under_way > 0) open(state, index, round);
  return pair_queue.owed.ps == 0 && !pair_queue.is_blocked();
}

// To those that stand in the list up to the next packet of no bytes. Behind one that began in this round none is told.
void grant_behind(State& state, std::uint32_t component, const Round& round) {
  ComponentState& server = state.servers[component];
  while (server.grant != kNone && server.idle_at > round.at) {
    const std::uint32_t index = server.grant;
    PairQueue& pair_queue = state.pair_queues[index];
    if (is_empty(state.packets[pair_queue.head])) return;
    server.grant = pair_queue.next_waiting;
    pair_queue.grant = PairQueue::kLongAgo;
    if (pair_queue.under_way > 0) open(state, index, round);
    grant_service(state, index, server.idle_at, false, round);
  }
}

}  // namespace

void grant_service(State& state, std::uint32_t index, Time begin, bool at_once, const Round& round) {
  PairQueue& pair_queue = state.pair_queues[index];
  while (true) {
    const std::uint32_t packet = pair_queue.head;
    pair_queue.head = state.packets[packet].next;
    count_without_grant(state, index, -1);
    pass_on(state, packet, index, begin_granted(state, packet, index, begin, round.at, at_once, round), round);
    if (pair_queue.head == kNone || !grants_next(state, index, round)) return;
    begin = state.servers[pair_queue.component].idle_at;
    at_once = false;
  }
}

void begin_listed(State& state, std::uint32_t index, const Round& round) {
  const std::uint32_t component = state.pair_queues[index].component;
  state.servers[component].wakes = false;
  grant_service(state, index, round.at, true, round);
  grant_behind(state, component, round);
  if (state.servers[component].grant != kNone) be_woken(state, component, round);
}

void announce_begin(State& state, std::uint32_t packet, Time begin, bool at_once, const Round& round) {
  if (state.packets[packet].last != 0 && !is_told(state.packets[packet], state.messages[state.packets[packet].message]))
    return;
  if (at_once)
    state.work.begun.push_back(packet);
  else
    emit(state, round, begin, kBegins | packet);
}

bool begins_granted(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  if (!grants_service(state.servers[pair_queue.component]) || pair_queue.head != kNone) return false;
  return may_be_granted(pair_queue, round);
}

void take_alone(State& state, std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = state.servers[state.pair_queues[index].component].idle_at;
  count_without_grant(state, index, -1);
  const Time leaves =
      begin_granted(state, packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  pass_on(state, packet, index, leaves, round);
}

bool knows_two_grants(State& state, std::uint32_t index, const Round& round) {
  const PairQueue &here = state.pair_queues[index], &next = state.pair_queues[index + 1];
  if (next.last || here.head != kNone) return false;
  const ComponentState &server = state.servers[here.component], &after = state.servers[next.component];
  if (server.grants != Grants::kGranted || server.grant != kNone || has_one_user(state, index)) return false;
  if (after.grants != Grants::kPreGranted || after.without_grant > 0 || has_one_user(state, index + 1)) return false;
  if (here.under_way > 0) open(state, index, round);
  if (next.under_way > 0) open(state, index + 1, round);
  return next.owed.ps == 0 && !next.is_blocked();
}

void take_two(State& state, std::uint32_t packet, std::uint32_t index, const Round& round) {
  const Time idle_at = state.servers[state.pair_queues[index].component].idle_at;
  const Time comes =
      begin_granted(state, packet, index, std::max(idle_at, round.at), round.at, idle_at <= round.at, round);
  const ComponentState& server = state.servers[state.pair_queues[index + 1].component];
  const Time leaves = begin_granted(state, packet, index + 1, std::max(server.idle_at, comes), comes, false, round);
  if (state.servers[state.pair_queues[index + 2].component].grants == Grants::kPreGranted)
    pass_on(state, packet, index + 1, leaves, round);
  else
    push(round, leaves, kLeaves | packet);
}

void open_target(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  const bool delivers = !pair_queue.ends_service && pair_queue.under_way > 0;
  if (delivers && state.pairs[pair_queue.pair].delivers <= round.at) release(state, {index, pair_queue.used});
}

void watch_window(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.last) {
    const bool waits =
        !pair_queue.ends_service && !pair_queue.whole && (is_queued(pair_queue, round) || pair_queue.is_blocked());
    if (waits) round.queue.push_signal({state.pairs[pair_queue.pair].delivers, 0, kReturns | index});
    return;
  }
  if (pair_queue.grant != PairQueue::kNever && is_queued(pair_queue, round)) {
    const Duration service = service_time(state, pair_queue, state.packets[pair_queue.next_waiting].size);
    round.queue.push_signal({pair_queue.grant + service, 0, kReturns | index});
  }
  watch_next(state, index, round);
}

void watch_next(State& state, std::uint32_t index, const Round& round) {
  const PairQueue& pair_queue = state.pair_queues[index];
  if (pair_queue.last || !pair_queue.is_blocked() || state.pair_queues[index + 1].owed.ps == 0) return;
  if (is_queued(state.pair_queues[index + 1], round))
    round.queue.push_signal({state.pair_queues[index + 1].grant, 1, kOpens | index});
  else
    open(state, index, round);
}

bool pass_on(State& state, std::uint32_t packet, std::uint32_t index, Time at, const Round& round) {
  const std::uint32_t first = index;
  while (!state.pair_queues[index].last) {
    ComponentState& next = state.servers[state.pair_queues[index + 1].component];
    if (next.grants != Grants::kPreGranted) break;
    const Time idle_at = next.idle_at;
    const bool waits = state.pair_queues[index].head != kNone && state.pair_queues[index].is_blocked();
    if ((idle_at <= at && waits) || is_empty(state.packets[packet]) || !comes_ahead(state, index + 1, round)) {
      ++next.without_grant;
      break;
    }
    at = begin_granted(state, packet, ++index, std::max(idle_at, at), at, false, round);
  }
  const PairQueue& from = state.pair_queues[index];
  if (from.last && !from.first && !from.ends_service && state.packets[packet].last == 0)
    free_packet(state, packet);  // nobody waits for it, and the window of its pair opens when somebody asks
  else
    push(round, at, kLeaves | packet);
  return index == first;
}

}  // namespace plumbline::hw::packets
