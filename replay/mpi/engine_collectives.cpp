#include "replay/mpi/engine_collectives.hpp"

#include <span>
#include <utility>

#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/window_control.hpp"
#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {
namespace {

std::uint32_t new_collective(Engine& engine) {
  if (engine.free_collectives != kNone) {
    const std::uint32_t id = engine.free_collectives;
    engine.free_collectives = engine.collectives[id].next_free;
    return id;
  }
  const std::uint32_t id = static_cast<std::uint32_t>(engine.collectives.size());
  engine.collectives.emplace_back();
  engine.members.emplace_back();
  return id;
}

// The one in which blocking collectives of a rank run.
std::uint32_t collective_of(Engine& engine, std::uint32_t rank) {
  if (engine.blocking_collectives.empty()) engine.blocking_collectives.resize(engine.ranks.size(), kNone);
  std::uint32_t& collective = engine.blocking_collectives[rank];
  if (collective == kNone) collective = new_collective(engine);
  return collective;
}

// Until the rank looks for progress in a later call: leave() puts it where progress() finds it.
void hold(Engine& engine, std::uint32_t id) {
  CollectiveState& collective = engine.collectives[id];
  collective.pending = 1;
  const std::uint32_t request = pooled_request(engine, collective.rank);
  engine.requests[request].owner = id;
  engine.requests[request].of_step = true;
  engine.requests[request].at = engine.ranks[collective.rank].clock;
  engine.requests[request].state = Request::State::kComplete;
  engine.held.push_back(request);
}

void take_complete(Engine& engine, std::uint32_t id) {
  Request& request = engine.requests[id];
  if (request.state != Request::State::kComplete) return;
  spend(engine, request);
  --engine.collectives[request.owner].pending;
  request.state = Request::State::kFree;
  free_if_pooled(engine, id);
}

// What was there already costs its time after all have been posted.
void post_round(Engine& engine, std::uint32_t id, std::span<const collectives::schedules::Transfer> round) {
  CollectiveState& collective = engine.collectives[id];
  const std::span<const std::uint32_t> members = engine.members[id];
  const std::uint32_t comm = collective.space | collective.comm;
  const std::int32_t tag = static_cast<std::int32_t>(collective.sequence);
  const BytesPerSecond memory = engine.memory_rates[engine.nodes[collective.rank]];
  engine.posted.clear();
  for (const collectives::schedules::Transfer& transfer : round) {
    const std::uint32_t peer = members[transfer.peer];
    const std::uint32_t request = pooled_request(engine, collective.rank);
    engine.requests[request].owner = id;
    engine.requests[request].of_step = true;
    engine.posted.push_back(request);
    if (transfer.send)
      send(engine, request, {peer, collective.rank, comm, tag}, transfer.bytes, false);
    else  // the size of what comes is known when it comes; a rank in a blocking collective reacts anyway
      receive(engine, request, {collective.rank, peer, comm, tag}, 0);
    if (transfer.combines && memory.count > 0) collective.combining += transfer_time(Bytes{transfer.bytes}, memory);
  }
  collective.pending = static_cast<std::uint32_t>(engine.posted.size());
  sort_by_arrival(engine, engine.posted);
  for (const std::uint32_t request : engine.posted) take_complete(engine, request);
}

void finish(Engine& engine, std::uint32_t id) {
  CollectiveState& collective = engine.collectives[id];
  engine.expansion.end(collective.shape);
  if (collective.request == kNone) return one_less(engine, collective.rank);
  RankState& state = engine.ranks[collective.rank];
  --state.reactive;
  collective.next_free = engine.free_collectives;
  engine.free_collectives = id;
  complete(engine, collective.request, state.clock, hw::Progress::kInCalls);
}

// Takes rounds as long as they are over at once; of a non-blocking collective the call that starts it takes no more
// than the first one.
void advance(Engine& engine, std::uint32_t id) {
  CollectiveState& collective = engine.collectives[id];
  collective.advancing = true;
  while (collective.pending == 0) {
    if (collective.starting && collective.index == 1) {
      collective.advancing = false;
      return hold(engine, id);
    }
    engine.ranks[collective.rank].clock += std::exchange(collective.combining, {});
    const auto round = engine.expansion.round_of(collective.shape, collective.index++, engine.round);
    if (!round) {
      collective.advancing = false;
      return finish(engine, id);
    }
    post_round(engine, id, *round);
  }
  collective.advancing = false;
}

}  // namespace

void start(Engine& engine, std::uint32_t rank, const collectives::Shape& shape, const CommView& comm_view,
           std::uint32_t comm, std::uint32_t space, std::uint32_t sequence, std::uint32_t request) {
  const std::uint32_t id = request == kNone ? collective_of(engine, rank) : new_collective(engine);
  CollectiveState& collective = engine.collectives[id];
  collective.shape = shape;
  collective.rank = rank;
  collective.comm = comm;
  collective.space = space;
  collective.sequence = sequence;
  collective.index = 0;
  collective.pending = 0;
  collective.combining = {};
  // What waits for a control message is the call in hand.
  const bool blocks =
      request == kNone || (engine.requests[request].of_step && is_control_message(engine.requests[request].owner));
  collective.starting = !blocks;
  collective.request = request;
  engine.members[id] = comm_view.members;
  if (request == kNone) {
    ++engine.ranks[rank].pending;
  } else {
    engine.requests[request].state = Request::State::kPending;
    ++engine.ranks[rank].reactive;
  }
  engine.expansion.begin(shape);
  advance(engine, id);
  engine.collectives[id].starting = false;
}

void step_done(Engine& engine, std::uint32_t id) {
  if (is_control_message(id)) return taken(*engine.windows, id & ~kControlMessage, {});
  CollectiveState& collective = engine.collectives[id];
  if (--collective.pending == 0) advance(engine, id);
}

void release_held(Engine& engine, std::uint32_t rank) {
  std::erase_if(engine.held, [&](std::uint32_t request) {
    if (rank_of(engine, engine.requests[request]) != rank) return false;
    add_todo(engine, rank, request);
    return true;
  });
}

}  // namespace plumbline::replay::mpi
