#include "replay/mpi/engine.hpp"

#include <algorithm>

namespace plumbline::replay::mpi {

Engine::Engine(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> nodes,
               bool synchronous_sends, sim::EventQueue& queue)
    : topology_(platform),
      network_(topology_, platform.packets),
      costs_(platform),
      queue_(queue),
      components_(static_cast<std::uint32_t>(topology_.components().size())),
      synchronous_sends_(synchronous_sends),
      ranks_(program.ranks()),
      probes_(program.ranks()) {
  first_request_.push_back(0);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ranks_[rank].node = nodes[rank];
    first_request_.push_back(first_request_.back() + program.rank(rank).request_slots + 2);
    requests_.resize(first_request_.back(), {.rank = rank});
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) new_machine();
  for (const hw::Node& node : platform.nodes) memory_rates_.push_back(node.memory_rate.value);
}

Engine::Engine(const hw::Platform& platform, std::span<const std::uint32_t> nodes, sim::EventQueue& queue)
    : topology_(platform),
      network_(topology_, platform.packets),
      costs_(platform),
      queue_(queue),
      components_(static_cast<std::uint32_t>(topology_.components().size())),
      synchronous_sends_(false),
      ranks_(nodes.size()),
      probes_(nodes.size()),
      first_request_(nodes.size() + 1) {
  for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
    ranks_[rank].node = nodes[rank];
    new_machine();
  }
  for (const hw::Node& node : platform.nodes) memory_rates_.push_back(node.memory_rate.value);
}

std::uint32_t Engine::pooled_request(std::uint32_t rank) {
  std::uint32_t id = free_requests_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(requests_.size());
    requests_.emplace_back();
  } else {
    free_requests_ = requests_[id].next;
  }
  requests_[id] = {.pooled = true, .rank = rank};
  return id;
}

std::uint32_t Engine::new_message(const Channel& channel) {
  std::uint32_t id = free_messages_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
    next_message_.push_back(kNone);
  } else {
    free_messages_ = next_message_[id];
  }
  messages_[id] = {.channel = channel, .inside = ranks_[channel.source].node == ranks_[channel.receiver].node};
  return id;
}

void Engine::free_message(std::uint32_t message) {
  next_message_[message] = free_messages_;
  free_messages_ = message;
}

// Puts something on the wire that leaves the rank `from` at its clock.
void Engine::inject(std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                    Duration latency) {
  RankState& source = ranks_[from];
  network_.send(message, source.node, ranks_[to].node, Bytes{bytes}, from, source.sequence++, source.clock + latency,
                queue_);
}

void Engine::begin(std::uint32_t request, std::uint32_t message) {
  requests_[request].state = Request::State::kPending;
  requests_[request].message = message;
}

void Engine::expect_to_ask(Message& message, bool expected) {
  if (message.expected_to_ask == expected) return;
  message.expected_to_ask = expected;
  std::uint32_t& reactive = ranks_[message.channel.receiver].reactive;
  expected ? ++reactive : --reactive;
}

Duration Engine::cpu_time(std::uint32_t rank, std::uint32_t peer, std::uint64_t bytes) {
  const MessageCost& cost = costs_.of(ranks_[rank].node == ranks_[peer].node, bytes);
  return cost.send + cost.receive;
}

void Engine::enter(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.where = Where::kInCall;
  while (state.todo_head != kNone) {
    const std::uint32_t request = state.todo_head;
    state.todo_head = requests_[request].next;
    do_todo(request);
  }
}

void Engine::send(std::uint32_t request, const Channel& channel, std::uint64_t bytes, bool synchronous) {
  const std::size_t slot = channels_.find(channel);
  std::uint32_t id = kNone;
  if (!channels_.empty_at(slot) && messages_[channels_.front_at(slot)].stage == Message::Stage::kNotSent) {
    id = channels_.front_at(slot);
    channels_.pop_at(slot, next_message_);
  } else {
    id = new_message(channel);
    channels_.add_at(slot, channel, id, next_message_);
  }
  Message& message = messages_[id];
  message.bytes = bytes;
  message.send_request = request;
  begin(request, id);
  ++messages_sent_;
  RankState& source = ranks_[channel.source];
  const MessageCost& cost = costs_.of(message.inside, bytes);
  if (!cost.rendezvous && !synchronous) {
    message.stage = Message::Stage::kEager;
    expect_to_ask(message, false);
    source.clock += cost.send;
    inject(id, channel.source, channel.receiver, bytes, cost.latency);
    complete(request, source.clock, {});
    return;
  }
  const MessageCost& control = costs_.of(message.inside, 0);
  message.stage = Message::Stage::kRequest;
  if (message.receive_request != kNone) expect_to_ask(message, true);
  ++source.reactive;
  source.clock += control.send;
  inject(id, channel.source, channel.receiver, 0, control.latency);
}

