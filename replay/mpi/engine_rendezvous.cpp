// Rendezvous: requests to send, who answers them and when, the data, and until when its sender waits
// (docs/models/replay-messages.md, replay-progress.md).

#include <algorithm>
#include <utility>

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// Whether the receiver has taken the request to send; else it will when it looks next.
bool Engine::knows_of(const Message& message) const {
  if (message.taken || costs_.progress(message.transport) != hw::Progress::kInCalls) return true;
  return message.arrived <= ranks_[message.channel.receiver].last_progress;
}

// The rank is to go on with a rendezvous: now if it is in MPI or somebody does it for it, else when it looks next.
void Engine::react(std::uint32_t rank, std::uint32_t request, Time now) {
  const std::uint32_t id = requests_[request].message;
  const hw::Progress progress = costs_.progress(messages_[id].transport);
  RankState& state = ranks_[rank];
  if (progress == hw::Progress::kHardware)
    return messages_[id].stage == Message::Stage::kRequestArrived ? clear_to_send(id, now) : send_data(id, now);
  if (state.where == Where::kOutside && is_staying(rank, now)) return react_in_stay(rank, request, now);
  if (state.where == Where::kOutside)
    return progress == hw::Progress::kThread ? react_by_thread(rank, request, now) : add_todo(rank, request);
  state.clock = std::max(state.clock, now);
  do_todo(request);
}

// The next operation begins when it was observed to, as what this costs the CPU was part of the call that was observed.
// The rank may be ahead of the simulated time, in a POSIX call.
void Engine::react_in_stay(std::uint32_t rank, std::uint32_t request, Time now) {
  Stay& stay = stays_[rank];
  RankState& state = ranks_[rank];
  const Time own = std::exchange(state.clock, std::max(now, stay.busy));
  do_todo(request);
  stay.busy = std::max(stay.busy, std::exchange(state.clock, own));  // it may have caused more of the same
}

// Beside what the rank computes, behind what it did in its last call; the rank gets that much less of the CPU.
void Engine::react_by_thread(std::uint32_t rank, std::uint32_t request, Time now) {
  Thread& thread = threads_[rank];
  RankState& state = ranks_[rank];
  const Time begin = std::max({now, state.clock, thread.clock});
  const Time own = std::exchange(state.clock, begin);
  do_todo(request);
  const Time end = std::exchange(state.clock, own);
  thread.stolen += end - begin;
  thread.clock = std::max(thread.clock, end);  // it may have caused more of the same
}

void Engine::do_todo(std::uint32_t id) {
  Request& request = requests_[id];
  if (request.state == Request::State::kComplete) {  // of a collective's round
    const std::uint32_t collective = request.owner;
    request.state = Request::State::kFree;
    spend(request);
    free_if_pooled(id);
    return step_done(collective);
  }
  const std::uint32_t message = request.message;
  switch (messages_[message].stage) {
    case Message::Stage::kRequestArrived:
      return clear_to_send(message, ranks_[rank_of(request)].clock);
    case Message::Stage::kDataArrived:
      return copy_data(message);
    default:
      return send_data(message, ranks_[rank_of(request)].clock);
  }
}

// The CPU time of a message of the protocol that has come.
void Engine::take_control(std::uint32_t rank, std::uint32_t peer, TransportId transport) {
  ranks_[rank].clock = port_.receive(rank, peer, 0, costs_.control(transport), ranks_[rank].clock);
}

void Engine::clear_to_send(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  const MessageCost& control = costs_.control(message.transport);
  expect_to_ask(message, costs_.receiver_copies(message.transport, message.bytes));
  message.stage = Message::Stage::kClear;
  if (costs_.progress(message.transport) == hw::Progress::kHardware)
    return inject_by_interface(id, receiver, source, 0, control, now);
  take_control(receiver, source, message.transport);
  inject(id, receiver, source, 0, control);
}

void Engine::send_data(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  const MessageCost& cost = costs_.of(message.transport, message.bytes);
  const Bytes buffer = costs_.send_buffer(message.transport);
  --ranks_[source].reactive;
  message.stage = Message::Stage::kData;
  if (costs_.progress(message.transport) == hw::Progress::kHardware)
    return inject_by_interface(id, source, receiver, message.bytes, cost, now, buffer);
  take_control(source, receiver, message.transport);
  inject(id, source, receiver, message.bytes, cost, buffer);
}

// With the data the sender is free, unless the receiver copies it.
void Engine::data_arrived(std::uint32_t id, Time now, std::uint32_t sequence) {
  Message& message = messages_[id];
  if (costs_.receiver_copies(message.transport, message.bytes)) {
    message.stage = Message::Stage::kDataArrived;
    return react(message.channel.receiver, message.receive_request, now);
  }
  if (!message.buffered) free_sender(id, now);
  messages_[id].send_request = sequence;
  complete_receive(id, now);
}

// The time that the receive takes of its rank is spent here, and not when a call completes it. The rank may be ahead
// of the simulated time then; its sender hears of it when it is over.
void Engine::copy_data(std::uint32_t id) {
  Message& message = messages_[id];
  const auto [receiver, source] = std::pair{message.channel.receiver, message.channel.source};
  RankState& state = ranks_[receiver];
  const MessageCost& cost = costs_.of(message.transport, message.bytes);
  state.clock = port_.receive(receiver, source, message.bytes, cost, state.clock);
  expect_to_ask(message, false);
  message.stage = Message::Stage::kDone;
  const std::uint32_t request = message.receive_request;
  const hw::Progress progress = costs_.progress(message.transport);
  requests_[request].message = kNone;
  if (message.buffered)
    free_message(id);
  else
    port_.announce_copied(state.clock, receiver, state.sequence++, id);
  complete(request, state.clock, progress);
}

// The data has arrived or been copied, or all of it but what is buffered has left.
void Engine::free_sender(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  message.buffered = true;
  const auto [request, progress] = std::pair{message.send_request, costs_.progress(message.transport)};
  requests_[request].message = kNone;
  if (message.stage == Message::Stage::kDone) free_message(id);  // its receive is over
  complete(request, now, progress);
}

}  // namespace plumbline::replay::mpi
