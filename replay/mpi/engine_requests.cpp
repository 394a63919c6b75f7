#include "replay/mpi/engine_requests.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_rendezvous.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {
namespace {

// What a control message to an interface, or in shared memory, causes.
void control_without_cpu(Engine& engine, std::uint32_t id, Time at) {
  Request& request = engine.requests[id];
  const std::uint32_t control = request.owner & ~kControlMessage;
  request.state = Request::State::kFree;
  if (request.message != kNone) free_message(engine, std::exchange(request.message, kNone));
  free_if_pooled(engine, id);
  taken(*engine.windows, control, at);
}

// A rank begins to wait for the blocking receive of a message that is held.
void take_held(Engine& engine, std::uint32_t request) {
  const std::uint32_t id = engine.requests[request].message;
  const Message& message = engine.messages[id];
  const RankState& state = engine.ranks[message.channel.receiver];
  if (message.arrived <= engine.port.now()) return complete_receive(engine, id, message.arrived);
  if (state.pending > 0 || state.reactive > 0) return release(engine, id);
  take_ahead(engine, id, message.arrived, message.send_request);
}

}  // namespace

std::uint32_t pooled_request(Engine& engine, std::uint32_t rank) {
  std::uint32_t id = engine.free_requests;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(engine.requests.size());
    engine.requests.emplace_back();
  } else {
    engine.free_requests = engine.requests[id].next;
  }
  engine.requests[id] = {.owner = rank, .pooled = true};
  return id;
}

void complete_at(Engine& engine, std::uint32_t request, std::uint32_t rank, Time at) {
  Request& r = engine.requests[request];
  r.owner = rank;
  r.state = Request::State::kComplete;
  r.at = at;
  r.message = kNone;
}

void begin_other(Engine& engine, std::uint32_t request, std::uint32_t rank) {
  Request& r = engine.requests[request];
  r.owner = rank;
  r.state = Request::State::kPending;
  r.message = kNone;
}

void end_other(Engine& engine, std::uint32_t request, Time now) {
  complete(engine, request, now, hw::Progress::kInCalls);
}

void wait(Engine& engine, std::uint32_t request) {
  Request& r = engine.requests[request];
  RankState& state = engine.ranks[rank_of(engine, r)];
  const auto is_held = [&] { return r.message != kNone && engine.messages[r.message].stage == Message::Stage::kHeld; };
  if (!engine.ahead.empty() && r.state == Request::State::kPending && is_held()) take_held(engine, request);
  if (r.state == Request::State::kPending) {
    r.waited = true;
    ++state.pending;
  } else if (r.state == Request::State::kComplete) {
    r.state = Request::State::kFree;
    spend(engine, r);
    free_if_pooled(engine, request);
  }
}

void wait(Engine& engine, std::span<std::uint32_t> requests) {
  sort_by_arrival(engine, requests);
  for (const std::uint32_t request : requests) wait(engine, request);
}

void begin(Engine& engine, std::uint32_t request, std::uint32_t message) {
  engine.requests[request].state = Request::State::kPending;
  engine.requests[request].message = message;
}

void complete(Engine& engine, std::uint32_t id, Time at, hw::Progress progress) {
  Request& request = engine.requests[id];
  const std::uint32_t owner = rank_of(engine, request);
  RankState& state = engine.ranks[owner];
  request.at = at;
  const bool of_step = request.of_step, of_control = of_step && is_control_message(request.owner);
  if (of_control && !engine.windows->takes_cpu(request.owner & ~kControlMessage))
    return control_without_cpu(engine, id, at);
  const bool is_posted = of_step && !of_control && engine.collectives[request.owner].advancing;
  if (of_step && !is_posted && state.where != Where::kOutside) {
    const std::uint32_t collective = request.owner;
    request.state = Request::State::kFree;
    spend(engine, request);
    free_if_pooled(engine, id);
    return step_done(engine, collective);
  }
  if (request.waited) {
    request.waited = false;
    request.state = Request::State::kFree;
    spend(engine, request);
    free_if_pooled(engine, id);
    return one_less(engine, owner);
  }
  request.state = Request::State::kComplete;
  if (!of_step || is_posted) return;
  if (engine.is_staying(owner, at)) return react_in_stay(engine, owner, id, at);
  progress == hw::Progress::kThread ? react_by_thread(engine, owner, id, at) : add_todo(engine, owner, id);
}

void complete_receive(Engine& engine, std::uint32_t id, Time at) {
  Message& message = engine.messages[id];
  message.stage = Message::Stage::kDone;
  complete(engine, message.receive_request, at, engine.costs.progress(message.transport));
}

void free_if_pooled(Engine& engine, std::uint32_t request) {
  if (!engine.requests[request].pooled) return;
  engine.requests[request].next = engine.free_requests;
  engine.free_requests = request;
}

void spend(Engine& engine, Request& request) {
  const std::uint32_t rank = rank_of(engine, request);
  RankState& state = engine.ranks[rank];
  state.clock = std::max(state.clock, request.at);
  if (request.message == kNone) return;
  const Message& message = engine.messages[request.message];
  state.clock = engine.port.receive(rank, message.channel.source, message.bytes,
                                    engine.costs.of(message.transport, message.bytes), state.clock);
  free_message(engine, std::exchange(request.message, kNone));
}

void add_todo(Engine& engine, std::uint32_t rank, std::uint32_t request) {
  if (engine.deferred.empty()) engine.deferred.resize(engine.ranks.size());
  Deferred& deferred = engine.deferred[rank];
  engine.requests[request].next = kNone;
  if (deferred.head == kNone)
    deferred.head = request;
  else
    engine.requests[deferred.tail].next = request;
  deferred.tail = request;
}

void do_all_todo(Engine& engine, std::uint32_t rank) {
  std::uint32_t& head = engine.deferred[rank].head;
  while (head != kNone) do_todo(engine, std::exchange(head, engine.requests[head].next));
}

void one_less(Engine& engine, std::uint32_t rank) {
  RankState& state = engine.ranks[rank];
  if (--state.pending == 0 && state.where == Where::kBlocked) engine.ready.push_back(rank);
}

std::uint32_t rank_of_step(const Engine& engine, std::uint32_t owner) {
  return is_control_message(owner) ? engine.windows->reader(owner & ~kControlMessage) : engine.collectives[owner].rank;
}

void sort_by_arrival(const Engine& engine, std::span<std::uint32_t> requests) {
  if (!engine.order_matters()) return;
  const auto there = std::partition(requests.begin(), requests.end(), [&engine](std::uint32_t id) {
    return engine.requests[id].state != Request::State::kComplete || engine.requests[id].message == kNone;
  });
  if (requests.end() - there < 2) return;
  std::ranges::sort(there, requests.end(), {}, [&engine](std::uint32_t id) {
    const Request& request = engine.requests[id];
    const Message& message = engine.messages[request.message];
    return std::tuple(request.at, message.channel.source, message.send_request);
  });
}

}  // namespace plumbline::replay::mpi
