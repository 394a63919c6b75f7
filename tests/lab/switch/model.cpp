#include "tests/lab/switch/model.hpp"

#include <algorithm>
#include <string>

#include "base/check.hpp"

namespace plumbline::lab {
namespace {

constexpr CableId kNoCable = std::numeric_limits<CableId>::max();
constexpr Bytes kSmallestFrame{14};

Lane make_lane(std::uint32_t to, std::uint64_t seed, const std::string& name) {
  return {to, {}, {}, {}, {}, {}, {}, sim::RandomStream(seed, name)};
}

Cable make_cable(std::uint32_t to0, std::uint32_t to1, std::uint64_t seed, const std::string& name) {
  return {{}, 0, false, {make_lane(to0, seed, name + " 0"), make_lane(to1, seed, name + " 1")}, {}};
}

// Switches form a tree: from each one, the cables towards all ports, by walking away from it.
void find_ways(Fabric& fabric, std::uint32_t start, CableId first, std::uint32_t here, CableId came_over) {
  for (const CableId id : fabric.switches[here].cables) {
    if (id == came_over) continue;
    const CableId way = first == kNoCable ? id : first;
    const Cable& cable = fabric.cables[id];
    if (id < fabric.port_count) {
      fabric.switches[start].towards[id] = way;
      continue;
    }
    const std::uint32_t next = cable.lanes[0].to == here ? cable.lanes[1].to : cable.lanes[0].to;
    find_ways(fabric, start, way, next, id);
  }
}

// The least time from a stage to a delivery that follows from it.
Duration least_hop(const Fabric& fabric) {
  Duration least = seconds(1);
  for (const Cable& cable : fabric.cables)
    for (const Lane& lane : cable.lanes)
      least = std::min(least, cable.delay() + transfer_time(kSmallestFrame + kWireOverhead, lane.rate));
  return least;
}

void set_cable(Fabric& fabric, CableId id, const CableSettings& settings) {
  Cable& cable = fabric.cables[id];
  cable.latency = settings.latency;
  cable.loss = settings.loss;
  cable.half_duplex = settings.half_duplex;
  for (std::size_t i = 0; i < 2; ++i) {
    cable.lanes[i].rate = settings.rate[i];
    cable.lanes[i].limit = id < fabric.port_count && i == 0 ? kAdapterQueue : settings.queue;
  }
}

void add_stage(Fabric& fabric, Stage stage) {
  stage.number = fabric.number++;
  fabric.stages.push(stage);
}

void count_served(Counters& counters, Bytes size, std::uint64_t queue_bytes) {
  ++counters.frames;
  counters.bytes += size.count;
  counters.max_queue_bytes = std::max(counters.max_queue_bytes, queue_bytes);
}

// The end of the service on a lane that starts as soon as the lane, and with half duplex the cable, is free.
Time serve(Cable& cable, Lane& lane, Time at, Bytes wire) {
  Time start = std::max(at, lane.free);
  if (cable.half_duplex) start = std::max({start, cable.lanes[0].free, cable.lanes[1].free});
  lane.free = start + transfer_time(wire, lane.rate);
  return lane.free;
}

// One copy of a frame comes to the near end of a lane.
void enter(Fabric& fabric, CableId id, std::size_t direction, Time at, FrameId frame) {
  Cable& cable = fabric.cables[id];
  Lane& lane = cable.lanes[direction];
  const Bytes size = fabric.passing[frame].size;
  const std::uint64_t waiting = lane.backlog.bytes_at(at);
  if (waiting > lane.limit.count) {
    ++lane.counters.drops;
    return leave(fabric, frame);
  }
  if (cable.loss > 0 && lane.luck.uniform() < cable.loss) {
    ++lane.counters.lost;
    return leave(fabric, frame);
  }
  const Bytes wire = size + kWireOverhead;
  const Time gone = serve(cable, lane, at, wire);
  lane.backlog.add(gone, wire.count);
  count_served(lane.counters, size, waiting + wire.count);
  lane.last_arrival = std::max(lane.last_arrival, gone + cable.delay());
  if (lane.to == kNode)
    fabric.deliveries.push({lane.last_arrival, fabric.number++, frame, id});
  else
    add_stage(fabric, {lane.last_arrival, 0, frame, lane.to, id, false});
}

void pass_backplane(Fabric& fabric, const Stage& stage) {
  Switch& here = fabric.switches[stage.on_switch];
  const Bytes size = fabric.passing[stage.frame].size;
  const std::uint64_t waiting = here.backlog.bytes_at(stage.at);
  if (waiting > kBackplaneQueue.count) {
    ++here.counters.drops;
    return leave(fabric, stage.frame);
  }
  const Bytes wire = size + kWireOverhead;
  here.free = std::max(stage.at, here.free) + transfer_time(wire, here.backplane);
  here.backlog.add(here.free, wire.count);
  count_served(here.counters, size, waiting + wire.count);
  add_stage(fabric, {here.free, 0, stage.frame, stage.on_switch, stage.came_over, true});
}

void send_out(Fabric& fabric, const Stage& stage, CableId id) {
  const std::size_t direction = fabric.cables[id].lanes[0].to == stage.on_switch ? 1 : 0;
  enter(fabric, id, direction, stage.at, stage.frame);
}

void flood(Fabric& fabric, const Stage& stage) {
  const std::vector<CableId>& cables = fabric.switches[stage.on_switch].cables;
  fabric.passing[stage.frame].copies += static_cast<std::uint32_t>(cables.size()) - 1;
  for (const CableId id : cables)
    if (id != stage.came_over) send_out(fabric, stage, id);
  leave(fabric, stage.frame);
}

void forward(Fabric& fabric, const Stage& stage) {
  const PortId destination = fabric.passing[stage.frame].destination;
  if (destination == kEverybody) return flood(fabric, stage);
  const CableId id = fabric.switches[stage.on_switch].towards[destination];
  if (id == stage.came_over) return leave(fabric, stage.frame);
  send_out(fabric, stage, id);
}

}  // namespace

std::uint64_t Backlog::bytes_at(Time now) {
  while (count_ > 0 && ring_[first_].leaves <= now) {
    bytes_ -= ring_[first_].bytes;
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
  }
  return bytes_;
}

void Backlog::add(Time leaves, std::uint64_t bytes) {
  if (count_ == ring_.size()) {
    std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
    first_ = 0;
    ring_.resize(2 * ring_.size());
  }
  ring_[(first_ + count_) & (ring_.size() - 1)] = {leaves, bytes};
  ++count_;
  bytes_ += bytes;
}

Fabric make_fabric(const Settings& settings) {
  Fabric fabric;
  fabric.port_count = static_cast<std::uint32_t>(settings.ports.size());
  for (const SwitchSettings& one : settings.switches)
    fabric.switches.push_back({one.backplane, {}, {}, {}, {}, std::vector<CableId>(settings.ports.size(), kNoCable)});
  for (const PortSettings& port : settings.ports) {
    const CableId id = static_cast<CableId>(fabric.cables.size());
    fabric.cables.push_back(make_cable(port.on_switch, kNode, settings.seed, port.name));
    fabric.switches[port.on_switch].cables.push_back(id);
    set_cable(fabric, id, port.cable);
  }
  for (const UplinkSettings& uplink : settings.uplinks) {
    const CableId id = static_cast<CableId>(fabric.cables.size());
    fabric.cables.push_back(make_cable(uplink.between[1], uplink.between[0], settings.seed, uplink.name));
    for (const std::uint32_t end : uplink.between) fabric.switches[end].cables.push_back(id);
    set_cable(fabric, id, uplink.cable);
  }
  for (std::uint32_t i = 0; i < fabric.switches.size(); ++i) find_ways(fabric, i, kNoCable, i, kNoCable);
  change_allowance(fabric, settings.allowance);
  return fabric;
}

void change_cable(Fabric& fabric, CableId cable, const CableSettings& settings) {
  set_cable(fabric, cable, settings);
  fabric.patience = least_hop(fabric);
}

void change_backplane(Fabric& fabric, std::uint32_t on_switch, BytesPerSecond rate) {
  fabric.switches[on_switch].backplane = rate;
}

void change_allowance(Fabric& fabric, Duration from_node_to_node) {
  for (CableId id = 0; id < fabric.port_count; ++id) fabric.cables[id].allowance = {from_node_to_node.ps / 2};
  fabric.patience = least_hop(fabric);
}

void reset_counters(Fabric& fabric) {
  for (Cable& cable : fabric.cables)
    for (Lane& lane : cable.lanes) lane.counters = {};
  for (Switch& one : fabric.switches) one.counters = {};
}

void take_in(Fabric& fabric, Time now, PortId port, FrameId frame, Bytes size, PortId destination) {
  advance(fabric, now);
  if (frame >= fabric.passing.size()) fabric.passing.resize(frame + 1);
  fabric.passing[frame] = {size, destination, 1};
  enter(fabric, port, 0, now, frame);
}

void advance(Fabric& fabric, Time until) {
  while (!fabric.stages.empty() && fabric.stages.top().at <= until) {
    const Stage stage = fabric.stages.top();
    fabric.stages.pop();
    if (!stage.behind_backplane && fabric.switches[stage.on_switch].backplane.count > 0)
      pass_backplane(fabric, stage);
    else
      forward(fabric, stage);
  }
}

std::optional<Delivery> next_delivery(Fabric& fabric, Time until) {
  if (fabric.deliveries.empty() || fabric.deliveries.top().at > until) return std::nullopt;
  const Delivery delivery = fabric.deliveries.top();
  fabric.deliveries.pop();
  return delivery;
}

void leave(Fabric& fabric, FrameId frame) {
  PLUMBLINE_CHECK(fabric.passing[frame].copies > 0, "a frame leaves the switch twice");
  if (--fabric.passing[frame].copies == 0) fabric.finished.push_back(frame);
}

Time wake_time(const Fabric& fabric) {
  Time wake = kNever;
  if (!fabric.deliveries.empty()) wake = fabric.deliveries.top().at;
  if (!fabric.stages.empty()) wake = std::min(wake, fabric.stages.top().at + fabric.patience);
  return wake;
}

}  // namespace plumbline::lab
