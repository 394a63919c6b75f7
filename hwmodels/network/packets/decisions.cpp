#include "hwmodels/network/packets/decisions.hpp"

#include "hwmodels/network/packets/grants.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/send_queues.hpp"
#include "hwmodels/network/packets/steps.hpp"
#include "hwmodels/network/packets/waiting.hpp"

namespace plumbline::hw::packets {
namespace {

// The source makes the next packet when it begins the service of the one before.
void begin_at_source(State& state, std::uint32_t index, const Round& round) {
  const std::uint32_t of = state.packets[index].message;
  Message& message = state.messages[of];
  if (message.piecewise) note(state, Notification::Kind::kPacketTaken, message, payload(state, state.packets[index]));
  note_begin(state, state.packets[index]);
  if (state.packets[index].last != 0) return;
  message.starved = !next_is_available(state, message);
  if (message.starved) return;
  const std::uint32_t next = new_packet(state, of);
  const std::uint32_t first = state.pairs[message.pair].first;
  state.packets[next].pair_queue = first;
  PairQueue& pair_queue = state.pair_queues[first];
  if (pair_queue.under_way > 0) open(state, first, round);
  if (pair_queue.under_way > 0) watch_window(state, first, round);
  append(state, next, pair_queue);
  if (!may_be_granted(pair_queue, round)) return;
  ComponentState& server = state.servers[pair_queue.component];
  if (server.grants == Grants::kDecided)
    join(state, first, server, round.at);
  else
    enter(state, first, round);
}

}  // namespace

void decide(State& state, std::uint32_t component, const Round& round) {
  ComponentState& server = state.servers[component];
  server.touched = false;
  if (server.held > 0 || server.grant == kNone) return;
  const std::uint32_t index = server.grant;
  PairQueue& pair_queue = state.pair_queues[index];
  server.grant = pair_queue.next_waiting;
  pair_queue.grant = PairQueue::kLongAgo;
  if (pair_queue.under_way > 0) open(state, index, round);
  if (server.grants != Grants::kDecided) return begin_listed(state, index, round);
  const std::uint32_t taken = pair_queue.head;
  pair_queue.head = state.packets[taken].next;
  if (!pair_queue.first) state.work.releases.push_back({index - 1, state.packets[taken].service});
  serve(state, index, taken, round.at, round.at);
  if (has_send_queues(state))
    count_turn(state, index, state.packets[taken].size, {round.at, server.idle_at}, server.grant != kNone);
  if (pair_queue.first) begin_at_source(state, taken, round);
  const Time leaves = pair_queue.last ? server.idle_at : server.idle_at + server.latency;
  const bool comes_back = pass_on(state, taken, index, leaves, round);
  if (pair_queue.head != kNone) watch_next(state, index, round);
  server.wakes = comes_back && pair_queue.ends_service;
  if (pair_queue.head != kNone && !is_queued(pair_queue, round) && !pair_queue.is_blocked()) server.returning = index;
  if (server.grant != kNone || server.returning != kNone) be_woken(state, component, round);
}

void begin_given(State& state, std::uint32_t packet, const Round& round) {
  PairQueue& pair_queue = state.pair_queues[state.pairs[state.messages[state.packets[packet].message].pair].first];
  if (pair_queue.grant <= round.at) pair_queue.grant = PairQueue::kLongAgo;
  begin_at_source(state, packet, round);
}

}  // namespace plumbline::hw::packets
