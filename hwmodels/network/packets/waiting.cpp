#include "hwmodels/network/packets/waiting.hpp"

#include <algorithm>
#include <utility>

#include "hwmodels/network/packets/express.hpp"
#include "hwmodels/network/packets/grants.hpp"
#include "hwmodels/network/packets/send_queues.hpp"
#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw::packets {
namespace {

// Takes back the packet that came first in the order of handling, so that all that arrived in this round can be
// ordered.
void take_back_fresh(State& state, PairQueue& pair_queue) {
  state.work.tied.push_back(pair_queue.tail);
  pair_queue.fresh = false;
  if (pair_queue.head == pair_queue.tail) {
    pair_queue.head = kNone;
    return;
  }
  std::uint32_t before = pair_queue.head;
  while (state.packets[before].next != pair_queue.tail) before = state.packets[before].next;
  state.packets[before].next = kNone;
  pair_queue.tail = before;
}

bool is_admitted(State& state, std::uint32_t index, const Round& round) {
  PairQueue& pair_queue = state.pair_queues[index];
  pair_queue.candidate = pair_queue.fresh = false;
  return pair_queue.head != kNone && may_be_granted(pair_queue, round);
}

// By component, so that only those of one component are looked at any closer.
void order_newcomers(State& state) {
  std::sort(state.work.newcomers.begin(), state.work.newcomers.end(), [&](std::uint32_t a, std::uint32_t b) {
    const PairQueue &one = state.pair_queues[a], &other = state.pair_queues[b];
    if (one.component != other.component) return one.component < other.component;
    const Packet &first = state.packets[one.head], &second = state.packets[other.head];
    const std::uint64_t order = state.messages[first.message].order(), against = state.messages[second.message].order();
    return order != against ? order < against : first.number < second.number;
  });
}

}  // namespace

void arrive(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  if (has_one_user(state, pair_queue) && takes_express(state, packet, pair_queue, round))
    return go_express(state, packet, pair_queue, round);
  wait(state, packet, pair_queue, round);
}

void wait(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round) {
  state.packets[packet].pair_queue = pair_queue;
  PairQueue& to = state.pair_queues[pair_queue];
  if (to.under_way > 0) open(state, pair_queue, round);
  if (state.work.nothing_else && !is_empty(state.packets[packet]) && begins_granted(state, pair_queue, round))
    return take_alone(state, packet, pair_queue, round);
  if (to.under_way > 0) watch_window(state, pair_queue, round);
  if (to.fresh) return state.work.tied.push_back(packet);
  to.fresh = true;
  append(state, packet, to);
  be_candidate(state, pair_queue);
}

void append_tied(State& state) {
  for (std::size_t i = 0, count = state.work.tied.size(); i < count; ++i) {
    PairQueue& pair_queue = state.pair_queues[state.packets[state.work.tied[i]].pair_queue];
    if (pair_queue.fresh) take_back_fresh(state, pair_queue);
  }
  std::sort(state.work.tied.begin(), state.work.tied.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t order_a = state.messages[state.packets[a].message].order();
    const std::uint64_t order_b = state.messages[state.packets[b].message].order();
    return order_a != order_b ? order_a < order_b : state.packets[a].number < state.packets[b].number;
  });
  for (const std::uint32_t packet : state.work.tied)
    append(state, packet, state.pair_queues[state.packets[packet].pair_queue]);
  state.work.tied.clear();
}

void admit(State& state, const Round& round) {
  if (state.work.candidates.size() == 1) {  // as in most rounds
    const std::uint32_t index = state.work.candidates.front();
    state.work.candidates.clear();
    if (is_admitted(state, index, round)) enter(state, index, round);
    return;
  }
  bool tied = false;
  for (const std::uint32_t index : state.work.candidates) {
    if (!is_admitted(state, index, round)) continue;
    ComponentState& server = state.servers[state.pair_queues[index].component];
    tied = tied || server.newcomer;
    server.newcomer = true;
    state.work.newcomers.push_back(index);
  }
  state.work.candidates.clear();
  if (tied) order_newcomers(state);
  for (const std::uint32_t index : state.work.newcomers) {
    state.servers[state.pair_queues[index].component].newcomer = false;
    enter(state, index, round);
  }
  state.work.newcomers.clear();
}

void enter(State& state, std::uint32_t index, const Round& round) {
  const std::uint32_t component = state.pair_queues[index].component;
  ComponentState& server = state.servers[component];
  if (grants_service(server) && !is_empty(state.packets[state.pair_queues[index].head]))
    return grant_service(state, index, std::max(server.idle_at, round.at), server.idle_at <= round.at, round);
  if (state.pair_queues[index].owed.ps != 0) open(state, index - 1, round);
  join(state, index, server, round.at);
  if (server.idle_at <= round.at)
    touch(state, component);
  else
    be_woken(state, component, round);
}

void join(State& state, std::uint32_t index, ComponentState& server, Time now) {
  PairQueue& pair_queue = state.pair_queues[index];
  pair_queue.grant = PairQueue::kNever;
  pair_queue.next_waiting = kNone;
  if (server.grant == kNone) {
    server.grant = server.grant_tail = index;
  } else if (has_send_queues(state) && keeps_turn(state, index, now)) {
    pair_queue.next_waiting = std::exchange(server.grant, index);
  } else {
    state.pair_queues[server.grant_tail].next_waiting = index;
    server.grant_tail = index;
  }
}

}  // namespace plumbline::hw::packets
