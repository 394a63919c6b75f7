#include "replay/mpi/engine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi {
namespace {

// Added to a rank that has caught up, in place of a message in an event.
constexpr std::uint32_t kCaughtUp = 1U << 31;

constexpr double kMedian = 0.5;

bool is_rank(std::uint32_t arrived) { return arrived & kCaughtUp; }

BytesPerSecond memory_rate(const hw::Node& node) { return node.memory_rate.value; }

}  // namespace

Engine::Engine(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> nodes,
               bool synchronous_sends, const Noise& noise, sim::EventQueue& queue, hw::NetworkOptions options,
               const hw::SamplingOptions& sampling)
    : costs_(platform),
      port_(platform, nodes, noise, queue, options, sampling),
      synchronous_sends_(synchronous_sends),
      nodes_(nodes),
      ranks_(program.ranks()),
      memory_rates_(platform.nodes, memory_rate) {
  first_request_.reserve(program.ranks() + 1);
  first_request_.push_back(0);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    first_request_.push_back(first_request_.back() + program.rank(rank).request_slots + 2);
  requests_.reserve(first_request_.back());
  // Most that are alive at once belong to a request; what is reserved takes no memory until it is used.
  messages_.reserve(first_request_.back());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ranks_[rank].last_progress = {std::numeric_limits<std::int64_t>::min()};
    requests_.resize(first_request_[rank + 1], {.owner = rank});
  }
  if (costs_.any_thread()) threads_.resize(program.ranks(), {ranks_.front().last_progress, {}});
}

Engine::Engine(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
               sim::EventQueue& queue)
    : costs_(platform),
      port_(platform, nodes, noise, queue, {.holds = false}, {.share = kMedian}),
      synchronous_sends_(false),
      nodes_(nodes),
      ranks_(nodes.size()),
      first_request_(nodes.size() + 1),
      memory_rates_(platform.nodes, memory_rate) {
  for (RankState& rank : ranks_) rank.last_progress = {std::numeric_limits<std::int64_t>::min()};
  if (costs_.any_thread()) threads_.resize(nodes.size(), {ranks_.front().last_progress, {}});
}

std::uint32_t Engine::pooled_request(std::uint32_t rank) {
  std::uint32_t id = free_requests_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(requests_.size());
    requests_.emplace_back();
  } else {
    free_requests_ = requests_[id].next;
  }
  requests_[id] = {.owner = rank, .pooled = true};
  return id;
}

std::uint32_t Engine::new_message(const Channel& channel) {
  std::uint32_t id = free_messages_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    free_messages_ = messages_[id].next;
  }
  messages_[id] = {.channel = channel, .transport = costs_.transport(nodes_[channel.source], nodes_[channel.receiver])};
  return id;
}

void Engine::free_message(std::uint32_t message) {
  messages_[message].next = free_messages_;
  free_messages_ = message;
}

// The rank `from` sends something at its clock.
void Engine::inject(std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                    const MessageCost& cost, Bytes buffer) {
  RankState& source = ranks_[from];
  const Channel& channel = messages_[message].channel;
  source.clock = port_.send({message, from, to, source.sequence++, Bytes{bytes}, channel.comm, channel.tag, buffer},
                            cost, costs_.ordered(messages_[message].transport), source.clock);
}

// Its interface does, without its CPU.
void Engine::inject_by_interface(std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                                 const MessageCost& cost, Time now, Bytes buffer) {
  MessageCost wire = cost;
  wire.send = {};
  const Channel& channel = messages_[message].channel;
  port_.send({message, from, to, ranks_[from].sequence++, Bytes{bytes}, channel.comm, channel.tag, buffer}, wire,
             costs_.ordered(messages_[message].transport), now);
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
  const MessageCost& cost = costs_.of(costs_.transport(nodes_[rank], nodes_[peer]), bytes);
  return cost.send + cost.receive;
}

void Engine::do_all_todo(std::uint32_t rank) {
  std::uint32_t& head = deferred_[rank].head;
  while (head != kNone) do_todo(std::exchange(head, requests_[head].next));
}

// The first that is posted in its channel and not sent, or a new one.
std::uint32_t Engine::message_to_send(const Channel& channel) {
  RankState& receiver = ranks_[channel.receiver];
  if (receiver.receives && awaited_[channel.receiver].channel == channel) {
    receiver.receives = false;
    const std::uint32_t id = new_message(channel), request = awaited_[channel.receiver].request;
    messages_[id].receive_request = request;
    requests_[request].message = id;
    return id;
  }
  const Channels::Place place = channels_.find(channel, links());
  if (!channels_.empty_at(place)) {
    const std::uint32_t front = channels_.front_at(place, links());
    if (messages_[front].stage == Message::Stage::kNotSent) {
      channels_.pop_at(place, links());
      return front;
    }
  }
  const std::uint32_t id = new_message(channel);
  channels_.add_at(place, id, links());
  return id;
}