void Engine::receive(std::uint32_t request, const Channel& channel, std::uint64_t bytes) {
  const std::size_t slot = channels_.find(channel);
  if (channels_.empty_at(slot) || messages_[channels_.front_at(slot)].stage == Message::Stage::kNotSent) {
    const std::uint32_t id = new_message(channel);
    channels_.add_at(slot, channel, id, next_message_);
    messages_[id].receive_request = request;
    begin(request, id);
    if (may_be_rendezvous(bytes)) expect_to_ask(messages_[id], true);
    return;
  }
  const std::uint32_t id = channels_.front_at(slot);
  channels_.pop_at(slot, next_message_);
  Message& message = messages_[id];
  message.receive_request = request;
  begin(request, id);
  if (message.stage == Message::Stage::kEagerArrived) {
    const Time arrived = message.arrived;
    const Duration cost = costs_.of(message.inside, message.bytes).receive;
    free_message(id);
    complete(request, arrived, cost);
  } else if (message.stage == Message::Stage::kRequestArrived) {
    clear_to_send(id);
  } else if (message.stage == Message::Stage::kRequest) {
    expect_to_ask(message, true);
  }
}

void Engine::complete_at(std::uint32_t request, std::uint32_t rank, Time at) {
  Request& r = requests_[request];
  r.rank = rank;
  r.state = Request::State::kComplete;
  r.at = at;
  r.cost = {};
}

void Engine::wait(std::uint32_t request) {
  Request& r = requests_[request];
  RankState& state = ranks_[r.rank];
  if (r.state == Request::State::kPending) {
    r.waited = true;
    ++state.pending;
  } else if (r.state == Request::State::kComplete) {
    r.state = Request::State::kFree;
    spend(state, r.at, r.cost);
    free_if_pooled(request);
  }
}

void Engine::free_if_pooled(std::uint32_t request) {
  if (!requests_[request].pooled) return;
  requests_[request].next = free_requests_;
  free_requests_ = request;
}

void Engine::probe(std::uint32_t rank, const Channel& channel) {
  RankState& state = ranks_[rank];
  const std::optional<std::uint32_t> front = channels_.front(channel);
  if (front) {
    const Message& message = messages_[*front];
    if (message.stage == Message::Stage::kEagerArrived || message.stage == Message::Stage::kRequestArrived) {
      spend(state, message.arrived, {});
      return;
    }
  }
  state.probes = true;
  probes_[rank] = channel;
  ++state.pending;
}

void Engine::handle(const sim::Event& event) {
  notifications_.clear();
  network_.handle(event, queue_, notifications_);
  for (const hw::Notification& note : notifications_)
    if (note.kind == hw::Notification::Kind::kDelivered) delivered(note.message, event.at);
}

void Engine::delivered(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  const bool posted = message.receive_request != kNone;
  switch (message.stage) {
    case Message::Stage::kEager: {
      message.stage = Message::Stage::kEagerArrived;
      if (!posted) return arrived_first(id, now);
      const std::uint32_t request = message.receive_request;
      const Duration cost = costs_.of(message.inside, message.bytes).receive;
      free_message(id);
      return complete(request, now, cost);
    }
    case Message::Stage::kRequest:
      message.stage = Message::Stage::kRequestArrived;
      if (!posted) return arrived_first(id, now);
      return react(message.channel.receiver, message.receive_request, now);
    case Message::Stage::kClear:
      message.stage = Message::Stage::kClearArrived;
      return react(message.channel.source, message.send_request, now);
    case Message::Stage::kData: {
      const Message done = message;
      free_message(id);
      complete(done.send_request, now, {});
      return complete(done.receive_request, now, costs_.of(done.inside, done.bytes).receive);
    }
    case Message::Stage::kNotSent:
    case Message::Stage::kEagerArrived:
    case Message::Stage::kRequestArrived:
    case Message::Stage::kClearArrived:
      PLUMBLINE_CHECK(false, "a message is delivered that was not under way");
  }
}

