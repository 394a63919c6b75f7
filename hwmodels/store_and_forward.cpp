#include "hwmodels/store_and_forward.hpp"

#include <algorithm>

namespace plumbline::hw {

StoreAndForward::StoreAndForward(Topology& topology, const Packets& packets) : topology_(topology), sizes_(packets) {
  PLUMBLINE_CHECK(packets.granularity.count > 0, "a packet has room for payload");
  for (const Component& component : topology.components()) {
    Server server;
    server.rate = component.rate;
    server.latency = component.latency;
    servers_.push_back(server);
  }
}

StoreAndForward::Handle StoreAndForward::send(std::uint32_t message, std::uint32_t source_node,
                                              std::uint32_t target_node, Bytes size, std::uint32_t source_rank,
                                              std::uint32_t sequence, Time now, sim::EventQueue& queue,
                                              SendOptions options) {
  PLUMBLINE_CHECK(size.count / sizes_.granularity.count < 0x7fff'ffff, "a message of more than 2^31 packets");
  const std::uint32_t index = new_message();
  Message& record = messages_[index];
  record = {};
  record.left = size;
  record.available = options.available.value_or(size);
  record.id = message;
  record.source_rank = source_rank;
  record.sequence = sequence;
  record.station = first_station(source_node, target_node);
  record.piecewise = options.piecewise;
  record.starved = !next_is_available(record);
  ++messages_under_way_;
  if (!record.starved) push_arrival(new_packet(index), now, queue);
  return index;
}

void StoreAndForward::provide(Handle message, Bytes more, Time now, sim::EventQueue& queue) {
  Message& record = messages_[message];
  record.available += more;
  PLUMBLINE_CHECK(record.available <= record.left, "no more is provided than the message has");
  if (!record.starved || !next_is_available(record)) return;
  record.starved = false;
  push_arrival(new_packet(message), now, queue);
}

void StoreAndForward::hold(std::uint32_t node) {
  if (held_.size() <= node) held_.resize(node + 1);
  held_[node] = true;
}

void StoreAndForward::resume(std::uint32_t node, Time now, sim::EventQueue& queue) {
  held_[node] = false;
  for (std::uint32_t component = 0; component < servers_.size(); ++component)
    if (servers_[component].node == node) queue.push({now, component, kResume, 0, 0, 0, 0});
}

bool StoreAndForward::held(const Server& server) const { return server.node < held_.size() && held_[server.node]; }

bool StoreAndForward::next_is_available(const Message& message) const {
  return message.available >= std::min(message.left, sizes_.granularity);
}

void StoreAndForward::push_arrival(std::uint32_t packet, Time now, sim::EventQueue& queue) {
  const Packet& first = packets_[packet];
  const Message& message = messages_[first.message];
  queue.push(
      {now, stations_[first.station].component, kArrival, message.source_rank, message.sequence, first.number, packet});
}

void StoreAndForward::handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out) {
  const Step step{event.at, queue, out};
  switch (event.kind) {
    case kArrival:
      arrive(event.payload, step);
      break;
    case kServiceEnd:
      end_service(event.payload, step);
      break;
    case kFree:
      servers_[event.component].busy = false;
      serve_next(event.component, step);
      break;
    default:
      serve_next(event.component, step);
  }
}

std::uint32_t StoreAndForward::first_station(std::uint32_t source_node, std::uint32_t target_node) {
  const std::uint64_t key = static_cast<std::uint64_t>(source_node) << 32 | target_node;
  const auto known = pairs_.find(key);
  if (known != pairs_.end()) return known->second;
  const std::uint32_t first = static_cast<std::uint32_t>(stations_.size());
  for (const ComponentId component : topology_.route(source_node, target_node)) {
    Server& server = servers_[component];
    server.window = server.latency + transfer_time(sizes_.granularity, server.rate);
    Station station;
    station.component = component;
    stations_.push_back(station);
  }
  stations_[first].first = true;
  stations_.back().last = true;
  servers_[stations_[first].component].node = source_node;
  servers_[stations_.back().component].node = target_node;
  pairs_.emplace(key, first);
  return first;
}

std::uint32_t StoreAndForward::new_message() {
  if (free_messages_ == kNone) {
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t record = free_messages_;
  free_messages_ = messages_[record].next_free;
  return record;
}

// The next packet of a message, taken from what is left of it; the first one carries the header.
std::uint32_t StoreAndForward::new_packet(std::uint32_t message) {
  Message& record = messages_[message];
  const Bytes payload = std::min(record.left, sizes_.granularity);
  const std::uint32_t number = record.packets++;
  record.left = record.left - payload;
  record.available = record.available - payload;
  std::uint32_t index = free_packets_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(packets_.size());
    packets_.emplace_back();
  } else {
    free_packets_ = packets_[index].next;
  }
  Packet& packet = packets_[index];
  packet.size = number == 0 ? payload + sizes_.header : payload;
  packet.service = {};
  packet.message = message;
  packet.station = record.station;
  packet.next = kNone;
  packet.number = number & 0x7fff'ffffU;
  packet.last = record.left.count == 0 ? 1U : 0U;
  return index;
}

void StoreAndForward::free_packet(std::uint32_t packet) {
  packets_[packet].next = free_packets_;
  free_packets_ = packet;
}

Duration StoreAndForward::service_time(Server& server, Bytes size) {
  if (server.known_size != size) {
    server.known_size = size;
    server.known_time = transfer_time(size, server.rate);
  }
  return server.known_time;
}

void StoreAndForward::arrive(std::uint32_t packet, const Step& step) {
  append(packet);
  serve_next(stations_[packets_[packet].station].component, step);
}

// To the packets that wait in the station.
void StoreAndForward::append(std::uint32_t packet) {
  const std::uint32_t index = packets_[packet].station;
  Station& station = stations_[index];
  packets_[packet].next = kNone;
  if (station.head == kNone)
    station.head = packet;
  else
    packets_[station.tail].next = packet;
  station.tail = packet;
  queue_if_waiting(index);
}

// At the end of the server's list, when it has packets and may.
void StoreAndForward::queue_if_waiting(std::uint32_t index) {
  Station& station = stations_[index];
  if (station.queued || station.blocked || station.head == kNone) return;
  station.queued = true;
  station.next_turn = kNone;
  Server& server = servers_[station.component];
  if (server.turn == kNone)
    server.turn = index;
  else
    stations_[server.turn_tail].next_turn = index;
  server.turn_tail = index;
}

// An idle server takes one packet of the station whose turn it is.
void StoreAndForward::serve_next(std::uint32_t component, const Step& step) {
  Server& server = servers_[component];
  if (server.busy || server.turn == kNone || held(server)) return;
  const std::uint32_t index = server.turn;
  Station& station = stations_[index];
  server.turn = station.next_turn;
  station.queued = false;
  const std::uint32_t taken = station.head;
  Packet& packet = packets_[taken];
  station.head = packet.next;

  const Duration previous_service = packet.service;
  packet.service = service_time(server, packet.size);
  station.used += packet.service;
  ++station.under_way;
  if (station.used >= server.window) station.blocked = true;
  server.busy = true;
  server.busy_time += packet.service;
  server.served += packet.size;
  ++services_;
  // No other service of this component can end at the same time, so the component alone orders the event.
  step.queue.push({step.now + packet.service, component, kServiceEnd, 0, 0, 0, taken});
  if (station.first)
    begin_at_source(taken, step);
  else
    release(index - 1, previous_service, step);
}

// The source makes the next packet when it begins the service of the one before.
void StoreAndForward::begin_at_source(std::uint32_t index, const Step& step) {
  const Packet packet = packets_[index];
  Message& message = messages_[packet.message];
  if (message.piecewise) step.out.push_back({Notification::Kind::kPacketTaken, message.id, payload(packet)});
  if (packet.last != 0) {
    step.out.push_back({Notification::Kind::kSent, message.id, {}});
    return;
  }
  message.starved = !next_is_available(message);
  if (!message.starved) append(new_packet(packet.message));
}

Bytes StoreAndForward::payload(const Packet& packet) const {
  return packet.number == 0 ? packet.size - sizes_.header : packet.size;
}

void StoreAndForward::end_service(std::uint32_t index, const Step& step) {
  Packet& packet = packets_[index];
  const std::uint32_t station = packet.station;
  const std::uint32_t component = stations_[station].component;
  Server& server = servers_[component];
  const bool notifies = stations_[station].last && messages_[packet.message].piecewise;
  server.busy = notifies;
  queue_if_waiting(station);
  if (notifies) step.queue.push({step.now, component, kFree, 0, 0, 0, 0});  // after a hold() by whoever is notified
  if (stations_[station].last) {
    consume(index, step);
  } else {
    packet.station = station + 1;
    const Message& message = messages_[packet.message];
    const Station& next = stations_[station + 1];
    if (server.latency.ps == 0)
      arrive(index, step);
    else
      step.queue.push({step.now + server.latency, next.component, kArrival, message.source_rank, message.sequence,
                       packet.number, index});
  }
  serve_next(component, step);
}

void StoreAndForward::consume(std::uint32_t index, const Step& step) {
  const Packet packet = packets_[index];
  free_packet(index);
  Message& message = messages_[packet.message];
  if (message.piecewise) step.out.push_back({Notification::Kind::kPacketDelivered, message.id, payload(packet)});
  if (packet.last != 0) {
    step.out.push_back({Notification::Kind::kDelivered, message.id, {}});
    message.next_free = free_messages_;
    free_messages_ = packet.message;
    --messages_under_way_;
  }
  release(packet.station, packet.service, step);
}

// The next station has taken a packet (or the target has consumed it): its service time leaves the window.
void StoreAndForward::release(std::uint32_t index, Duration service, const Step& step) {
  Station& station = stations_[index];
  station.used -= service;
  --station.under_way;
  const Server& server = servers_[station.component];
  if (!station.blocked || (station.under_way > 0 && station.used >= server.window)) return;
  station.blocked = false;
  queue_if_waiting(index);
  serve_next(station.component, step);
}

}  // namespace plumbline::hw
