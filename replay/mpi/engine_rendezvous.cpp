#include "replay/mpi/engine_rendezvous.hpp"

#include <algorithm>
#include <utility>

#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::mpi {
namespace {

// The CPU time of a message of the protocol that has come.
void take_control(Engine& engine, std::uint32_t rank, std::uint32_t peer, TransportId transport) {
  engine.ranks[rank].clock =
      engine.port.receive(rank, peer, 0, engine.costs.control(transport), engine.ranks[rank].clock);
}

void send_data(Engine& engine, std::uint32_t id, Time now) {
  Message& message = engine.messages[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  const MessageCost& cost = engine.costs.of(message.transport, message.bytes);
  const Bytes buffer = engine.costs.send_buffer(message.transport);
  --engine.ranks[source].reactive;
  message.stage = Message::Stage::kData;
  if (engine.costs.progress(message.transport) == hw::Progress::kHardware)
    return inject_by_interface(engine, id, source, receiver, message.bytes, cost, now, buffer);
  take_control(engine, source, receiver, message.transport);
  inject(engine, id, source, receiver, message.bytes, cost, buffer);
}

// The time that the receive takes of its rank is spent here, and not when a call completes it. The rank may be ahead
// of the simulated time then; its sender hears of it when it is over.
void copy_data(Engine& engine, std::uint32_t id) {
  Message& message = engine.messages[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  RankState& state = engine.ranks[receiver];
  const MessageCost& cost = engine.costs.of(message.transport, message.bytes);
  state.clock = engine.port.receive(receiver, source, message.bytes, cost, state.clock);
  expect_to_ask(engine, message, false);
  message.stage = Message::Stage::kDone;
  const std::uint32_t request = message.receive_request;
  const hw::Progress progress = engine.costs.progress(message.transport);
  engine.requests[request].message = kNone;
  if (message.buffered)
    free_message(engine, id);
  else
    engine.port.announce_copied(state.clock, receiver, state.sequence++, id);
  complete(engine, request, state.clock, progress);
}

}  // namespace

bool knows_of(const Engine& engine, const Message& message) {
  if (message.taken || engine.costs.progress(message.transport) != hw::Progress::kInCalls) return true;
  return message.arrived <= engine.ranks[message.channel.receiver].last_progress;
}

void react(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now) {
  const std::uint32_t id = engine.requests[request].message;
  const hw::Progress progress = engine.costs.progress(engine.messages[id].transport);
  RankState& state = engine.ranks[rank];
  if (progress == hw::Progress::kHardware)
    return engine.messages[id].stage == Message::Stage::kRequestArrived ? clear_to_send(engine, id, now)
                                                                        : send_data(engine, id, now);
  if (state.where == Where::kOutside && engine.is_staying(rank, now)) return react_in_stay(engine, rank, request, now);
  if (state.where == Where::kOutside)
    return progress == hw::Progress::kThread ? react_by_thread(engine, rank, request, now)
                                             : add_todo(engine, rank, request);
  state.clock = std::max(state.clock, now);
  do_todo(engine, request);
}

void react_in_stay(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now) {
  Stay& stay = engine.stays[rank];
  RankState& state = engine.ranks[rank];
  const Time own = std::exchange(state.clock, std::max(now, stay.busy));
  do_todo(engine, request);
  stay.busy = std::max(stay.busy, std::exchange(state.clock, own));  // it may have caused more of the same
}

void react_by_thread(Engine& engine, std::uint32_t rank, std::uint32_t request, Time now) {
  LibraryThread& thread = engine.threads[rank];
  RankState& state = engine.ranks[rank];
  const Time begin = std::max({now, state.clock, thread.clock});
  const Time own = std::exchange(state.clock, begin);
  do_todo(engine, request);
  const Time end = std::exchange(state.clock, own);
  thread.stolen += end - begin;
  thread.clock = std::max(thread.clock, end);  // it may have caused more of the same
}

void do_todo(Engine& engine, std::uint32_t id) {
  Request& request = engine.requests[id];
  if (request.state == Request::State::kComplete) {  // of a collective's round
    const std::uint32_t collective = request.owner;
    request.state = Request::State::kFree;
    spend(engine, request);
    free_if_pooled(engine, id);
    return step_done(engine, collective);
  }
  const std::uint32_t message = request.message;
  switch (engine.messages[message].stage) {
    case Message::Stage::kRequestArrived:
      return clear_to_send(engine, message, engine.ranks[rank_of(engine, request)].clock);
    case Message::Stage::kDataArrived:
      return copy_data(engine, message);
    default:
      return send_data(engine, message, engine.ranks[rank_of(engine, request)].clock);
  }
}

void clear_to_send(Engine& engine, std::uint32_t id, Time now) {
  Message& message = engine.messages[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  const MessageCost& control = engine.costs.control(message.transport);
  expect_to_ask(engine, message, engine.costs.receiver_copies(message.transport, message.bytes));
  message.stage = Message::Stage::kClear;
  if (engine.costs.progress(message.transport) == hw::Progress::kHardware)
    return inject_by_interface(engine, id, receiver, source, 0, control, now);
  take_control(engine, receiver, source, message.transport);
  inject(engine, id, receiver, source, 0, control);
}

void data_arrived(Engine& engine, std::uint32_t id, Time now, std::uint32_t sequence) {
  Message& message = engine.messages[id];
  if (engine.costs.receiver_copies(message.transport, message.bytes)) {
    message.stage = Message::Stage::kDataArrived;
    return react(engine, message.channel.receiver, message.receive_request, now);
  }
  if (!message.buffered) free_sender(engine, id, now);
  engine.messages[id].send_request = sequence;
  complete_receive(engine, id, now);
}

void free_sender(Engine& engine, std::uint32_t id, Time now) {
  Message& message = engine.messages[id];
  message.buffered = true;
  const auto [request, progress] = std::pair{message.send_request, engine.costs.progress(message.transport)};
  engine.requests[request].message = kNone;
  if (message.stage == Message::Stage::kDone) free_message(engine, id);  // its receive is over
  complete(engine, request, now, progress);
}

}  // namespace plumbline::replay::mpi
