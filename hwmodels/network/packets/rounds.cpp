#include "hwmodels/network/packets/rounds.hpp"

#include <span>
#include <utility>
#include <vector>

#include "hwmodels/network/packets/decisions.hpp"
#include "hwmodels/network/packets/express.hpp"
#include "hwmodels/network/packets/grants.hpp"
#include "hwmodels/network/packets/holds.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/steps.hpp"
#include "hwmodels/network/packets/waiting.hpp"

namespace plumbline::hw::packets {
namespace {

// Whether all that happens in the round is that a packet passes a switch and the cable behind it, as in most rounds.
// Then that is done.
inline bool is_one_passage(State& state, const Round& round) {
  const std::span<const std::uint32_t> signals = round.queue.signals();
  if (signals.size() > 1 || (signals.front() & ~kIndexMask) != kLeaves || !state.work.candidates.empty()) return false;
  const std::uint32_t packet = signals.front() & kIndexMask;
  return passes(state, packet, state.packets[packet].pair_queue, round);
}

void begin_message(State& state, std::uint32_t index, const Round& round) {
  Message& message = state.messages[index];
  if (message.begun) return;
  message.begun = true;
  state.work.beginning.push_back(index);
  if (message.fits_buffer) note(state, Notification::Kind::kBuffered, message, {});
  Pair& pair = state.pairs[message.pair];
  if (!pair.has_ends) {
    pair.has_ends = true;
    add_end(state, pair.source_node, state.pair_queues[pair.first].component, round);
    add_end(state, pair.target_node, state.pair_queues[pair.first + pair.hops - 1].component, round);
  }
  if (state.options.express) make_way(state, message, round);
}

// A message, and those that begin with it.
void begin_all(State& state, std::uint32_t message, const Round& round) {
  for (; message != kNone; message = state.messages[message].next) begin_message(state, message, round);
}

// Before anything else of the round, so that nothing that goes express in it has to come back in it.
inline void begin_messages(State& state, const Round& round) {
  for (const std::uint32_t signal : round.queue.signals())
    if ((signal & ~kIndexMask) == kMakes) begin_all(state, signal & kIndexMask, round);
}

// Begins its next service one round later, so that whoever is notified of the packet can hold it first.
void tell(State& state, std::uint32_t component, const Round& round) {
  hold_component(state, component, round);
  push(round, round.at, kGoesOn | (component + 1));
}

// A service ends, unless the one in hand was begun after this signal was pushed.
void end_service(State& state, std::uint32_t component, Time at) {
  ComponentState& server = state.servers[component];
  if (server.idle_at > at) return;
  if (server.returning != kNone) {
    be_candidate(state, server.returning);
    server.returning = kNone;
  }
  if (server.grant != kNone) touch(state, component);
}

void consume(State& state, std::uint32_t index, const Round& round) {
  const std::uint32_t pair_queue = state.packets[index].pair_queue, of = state.packets[index].message;
  const Duration service = state.packets[index].service;
  const bool last = state.packets[index].last != 0;
  Message& message = state.messages[of];
  const Bytes bytes = message.piecewise ? payload(state, state.packets[index]) : Bytes{};
  free_packet(state, index);
  if (state.pair_queues[pair_queue].ends_service)
    release(state, {pair_queue, service});
  else
    open(state, pair_queue, round);
  if (message.piecewise) note(state, Notification::Kind::kPacketDelivered, message, bytes);
  if (last) end_message(state, of);
}

void leave(State& state, std::uint32_t packet, const Round& round) {
  const std::uint32_t index = state.packets[packet].pair_queue;
  const PairQueue& from = state.pair_queues[index];
  if (from.ends_service) end_service(state, from.component, round.at);
  if (!from.last) return arrive(state, packet, index + 1, round);
  if (state.messages[state.packets[packet].message].piecewise) tell(state, from.component, round);
  consume(state, packet, round);
}

void make(State& state, std::uint32_t message, const Round& round) {
  Message& record = state.messages[message];
  record.starved = !next_is_available(state, record);
  if (!record.starved) arrive(state, new_packet(state, message), state.pairs[record.pair].first, round);
}

void make_all(State& state, std::uint32_t message, const Round& round) {
  while (message != kNone) {
    const std::uint32_t next = std::exchange(state.messages[message].next, kNone);
    make(state, message, round);
    message = next;
  }
}

void update(State& state, const Round& round, std::uint32_t signal) {
  const std::uint32_t index = signal & kIndexMask;
  if ((signal & ~kIndexMask) == kLeaves) return leave(state, index, round);  // most
  switch (signal & ~kIndexMask) {
    case kWakes:
      return end_service(state, index, round.at);
    case kMakes:
      return make_all(state, index, round);
    case kGoesOn:
      if (index > 0 && let_go(state, index - 1)) end_service(state, index - 1, round.at);
      return;
    case kOpens:
      return open(state, index, round);
    case kReturns:
      open(state, index, round);
      return be_candidate(state, index);
    case kBegins:
      return state.work.begun.push_back(index);
    default:
      return update_express(state, round, signal & ~kIndexMask, index);
  }
}

void update_all(State& state, const Round& round) {
  const std::span<const std::uint32_t> signals = round.queue.signals();
  begin_messages(state, round);
  state.work.nothing_else = signals.size() == 1 && state.work.beginning.size() <= 1 && state.work.candidates.empty() &&
                            state.work.emitted.empty();
  for (const std::uint32_t signal : signals) update(state, round, signal);
  state.work.nothing_else = false;
  for (const std::uint32_t signal : state.work.emitted) update(state, round, signal);
  state.work.emitted.clear();
  if (!state.work.beginning.empty()) end_of_beginnings(state);
}

void decide_all(State& state, const Round& round) {
  if (!state.work.tied.empty()) append_tied(state);
  if (!state.work.candidates.empty()) admit(state, round);
  for (const std::uint32_t component : state.work.touched) decide(state, component, round);
  state.work.touched.clear();
  for (const std::uint32_t packet : state.work.begun) begin_given(state, packet, round);
  state.work.begun.clear();
}

// What has been taken in this round opens the windows behind it in the next one.
inline void give_windows_back(State& state) {
  for (const Release& each : state.work.releases) release(state, each);
  state.work.releases.clear();
}

}  // namespace

void handle(State& state, const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out) {
  Round round{event.at, queue.round(), queue};
  if (!is_one_passage(state, round)) {
    state.work.in_round = true;
    update_all(state, round);
    decide_all(state, round);
    state.work.in_round = false;
  }
  give_windows_back(state);
  while (!state.work.candidates.empty() && state.work.notes.empty() && queue.begin_next_round_alone()) {
    ++round.number;
    state.work.in_round = true;
    decide_all(state, round);
    state.work.in_round = false;
    give_windows_back(state);
  }
  if (!state.work.candidates.empty()) queue.push_signal({round.at, round.number + 1, kGoesOn});
  if (!state.work.notes.empty()) give_notes(state, out);
}

}  // namespace plumbline::hw::packets