void Engine::send(std::uint32_t request, const Channel& channel, std::uint64_t bytes, bool synchronous) {
  const std::uint32_t id = message_to_send(channel);
  Message& message = messages_[id];
  message.bytes = bytes;
  message.send_request = request;
  begin(request, id);
  ++messages_sent_;
  RankState& source = ranks_[channel.source];
  const MessageCost& cost = costs_.of(message.transport, bytes);
  if (!cost.rendezvous && !synchronous) {
    message.stage = Message::Stage::kEager;
    expect_to_ask(message, false);
    if (ahead_.empty())
      inject(id, channel.source, channel.receiver, bytes, cost);
    else
      send_eager(id, cost);
    requests_[request].message = kNone;
    return complete(request, source.clock, hw::Progress::kInCalls);
  }
  message.stage = Message::Stage::kRequest;
  if (message.receive_request != kNone) expect_to_ask(message, true);
  ++source.reactive;
  inject(id, channel.source, channel.receiver, 0, costs_.control(message.transport));
}

void Engine::receive(std::uint32_t request, const Channel& channel, std::uint64_t bytes) {
  const Channels::Place place = channels_.find(channel, links());
  const bool is_empty = channels_.empty_at(place);
  RankState& state = ranks_[channel.receiver];
  // Nobody will ask the rank for anything, so that it need not be counted. Later ones of the channel queue behind it.
  if (is_empty && !state.receives && !may_be_rendezvous(bytes)) {
    if (awaited_.empty()) awaited_.resize(ranks_.size());
    awaited_[channel.receiver] = {channel, request};
    state.receives = true;
    return begin(request, kNone);
  }
  if (is_empty || messages_[channels_.front_at(place, links())].stage == Message::Stage::kNotSent) {
    const std::uint32_t id = new_message(channel);
    channels_.add_at(place, id, links());
    messages_[id].receive_request = request;
    begin(request, id);
    if (may_be_rendezvous(bytes)) expect_to_ask(messages_[id], true);
    return;
  }
  const std::uint32_t id = channels_.front_at(place, links());
  channels_.pop_at(place, links());
  if (wildcards_) tell_wildcards_taken(channel, id);
  Message& message = messages_[id];
  message.receive_request = request;
  begin(request, id);
  // The blocking receive is looked at when the rank waits for it: wait().
  if (message.stage == Message::Stage::kHeld && request != blocking_receive(channel.receiver)) release(id);
  if (message.stage == Message::Stage::kEagerArrived) {
    complete_receive(id, message.arrived);
  } else if (message.stage == Message::Stage::kRequestArrived) {
    if (knows_of(message))
      clear_to_send(id, ranks_[channel.receiver].clock);
    else
      add_todo(channel.receiver, request);
  } else if (message.stage == Message::Stage::kRequest) {
    expect_to_ask(message, true);
  }
}

void Engine::complete_at(std::uint32_t request, std::uint32_t rank, Time at) {
  Request& r = requests_[request];
  r.owner = rank;
  r.state = Request::State::kComplete;
  r.at = at;
  r.message = kNone;
}

void Engine::begin_other(std::uint32_t request, std::uint32_t rank) {
  Request& r = requests_[request];
  r.owner = rank;
  r.state = Request::State::kPending;
  r.message = kNone;
}

void Engine::end_other(std::uint32_t request, Time now) { complete(request, now, hw::Progress::kInCalls); }

void Engine::wait(std::uint32_t request) {
  Request& r = requests_[request];
  RankState& state = ranks_[rank_of(r)];
  const auto is_held = [&] { return r.message != kNone && messages_[r.message].stage == Message::Stage::kHeld; };
  if (!ahead_.empty() && r.state == Request::State::kPending && is_held()) take_held(request);
  if (r.state == Request::State::kPending) {
    r.waited = true;
    ++state.pending;
  } else if (r.state == Request::State::kComplete) {
    r.state = Request::State::kFree;
    spend(r);
    free_if_pooled(request);
  }
}

// ---- Ahead of the clock

