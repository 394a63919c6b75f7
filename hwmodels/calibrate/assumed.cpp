#include "hwmodels/calibrate/assumed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace plumbline::hw::calibration {
namespace {

constexpr std::string_view kAssumed = "assumed";
// One channel of DDR4-2400 has 19.2 GB/s, a copy reads and writes.
constexpr BytesPerSecond kMemory{10'000'000'000};
constexpr BytesPerSecond kPlenty{1'000'000'000'000};
constexpr char kMessages[] = "assumed: messages were not measured";
constexpr char kNetwork[] = "assumed: the network was not measured, and what it costs is in the figures of the storage";

MessageRange assumed_range(Duration call, Duration latency) {
  MessageRange range;
  range.send = range.receive = {call, 1, kMessages};
  range.latency = {latency, 1, kMessages};
  return range;
}

// Hosts may have any name.
std::string free_switch_name(const Platform& platform) {
  std::string name = "network";
  const auto is_taken = [&](const Node& node) { return node.name == name; };
  while (std::any_of(platform.nodes.begin(), platform.nodes.end(), is_taken)) name += '-';
  return name;
}

}  // namespace

bool is_assumed(const std::string& source) { return source.starts_with(kAssumed); }

bool is_measured(const std::string& source) { return !is_assumed(source) && !source.starts_with("not seen"); }

Parameter<BytesPerSecond> assumed_memory_rate() {
  return {kMemory, 1, "assumed: a copy through one channel of DDR4-2400"};
}

Parameter<Duration> assumed_exclusive_write(const Parameter<Duration>& call) {
  constexpr std::int64_t kPercent = 60;
  return {Duration{call.value.ps / 100 * kPercent}, 0.5,
          "assumed: 60 % of the call, as two writers to one file of ext4 kept each other waiting "
          "(docs/models/storage-bounds.md)"};
}

void assume_network(Platform& platform) {
  const Parameter<BytesPerSecond> plenty{kPlenty, 1, kNetwork};
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  platform.switches.push_back({free_switch_name(platform), plenty});
  for (std::uint32_t node = 0; node < nodes; ++node) {
    platform.nodes[node].interface_rate = plenty;
    Edge& edge = platform.edges.emplace_back();
    edge.name = fmt::format("{}-{}", platform.nodes[node].name, platform.switches.back().name);
    edge.from = node;
    edge.to = nodes;
    edge.latency = {microseconds(1), 1, kNetwork};
    edge.rate = plenty;
  }
}

// About what shared memory takes, and TCP: so that a replay is not without cost, and no more.
void assume_messages(Platform& platform) {
  platform.inside.ranges = {assumed_range(nanoseconds(500), nanoseconds(500))};
  if (platform.edges.empty())
    platform.packets.header = Bytes{0};  // no network: what a message costs beside its bytes is in the ranges
  else
    platform.between.ranges = {assumed_range(microseconds(1), microseconds(10))};
}

}  // namespace plumbline::hw::calibration