// Before its receive is posted; somebody may probe for it.
void Engine::arrived_first(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  message.arrived = now;
  RankState& receiver = ranks_[message.channel.receiver];
  if (!receiver.probes || !(probes_[message.channel.receiver] == message.channel)) return;
  if (channels_.front(message.channel) != id) return;
  receiver.probes = false;
  spend(receiver, now, {});
  one_less(message.channel.receiver);
}

// The rank is to answer a rendezvous: now if it is in MPI, else when it next enters it.
void Engine::react(std::uint32_t rank, std::uint32_t request, Time now) {
  RankState& state = ranks_[rank];
  if (state.where == Where::kOutside) return add_todo(rank, request);
  state.clock = std::max(state.clock, now);
  do_todo(request);
}

void Engine::do_todo(std::uint32_t id) {
  Request& request = requests_[id];
  if (request.state == Request::State::kComplete) {  // of a collective's round
    const std::uint32_t machine = request.machine;
    spend(ranks_[request.rank], request.at, request.cost);
    request.state = Request::State::kFree;
    free_if_pooled(id);
    return step_done(machine);
  }
  const std::uint32_t message = request.message;
  if (messages_[message].stage == Message::Stage::kRequestArrived)
    clear_to_send(message);
  else
    send_data(message);
}

void Engine::clear_to_send(std::uint32_t id) {
  Message& message = messages_[id];
  const MessageCost& control = costs_.of(message.inside, 0);
  expect_to_ask(message, false);
  message.stage = Message::Stage::kClear;
  ranks_[message.channel.receiver].clock += control.receive + control.send;
  inject(id, message.channel.receiver, message.channel.source, 0, control.latency);
}

void Engine::send_data(std::uint32_t id) {
  Message& message = messages_[id];
  const Duration control = costs_.of(message.inside, 0).receive;
  const MessageCost& cost = costs_.of(message.inside, message.bytes);
  RankState& source = ranks_[message.channel.source];
  --source.reactive;
  message.stage = Message::Stage::kData;
  source.clock += control + cost.send;
  inject(id, message.channel.source, message.channel.receiver, message.bytes, cost.latency);
}

void Engine::complete(std::uint32_t id, Time at, Duration cost) {
  Request& request = requests_[id];
  RankState& state = ranks_[request.rank];
  request.message = kNone;
  const bool of_step = request.machine != kNone;
  const bool is_posted = of_step && machines_[request.machine].advancing;
  if (of_step && !is_posted && state.where != Where::kOutside) {
    const std::uint32_t machine = request.machine;
    request.state = Request::State::kFree;
    free_if_pooled(id);
    spend(state, at, cost);
    return step_done(machine);
  }
  if (request.waited) {
    request.waited = false;
    request.state = Request::State::kFree;
    const std::uint32_t owner = request.rank;
    free_if_pooled(id);
    spend(state, at, cost);
    return one_less(owner);
  }
  request.state = Request::State::kComplete;
  request.at = at;
  request.cost = cost;
  if (of_step && !is_posted) add_todo(request.rank, id);
}

void Engine::spend(RankState& rank, Time at, Duration cost) { rank.clock = std::max(rank.clock, at) + cost; }

void Engine::add_todo(std::uint32_t rank, std::uint32_t request) {
  RankState& state = ranks_[rank];
  requests_[request].next = kNone;
  if (state.todo_head == kNone)
    state.todo_head = request;
  else
    requests_[state.todo_tail].next = request;
  state.todo_tail = request;
}

void Engine::one_less(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (--state.pending == 0 && state.where == Where::kBlocked) ready_.push_back(rank);
}

std::uint64_t Engine::unreceived() const {
  std::uint64_t count = 0;
  channels_.for_each([&](std::uint32_t head) {
    for (std::uint32_t id = head; id != kNone; id = next_message_[id])
      count += messages_[id].stage != Message::Stage::kNotSent;
  });
  return count;
}

std::span<const Request> Engine::requests_of(std::uint32_t rank) const {
  return std::span(requests_).subspan(first_request_[rank], first_request_[rank + 1] - first_request_[rank]);
}

}  // namespace plumbline::replay::mpi