// On a network that knows when it arrives.
void Engine::send_eager(std::uint32_t id, const MessageCost& cost) {
  Message& message = messages_[id];
  const auto [receiver, from] = std::pair{message.channel.receiver, message.channel.source};
  RankState& source = ranks_[from];
  const std::uint32_t sequence = source.sequence++;
  const auto [free, arrival] =
      port_.begin_send({id, from, receiver, sequence, Bytes{message.bytes}}, cost, source.clock);
  source.clock = free;
  const RankState& state = ranks_[receiver];
  const bool is_posted = message.receive_request != kNone;
  if (arrival <= port_.now() || (!is_posted && state.probes)) return announce(id, arrival, sequence);
  if (!is_posted) {
    message.stage = Message::Stage::kHeld;
    message.arrived = arrival;
    message.send_request = sequence;
    return;
  }
  const bool waits_for_it_alone = state.only_messages && state.where == Where::kBlocked && state.pending == 1 &&
                                  state.reactive == 0 && requests_[message.receive_request].waited;
  waits_for_it_alone ? take_ahead(id, arrival, sequence) : announce(id, arrival, sequence);
}

void Engine::announce(std::uint32_t id, Time arrival, std::uint32_t sequence) {
  messages_[id].stage = Message::Stage::kEager;
  port_.announce(arrival, messages_[id].channel.source, sequence, id);
}

// A message that is held is as any other from now on.
void Engine::release(std::uint32_t id) {
  Message& message = messages_[id];
  if (message.arrived <= port_.now())
    message.stage = Message::Stage::kEagerArrived;
  else
    announce(id, message.arrived, message.send_request);
}

// A rank begins to wait for the blocking receive of a message that is held.
void Engine::take_held(std::uint32_t request) {
  const std::uint32_t id = requests_[request].message;
  const Message& message = messages_[id];
  const RankState& state = ranks_[message.channel.receiver];
  if (message.arrived <= port_.now()) return complete_receive(id, message.arrived);
  if (state.pending > 0 || state.reactive > 0) return release(id);
  take_ahead(id, message.arrived, message.send_request);
}

void Engine::take_ahead(std::uint32_t id, Time arrival, std::uint32_t sequence) {
  const Channel& channel = messages_[id].channel;
  Ahead& ahead = ahead_[channel.receiver];
  ahead = std::max(ahead, {arrival, channel.source, sequence});
  complete_receive(id, arrival);
}

void Engine::catch_up(std::uint32_t rank) {
  const Ahead& ahead = ahead_[rank];
  port_.announce(ahead.at, ahead.source, ahead.sequence, kCaughtUp | rank);
}

void Engine::free_if_pooled(std::uint32_t request) {
  if (!requests_[request].pooled) return;
  requests_[request].next = free_requests_;
  free_requests_ = request;
}

void Engine::probe(std::uint32_t rank, const Channel& channel) {
  RankState& state = ranks_[rank];
  const std::optional<std::uint32_t> front = channels_.front(channel, links());
  if (front) {
    const Message& message = messages_[*front];
    if (message.stage == Message::Stage::kHeld) release(*front);
    if (message.stage == Message::Stage::kEagerArrived || message.stage == Message::Stage::kRequestArrived) {
      state.clock = std::max(state.clock, message.arrived);
      return;
    }
  }
  if (probes_.empty()) probes_.resize(ranks_.size());
  state.probes = true;
  probes_[rank] = channel;
  ++state.pending;
}

void Engine::handle(sim::Event& event) {
  arrived_.clear();
  port_.handle(event, arrived_);
  for (const std::uint32_t arrived : arrived_) {
    if (is_rank(arrived))
      ready_.push_back(arrived & ~kCaughtUp);
    else if (arrived & kBuffered)
      free_sender(arrived & ~kBuffered, event.at);
    else
      delivered(arrived, event.at, event.sequence);
  }
}

// `sequence`: on LogGP, of the transfer.
void Engine::delivered(std::uint32_t id, Time now, std::uint32_t sequence) {
  Message& message = messages_[id];
  const bool posted = message.receive_request != kNone;
  switch (message.stage) {
    case Message::Stage::kEager:
      message.stage = Message::Stage::kEagerArrived;
      message.send_request = sequence;
      return posted ? complete_receive(id, now) : arrived_first(id, now);
    case Message::Stage::kRequest:
      message.stage = Message::Stage::kRequestArrived;
      if (!posted) return arrived_first(id, now);
      return react(message.channel.receiver, message.receive_request, now);
    case Message::Stage::kClear:
      message.stage = Message::Stage::kClearArrived;
      return react(message.channel.source, message.send_request, now);
    case Message::Stage::kData:
      return data_arrived(id, now, sequence);
    case Message::Stage::kNotSent:
    case Message::Stage::kHeld:
    case Message::Stage::kEagerArrived:
    case Message::Stage::kRequestArrived:
    case Message::Stage::kClearArrived:
    case Message::Stage::kDataArrived:
    case Message::Stage::kDone:
      PLUMBLINE_CHECK(false, "a message is delivered that was not under way");
  }
}

