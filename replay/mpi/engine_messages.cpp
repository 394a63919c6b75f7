#include "replay/mpi/engine_messages.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "replay/mpi/engine_rendezvous.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/engine_wildcards.hpp"

namespace plumbline::replay::mpi {
namespace {

bool is_rank(std::uint32_t arrived) { return arrived & kCaughtUp; }

// The first that is posted in its channel and not sent, or a new one.
std::uint32_t message_to_send(Engine& engine, const Channel& channel) {
  RankState& receiver = engine.ranks[channel.receiver];
  if (receiver.receives && engine.awaited[channel.receiver].channel == channel) {
    receiver.receives = false;
    const std::uint32_t id = new_message(engine, channel), request = engine.awaited[channel.receiver].request;
    engine.messages[id].receive_request = request;
    engine.requests[request].message = id;
    return id;
  }
  const Channels::Place place = engine.channels.find(channel, engine.links());
  if (!engine.channels.empty_at(place)) {
    const std::uint32_t front = engine.channels.front_at(place, engine.links());
    if (engine.messages[front].stage == Message::Stage::kNotSent) {
      engine.channels.pop_at(place, engine.links());
      return front;
    }
  }
  const std::uint32_t id = new_message(engine, channel);
  engine.channels.add_at(place, id, engine.links());
  return id;
}

void announce(Engine& engine, std::uint32_t id, Time arrival, std::uint32_t sequence) {
  engine.messages[id].stage = Message::Stage::kEager;
  engine.port.announce(arrival, engine.messages[id].channel.source, sequence, id);
}

// On a network that knows when it arrives.
void send_eager(Engine& engine, std::uint32_t id, const MessageCost& cost) {
  Message& message = engine.messages[id];
  const auto [receiver, from] = std::pair{message.channel.receiver, message.channel.source};
  RankState& source = engine.ranks[from];
  const std::uint32_t sequence = source.sequence++;
  const auto [free, arrival] =
      engine.port.begin_send({id, from, receiver, sequence, Bytes{message.bytes}}, cost, source.clock);
  source.clock = free;
  const RankState& state = engine.ranks[receiver];
  const bool is_posted = message.receive_request != kNone;
  if (arrival <= engine.port.now() || (!is_posted && state.probes)) return announce(engine, id, arrival, sequence);
  if (!is_posted) {
    message.stage = Message::Stage::kHeld;
    message.arrived = arrival;
    message.send_request = sequence;
    return;
  }
  const bool waits_for_it_alone = state.only_messages && state.where == Where::kBlocked && state.pending == 1 &&
                                  state.reactive == 0 && engine.requests[message.receive_request].waited;
  waits_for_it_alone ? take_ahead(engine, id, arrival, sequence) : announce(engine, id, arrival, sequence);
}

// Before its receive is posted; somebody may probe for it.
void arrived_first(Engine& engine, std::uint32_t id, Time now) {
  Message& message = engine.messages[id];
  RankState& receiver = engine.ranks[message.channel.receiver];
  message.arrived = now;
  message.taken = receiver.where != Where::kOutside || engine.is_staying(message.channel.receiver, now);
  if (engine.wildcards && message.channel.comm < kInnerSpace) {
    engine.wildcards->arrived(message.channel.receiver, {message.channel.comm, message.channel.tag}, id,
                              engine.channels.front(message.channel, engine.links()) == id);
    match_wildcards(engine, message.channel.receiver, now, false);
    if (engine.messages[id].receive_request != kNone || engine.messages[id].stage == Message::Stage::kDone) return;
  }
  if (!receiver.probes || !(engine.probes[message.channel.receiver] == message.channel)) return;
  if (engine.channels.front(message.channel, engine.links()) != id) return;
  receiver.probes = false;
  receiver.clock = std::max(receiver.clock, now);
  one_less(engine, message.channel.receiver);
}

// `sequence`: on LogGP, of the transfer.
void delivered(Engine& engine, std::uint32_t id, Time now, std::uint32_t sequence) {
  Message& message = engine.messages[id];
  const bool posted = message.receive_request != kNone;
  switch (message.stage) {
    case Message::Stage::kEager:
      message.stage = Message::Stage::kEagerArrived;
      message.send_request = sequence;
      return posted ? complete_receive(engine, id, now) : arrived_first(engine, id, now);
    case Message::Stage::kRequest:
      message.stage = Message::Stage::kRequestArrived;
      if (!posted) return arrived_first(engine, id, now);
      return react(engine, message.channel.receiver, message.receive_request, now);
    case Message::Stage::kClear:
      message.stage = Message::Stage::kClearArrived;
      return react(engine, message.channel.source, message.send_request, now);
    case Message::Stage::kData:
      return data_arrived(engine, id, now, sequence);
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

}  // namespace

void send(Engine& engine, std::uint32_t request, const Channel& channel, std::uint64_t bytes, bool synchronous) {
  const std::uint32_t id = message_to_send(engine, channel);
  Message& message = engine.messages[id];
  message.bytes = bytes;
  message.send_request = request;
  begin(engine, request, id);
  ++engine.messages_sent;
  RankState& source = engine.ranks[channel.source];
  const MessageCost& cost = engine.costs.of(message.transport, bytes);
  if (!cost.rendezvous && !synchronous) {
    message.stage = Message::Stage::kEager;
    expect_to_ask(engine, message, false);
    if (engine.ahead.empty())
      inject(engine, id, channel.source, channel.receiver, bytes, cost);
    else
      send_eager(engine, id, cost);
    engine.requests[request].message = kNone;
    return complete(engine, request, source.clock, hw::Progress::kInCalls);
  }
  message.stage = Message::Stage::kRequest;
  if (message.receive_request != kNone) expect_to_ask(engine, message, true);
  ++source.reactive;
  inject(engine, id, channel.source, channel.receiver, 0, engine.costs.control(message.transport));
}

void receive(Engine& engine, std::uint32_t request, const Channel& channel, std::uint64_t bytes) {
  const Channels::Place place = engine.channels.find(channel, engine.links());
  const bool is_empty = engine.channels.empty_at(place);
  RankState& state = engine.ranks[channel.receiver];
  // Nobody will ask the rank for anything, so that it need not be counted. Later ones of the channel queue behind it.
  if (is_empty && !state.receives && !engine.may_be_rendezvous(bytes)) {
    if (engine.awaited.empty()) engine.awaited.resize(engine.ranks.size());
    engine.awaited[channel.receiver] = {channel, request};
    state.receives = true;
    return begin(engine, request, kNone);
  }
  if (is_empty || engine.messages[engine.channels.front_at(place, engine.links())].stage == Message::Stage::kNotSent) {
    const std::uint32_t id = new_message(engine, channel);
    engine.channels.add_at(place, id, engine.links());
    engine.messages[id].receive_request = request;
    begin(engine, request, id);
    if (engine.may_be_rendezvous(bytes)) expect_to_ask(engine, engine.messages[id], true);
    return;
  }
  const std::uint32_t id = engine.channels.front_at(place, engine.links());
  engine.channels.pop_at(place, engine.links());
  if (engine.wildcards) tell_wildcards_taken(engine, channel, id);
  Message& message = engine.messages[id];
  message.receive_request = request;
  begin(engine, request, id);
  // The blocking receive is looked at when the rank waits for it: wait(engine).
  if (message.stage == Message::Stage::kHeld && request != engine.blocking_receive(channel.receiver))
    release(engine, id);
  if (message.stage == Message::Stage::kEagerArrived) {
    complete_receive(engine, id, message.arrived);
  } else if (message.stage == Message::Stage::kRequestArrived) {
    if (knows_of(engine, message))
      clear_to_send(engine, id, engine.ranks[channel.receiver].clock);
    else
      add_todo(engine, channel.receiver, request);
  } else if (message.stage == Message::Stage::kRequest) {
    expect_to_ask(engine, message, true);
  }
}

void probe(Engine& engine, std::uint32_t rank, const Channel& channel) {
  RankState& state = engine.ranks[rank];
  const std::optional<std::uint32_t> front = engine.channels.front(channel, engine.links());
  if (front) {
    const Message& message = engine.messages[*front];
    if (message.stage == Message::Stage::kHeld) release(engine, *front);
    if (message.stage == Message::Stage::kEagerArrived || message.stage == Message::Stage::kRequestArrived) {
      state.clock = std::max(state.clock, message.arrived);
      return;
    }
  }
  if (engine.probes.empty()) engine.probes.resize(engine.ranks.size());
  state.probes = true;
  engine.probes[rank] = channel;
  ++state.pending;
}

Duration cpu_time(Engine& engine, std::uint32_t rank, std::uint32_t peer, std::uint64_t bytes) {
  const MessageCost& cost = engine.costs.of(engine.costs.transport(engine.nodes[rank], engine.nodes[peer]), bytes);
  return cost.send + cost.receive;
}

void handle(Engine& engine, sim::Event& event) {
  engine.arrived.clear();
  engine.port.handle(event, engine.arrived);
  for (const std::uint32_t arrived : engine.arrived) {
    if (is_rank(arrived))
      engine.ready.push_back(arrived & ~kCaughtUp);
    else if (arrived & kBuffered)
      free_sender(engine, arrived & ~kBuffered, event.at);
    else
      delivered(engine, arrived, event.at, event.sequence);
  }
}

std::uint64_t unreceived(const Engine& engine) {
  std::uint64_t count = 0;
  engine.channels.for_each([&](std::uint32_t last) {
    std::uint32_t id = last;
    do {
      id = engine.messages[id].next;
      count += engine.messages[id].stage != Message::Stage::kNotSent;
    } while (id != last);
  });
  return count;
}

std::uint32_t new_message(Engine& engine, const Channel& channel) {
  std::uint32_t id = engine.free_messages;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(engine.messages.size());
    engine.messages.emplace_back();
  } else {
    engine.free_messages = engine.messages[id].next;
  }
  engine.messages[id] = {
      .channel = channel,
      .transport = engine.costs.transport(engine.nodes[channel.source], engine.nodes[channel.receiver])};
  return id;
}

void free_message(Engine& engine, std::uint32_t message) {
  engine.messages[message].next = engine.free_messages;
  engine.free_messages = message;
}

void inject(Engine& engine, std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
            const MessageCost& cost, Bytes buffer) {
  RankState& source = engine.ranks[from];
  const Channel& channel = engine.messages[message].channel;
  source.clock =
      engine.port.send({message, from, to, source.sequence++, Bytes{bytes}, channel.comm, channel.tag, buffer}, cost,
                       engine.costs.ordered(engine.messages[message].transport), source.clock);
}

void inject_by_interface(Engine& engine, std::uint32_t message, std::uint32_t from, std::uint32_t to,
                         std::uint64_t bytes, const MessageCost& cost, Time now, Bytes buffer) {
  MessageCost wire = cost;
  wire.send = {};
  const Channel& channel = engine.messages[message].channel;
  engine.port.send({message, from, to, engine.ranks[from].sequence++, Bytes{bytes}, channel.comm, channel.tag, buffer},
                   wire, engine.costs.ordered(engine.messages[message].transport), now);
}

void release(Engine& engine, std::uint32_t id) {
  Message& message = engine.messages[id];
  if (message.arrived <= engine.port.now())
    message.stage = Message::Stage::kEagerArrived;
  else
    announce(engine, id, message.arrived, message.send_request);
}

void take_ahead(Engine& engine, std::uint32_t id, Time arrival, std::uint32_t sequence) {
  const Channel& channel = engine.messages[id].channel;
  Ahead& ahead = engine.ahead[channel.receiver];
  ahead = std::max(ahead, {arrival, channel.source, sequence});
  complete_receive(engine, id, arrival);
}

void expect_to_ask(Engine& engine, Message& message, bool expected) {
  if (message.expected_to_ask == expected) return;
  message.expected_to_ask = expected;
  std::uint32_t& reactive = engine.ranks[message.channel.receiver].reactive;
  expected ? ++reactive : --reactive;
}

}  // namespace plumbline::replay::mpi
