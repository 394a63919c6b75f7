// Collectives under way: each is a machine that takes one step of its schedule after the other.

#include "base/check.hpp"
#include "replay/mpi/engine.hpp"

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
  for (std::uint32_t* request : {&machines_[id].send_request, &machines_[id].receive_request}) {
    *request = static_cast<std::uint32_t>(requests_.size());
    requests_.push_back({.machine = id});
  }
  return id;
}

// The one in which blocking collectives of a rank run.
std::uint32_t Engine::machine_of(std::uint32_t rank) {
  if (ranks_[rank].machine == kNone) ranks_[rank].machine = new_machine();
  return ranks_[rank].machine;
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
  machine.request = request;
  members_[id] = comm_view.members;
  requests_[machine.send_request].rank = rank;
  requests_[machine.receive_request].rank = rank;
  if (request == kNone) {
    ++ranks_[rank].pending;
  } else {
    requests_[request].state = Request::State::kPending;
    ++ranks_[rank].reactive;
  }
  advance(id);
}

void Engine::step_done(std::uint32_t id) {
  Machine& machine = machines_[id];
  if (--machine.pending == 0) advance(id);
}

// Takes steps as long as they are over at once.
void Engine::advance(std::uint32_t id) {
  Machine& machine = machines_[id];
  const std::span<const std::uint32_t> members = members_[id];
  const std::uint32_t comm = machine.space | machine.comm;
  const std::int32_t tag = static_cast<std::int32_t>(machine.sequence);
  machine.advancing = true;
  while (machine.pending == 0) {
    const std::optional<Step> step = step_of(machine.shape, machine.index++);
    if (!step) {
      machine.advancing = false;
      return finish(id);
    }
    machine.pending = (step->to ? 1U : 0U) + (step->from ? 1U : 0U);
    // The size of what comes is known when it comes; a rank in a blocking collective reacts anyway.
    if (step->from) receive(machine.receive_request, {machine.rank, members[*step->from], comm, tag}, 0);
    if (step->to) send(machine.send_request, {members[*step->to], machine.rank, comm, tag}, step->sent, false);
    take_complete(machine.send_request);
    take_complete(machine.receive_request);
  }
  machine.advancing = false;
}

// What was there already costs its time after both have been posted.
void Engine::take_complete(std::uint32_t id) {
  Request& request = requests_[id];
  if (request.state != Request::State::kComplete) return;
  request.state = Request::State::kFree;
  spend(request);
  --machines_[request.machine].pending;
}

void Engine::finish(std::uint32_t id) {
  Machine& machine = machines_[id];
  if (machine.request == kNone) return one_less(machine.rank);
  RankState& state = ranks_[machine.rank];
  --state.reactive;
  machine.next_free = free_machines_;
  free_machines_ = id;
  complete(machine.request, state.clock, hw::Progress::kInCalls);
}

}  // namespace plumbline::replay::mpi