// Before its receive is posted; somebody may probe for it.
void Engine::arrived_first(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  RankState& receiver = ranks_[message.channel.receiver];
  message.arrived = now;
  message.taken = receiver.where != Where::kOutside || is_staying(message.channel.receiver, now);
  if (wildcards_ && message.channel.comm < kInnerSpace) {
    wildcards_->arrived(message.channel.receiver, {message.channel.comm, message.channel.tag}, id,
                        channels_.front(message.channel, links()) == id);
    match_wildcards(message.channel.receiver, now, false);
    if (messages_[id].receive_request != kNone || messages_[id].stage == Message::Stage::kDone) return;
  }
  if (!receiver.probes || !(probes_[message.channel.receiver] == message.channel)) return;
  if (channels_.front(message.channel, links()) != id) return;
  receiver.probes = false;
  receiver.clock = std::max(receiver.clock, now);
  one_less(message.channel.receiver);
}

// The payload is there and the receive is posted.
void Engine::complete_receive(std::uint32_t id, Time at) {
  Message& message = messages_[id];
  message.stage = Message::Stage::kDone;
  complete(message.receive_request, at, costs_.progress(message.transport));
}

// `progress`: who goes on with the collective that it is a step of.
void Engine::complete(std::uint32_t id, Time at, hw::Progress progress) {
  Request& request = requests_[id];
  const std::uint32_t owner = rank_of(request);
  RankState& state = ranks_[owner];
  request.at = at;
  const bool of_step = request.of_step, of_control = of_step && is_control_message(request.owner);
  if (of_control && !windows_->takes_cpu(request.owner & ~kControlMessage)) return control_without_cpu(id, at);
  const bool is_posted = of_step && !of_control && collectives_[request.owner].advancing;
  if (of_step && !is_posted && state.where != Where::kOutside) {
    const std::uint32_t collective = request.owner;
    request.state = Request::State::kFree;
    spend(request);
    free_if_pooled(id);
    return step_done(collective);
  }
  if (request.waited) {
    request.waited = false;
    request.state = Request::State::kFree;
    spend(request);
    free_if_pooled(id);
    return one_less(owner);
  }
  request.state = Request::State::kComplete;
  if (!of_step || is_posted) return;
  if (is_staying(owner, at)) return react_in_stay(owner, id, at);
  progress == hw::Progress::kThread ? react_by_thread(owner, id, at) : add_todo(owner, id);
}

std::uint32_t Engine::rank_of_step(std::uint32_t owner) const {
  return is_control_message(owner) ? windows_->reader(owner & ~kControlMessage) : collectives_[owner].rank;
}

// What a control message to an interface, or in shared memory, causes.
void Engine::control_without_cpu(std::uint32_t id, Time at) {
  Request& request = requests_[id];
  const std::uint32_t control = request.owner & ~kControlMessage;
  request.state = Request::State::kFree;
  if (request.message != kNone) free_message(std::exchange(request.message, kNone));
  free_if_pooled(id);
  windows_->taken(control, at);
}

// What a complete request takes of its rank's CPU; its message is over.
void Engine::spend(Request& request) {
  const std::uint32_t rank = rank_of(request);
  RankState& state = ranks_[rank];
  state.clock = std::max(state.clock, request.at);
  if (request.message == kNone) return;
  const Message& message = messages_[request.message];
  state.clock = port_.receive(rank, message.channel.source, message.bytes, costs_.of(message.transport, message.bytes),
                              state.clock);
  free_message(std::exchange(request.message, kNone));
}

void Engine::add_todo(std::uint32_t rank, std::uint32_t request) {
  if (deferred_.empty()) deferred_.resize(ranks_.size());
  Deferred& deferred = deferred_[rank];
  requests_[request].next = kNone;
  if (deferred.head == kNone)
    deferred.head = request;
  else
    requests_[deferred.tail].next = request;
  deferred.tail = request;
}

void Engine::one_less(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (--state.pending == 0 && state.where == Where::kBlocked) ready_.push_back(rank);
}

std::uint64_t Engine::unreceived() const {
  std::uint64_t count = 0;
  channels_.for_each([&](std::uint32_t last) {
    std::uint32_t id = last;
    do {
      id = messages_[id].next;
      count += messages_[id].stage != Message::Stage::kNotSent;
    } while (id != last);
  });
  return count;
}

std::span<const Request> Engine::requests_of(std::uint32_t rank) const {
  return std::span(requests_).subspan(first_request_[rank], first_request_[rank + 1] - first_request_[rank]);
}

}  // namespace plumbline::replay::mpi
