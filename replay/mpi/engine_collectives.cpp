// Collectives under way: each is a machine that takes one round of its schedule after the other. What a round receives
// and combines costs the CPU one pass over it at the node's memory rate when the round is over
// (docs/models/replay-collectives.md).

#include <utility>

#include "base/check.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {

std::uint32_t Engine::new_machine() {
  if (free_machines_ != kNone) {
    const std::uint32_t id = free_machines_;
    free_machines_ = machines_[id].next_free;
    return id;
  }
  const std::uint32_t id = static_cast<std::uint32_t>(machines_.size());
  machines_.emplace_back();
  members_.emplace_back();
  return id;
}

// The one in which blocking collectives of a rank run.
std::uint32_t Engine::machine_of(std::uint32_t rank) {
  if (blocking_machines_.empty()) blocking_machines_.resize(ranks_.size(), kNone);
  std::uint32_t& machine = blocking_machines_[rank];
  if (machine == kNone) machine = new_machine();
  return machine;
}

void Engine::start(std::uint32_t rank, const Shape& shape, const CommView& comm_view, std::uint32_t comm,
                   std::uint32_t space, std::uint32_t sequence, std::uint32_t request) {
  const std::uint32_t id = request == kNone ? machine_of(rank) : new_machine();
  Machine& machine = machines_[id];
  machine.shape = shape;
  machine.rank = rank;
  machine.comm = comm;
  machine.space = space;
  machine.sequence = sequence;
  machine.index = 0;
  machine.pending = 0;
  machine.combining = {};
  // What waits for a letter is the call in hand.
  const bool blocks = request == kNone || (requests_[request].of_step && is_letter(requests_[request].owner));
  machine.starting = !blocks;
  machine.request = request;
  members_[id] = comm_view.members;
  if (request == kNone) {
    ++ranks_[rank].pending;
  } else {
    requests_[request].state = Request::State::kPending;
    ++ranks_[rank].reactive;
  }
  expansion_.begin(shape);
  advance(id);
  machines_[id].starting = false;
}

// A letter is over at once.
void Engine::step_done(std::uint32_t id) {
  if (is_letter(id)) return windows_->taken(id & ~kLetter, {});
  Machine& machine = machines_[id];
  if (--machine.pending == 0) advance(id);
}

// Takes rounds as long as they are over at once; of a non-blocking collective the call that starts it takes no more
// than the first one.
void Engine::advance(std::uint32_t id) {
  Machine& machine = machines_[id];
  machine.advancing = true;
  while (machine.pending == 0) {
    if (machine.starting && machine.index == 1) {
      machine.advancing = false;
      return hold(id);
    }
    ranks_[machine.rank].clock += std::exchange(machine.combining, {});
    const auto round = expansion_.round_of(machine.shape, machine.index++, round_);
    if (!round) {
      machine.advancing = false;
      return finish(id);
    }
    post_round(id, *round);
  }
  machine.advancing = false;
}

// Until the rank looks for progress in a later call: leave() puts it where look() finds it.
void Engine::hold(std::uint32_t id) {
  Machine& machine = machines_[id];
  machine.pending = 1;
  const std::uint32_t request = pooled_request(machine.rank);
  requests_[request].owner = id;
  requests_[request].of_step = true;
  requests_[request].at = ranks_[machine.rank].clock;
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
  Machine& machine = machines_[id];
  const std::span<const std::uint32_t> members = members_[id];
  const std::uint32_t comm = machine.space | machine.comm;
  const std::int32_t tag = static_cast<std::int32_t>(machine.sequence);
  const BytesPerSecond memory = memory_rates_[nodes_[machine.rank]];
  posted_.clear();
  for (const schedules::Transfer& transfer : round) {
    const std::uint32_t peer = members[transfer.peer];
    const std::uint32_t request = pooled_request(machine.rank);
    requests_[request].owner = id;
    requests_[request].of_step = true;
    posted_.push_back(request);
    if (transfer.send)
      send(request, {peer, machine.rank, comm, tag}, transfer.bytes, false);
    else  // the size of what comes is known when it comes; a rank in a blocking collective reacts anyway
      receive(request, {machine.rank, peer, comm, tag}, 0);
    if (transfer.combines && memory.count > 0) machine.combining += transfer_time(Bytes{transfer.bytes}, memory);
  }
  machine.pending = static_cast<std::uint32_t>(posted_.size());
  sort_by_arrival(posted_);
  for (const std::uint32_t request : posted_) take_complete(request);
}

void Engine::take_complete(std::uint32_t id) {
  Request& request = requests_[id];
  if (request.state != Request::State::kComplete) return;
  spend(request);
  --machines_[request.owner].pending;
  request.state = Request::State::kFree;
  free_if_pooled(id);
}

void Engine::finish(std::uint32_t id) {
  Machine& machine = machines_[id];
  expansion_.end(machine.shape);
  if (machine.request == kNone) return one_less(machine.rank);
  RankState& state = ranks_[machine.rank];
  --state.reactive;
  machine.next_free = free_machines_;
  free_machines_ = id;
  complete(machine.request, state.clock, hw::Progress::kInCalls);
}

}  // namespace plumbline::replay::mpi
