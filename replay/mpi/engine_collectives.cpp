// Collectives under way: each is a collective that takes one round of its schedule after the other. What a round
// receives and combines costs the CPU one pass over it at the node's memory rate when the round is over
// (docs/models/replay-collectives.md).

#include <utility>

#include "base/check.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {

std::uint32_t Engine::new_collective() {
  if (free_collectives_ != kNone) {
    const std::uint32_t id = free_collectives_;
    free_collectives_ = collectives_[id].next_free;
    return id;
  }
  const std::uint32_t id = static_cast<std::uint32_t>(collectives_.size());
  collectives_.emplace_back();
  members_.emplace_back();
  return id;
}

// The one in which blocking collectives of a rank run.
std::uint32_t Engine::collective_of(std::uint32_t rank) {
  if (blocking_collectives_.empty()) blocking_collectives_.resize(ranks_.size(), kNone);
  std::uint32_t& collective = blocking_collectives_[rank];
  if (collective == kNone) collective = new_collective();
  return collective;
}

void Engine::start(std::uint32_t rank, const Shape& shape, const CommView& comm_view, std::uint32_t comm,
                   std::uint32_t space, std::uint32_t sequence, std::uint32_t request) {
  const std::uint32_t id = request == kNone ? collective_of(rank) : new_collective();
  CollectiveState& collective = collectives_[id];
  collective.shape = shape;
  collective.rank = rank;
  collective.comm = comm;
  collective.space = space;
  collective.sequence = sequence;
  collective.index = 0;
  collective.pending = 0;
  collective.combining = {};
  // What waits for a control message is the call in hand.
  const bool blocks = request == kNone || (requests_[request].of_step && is_control_message(requests_[request].owner));
  collective.starting = !blocks;
  collective.request = request;
  members_[id] = comm_view.members;
  if (request == kNone) {
    ++ranks_[rank].pending;
  } else {
    requests_[request].state = Request::State::kPending;
    ++ranks_[rank].reactive;
  }
  expansion_.begin(shape);
  advance(id);
  collectives_[id].starting = false;
}

// A control message is over at once.
void Engine::step_done(std::uint32_t id) {
  if (is_control_message(id)) return windows_->taken(id & ~kControlMessage, {});
  CollectiveState& collective = collectives_[id];
  if (--collective.pending == 0) advance(id);
}

// Takes rounds as long as they are over at once; of a non-blocking collective the call that starts it takes no more
// than the first one.
void Engine::advance(std::uint32_t id) {
  CollectiveState& collective = collectives_[id];
  collective.advancing = true;
  while (collective.pending == 0) {
    if (collective.starting && collective.index == 1) {
      collective.advancing = false;
      return hold(id);
    }
    ranks_[collective.rank].clock += std::exchange(collective.combining, {});
    const auto round = expansion_.round_of(collective.shape, collective.index++, round_);
    if (!round) {
      collective.advancing = false;
      return finish(id);
    }
    post_round(id, *round);
  }
  collective.advancing = false;
}

// Until the rank looks for progress in a later call: leave() puts it where look() finds it.
void Engine::hold(std::uint32_t id) {
  CollectiveState& collective = collectives_[id];
  collective.pending = 1;
  const std::uint32_t request = pooled_request(collective.rank);
  requests_[request].owner = id;
  requests_[request].of_step = true;
  requests_[request].at = ranks_[collective.rank].clock;
  requests_[request].state = Request::State::kComplete;
  held_.push_back(request);
}

void Engine::release_held(std::uint32_t rank) {
  std::erase_if(held_, [&](std::uint32_t request) {
    if (rank_of(requests_[request]) != rank) return false;
    add_todo(rank, request);
    return true;
  });
}

// What was there already costs its time after all have been posted.
void Engine::post_round(std::uint32_t id, std::span<const schedules::Transfer> round) {
  CollectiveState& collective = collectives_[id];
  const std::span<const std::uint32_t> members = members_[id];
  const std::uint32_t comm = collective.space | collective.comm;
  const std::int32_t tag = static_cast<std::int32_t>(collective.sequence);
  const BytesPerSecond memory = memory_rates_[nodes_[collective.rank]];
  posted_.clear();
  for (const schedules::Transfer& transfer : round) {
    const std::uint32_t peer = members[transfer.peer];
    const std::uint32_t request = pooled_request(collective.rank);
    requests_[request].owner = id;
    requests_[request].of_step = true;
    posted_.push_back(request);
    if (transfer.send)
      send(request, {peer, collective.rank, comm, tag}, transfer.bytes, false);
    else  // the size of what comes is known when it comes; a rank in a blocking collective reacts anyway
      receive(request, {collective.rank, peer, comm, tag}, 0);
    if (transfer.combines && memory.count > 0) collective.combining += transfer_time(Bytes{transfer.bytes}, memory);
  }
  collective.pending = static_cast<std::uint32_t>(posted_.size());
  sort_by_arrival(posted_);
  for (const std::uint32_t request : posted_) take_complete(request);
}

void Engine::take_complete(std::uint32_t id) {
  Request& request = requests_[id];
  if (request.state != Request::State::kComplete) return;
  spend(request);
  --collectives_[request.owner].pending;
  request.state = Request::State::kFree;
  free_if_pooled(id);
}

void Engine::finish(std::uint32_t id) {
  CollectiveState& collective = collectives_[id];
  expansion_.end(collective.shape);
  if (collective.request == kNone) return one_less(collective.rank);
  RankState& state = ranks_[collective.rank];
  --state.reactive;
  collective.next_free = free_collectives_;
  free_collectives_ = id;
  complete(collective.request, state.clock, hw::Progress::kInCalls);
}

}  // namespace plumbline::replay::mpi
