// Packet services per second of the store-and-forward network, CPU seconds, best of five:
// - a binary-tree broadcast of 100 MiB in packets of 100 KiB over 256 nodes: 3.4 M services;
// - one message of 1 GiB over one of these routes, alone;
// - 64 nodes on one switch, each with one message under way to each of four neighbours at a time (the pattern of a 2-D
//   halo exchange), of one packet, with a header and without, and of eleven.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"

namespace {

using namespace plumbline;

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

struct Result {
  std::uint64_t messages = 0, services = 0, rounds = 0;
  Time end;
  double seconds = std::numeric_limits<double>::max();
};

using Delivered = std::function<void(std::uint32_t message, Time now)>;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void run_to_end(hw::StoreAndForward& network, sim::EventQueue& queue, Result& result, const Delivered& delivered) {
  std::vector<hw::Notification> out;
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    result.end = event.at;
    ++result.rounds;
    out.clear();
    network.handle(event, queue, out);
    for (const hw::Notification& note : out)
      if (note.kind == hw::Notification::Kind::kDelivered) delivered(note.message, event.at);
  }
  result.services = network.services();
}

// The nodes of the Westmere cluster of PIOsimHD (Kunkel 2013, doi 10.1007/978-3-642-38750-0_14), one rank on each, on
// one switch: 13 components from node to node.
constexpr std::uint32_t kTreeNodes = 256;

hw::Topology westmere() {
  const hw::Component interface { {40 * kGiB}, {}, "interface" }, memory_link{{3'781 * kMiB}, nanoseconds(79), ""};
  const hw::Component socket{{3'778 * kMiB}, {}, ""}, qpi_link{{3'427 * kMiB}, nanoseconds(38), ""};
  const hw::Component qpi{{10'864 * kMiB}, {}, ""}, ethernet{{75'392'614}, nanoseconds(19'982), ""};
  const std::vector<hw::Component> node{interface, memory_link, memory_link, socket,  qpi_link,
                                        qpi_link,  qpi,         ethernet,    ethernet};
  std::vector<hw::Component> components;
  for (std::uint32_t i = 0; i < kTreeNodes; ++i) components.insert(components.end(), node.begin(), node.end());
  components.push_back({{48'000'000'000}, {}, "switch"});
  const hw::ComponentId device = static_cast<hw::ComponentId>(components.size() - 1);
  std::vector<hw::Route> routes;
  for (std::uint32_t child = 1; child < kTreeNodes; ++child) {
    const std::uint32_t parent = child & (child - 1), up = parent * 9, down = child * 9;
    routes.push_back(
        {parent,
         child,
         {up, up + 1, up + 3, up + 4, up + 6, up + 7, device, down + 8, down + 6, down + 5, down + 3, down + 2, down}});
  }
  return {components, routes};
}

// A node sends to its children all at once when it has the whole message, the largest subtree first.
Result broadcast(bool express) {
  Result result;
  hw::Topology topology = westmere();
  hw::StoreAndForward network(topology, {}, {.express = express, .holds = false});
  sim::EventQueue queue;
  const auto send = [&](std::uint32_t node, Time now) {
    const std::uint32_t subtree = node == 0 ? kTreeNodes : node & (0 - node);
    std::uint32_t sequence = 0;
    for (std::uint32_t i = subtree / 2; i > 0; i /= 2, ++result.messages)
      network.send(node | i, node, node | i, {100 * kMiB}, node, sequence++, now, queue);
  };
  const double begin = cpu_seconds();
  send(0, Time{});
  run_to_end(network, queue, result, send);
  result.seconds = cpu_seconds() - begin;
  return result;
}

Result alone(bool express) {
  Result result;
  hw::Topology topology = westmere();
  hw::StoreAndForward network(topology, {}, {.express = express, .holds = false});
  sim::EventQueue queue;
  const double begin = cpu_seconds();
  network.send(0, 0, 1, {kGiB}, 0, 0, Time{}, queue);
  result.messages = 1;
  run_to_end(network, queue, result, [](std::uint32_t, Time) {});
  result.seconds = cpu_seconds() - begin;
  return result;
}

constexpr std::uint32_t kSide = 8, kNodes = kSide * kSide;

hw::Platform star() {
  hw::Platform platform;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    hw::Node node;
    node.interface_rate.value = {12'500'000'000};
    node.memory_rate.value = {20'000'000'000};
    platform.nodes.push_back(node);
    hw::Edge edge;
    edge.from = i;
    edge.to = kNodes;
    edge.latency.value = microseconds(1);
    edge.rate.value = {12'500'000'000};
    platform.edges.push_back(edge);
  }
  platform.switches.push_back({"s0", {{1'000'000'000'000}, 0, ""}});
  return platform;
}

std::uint32_t neighbour(std::uint32_t node, std::uint32_t direction) {
  const std::uint32_t x = node % kSide, y = node / kSide;
  switch (direction) {
    case 0:
      return y * kSide + (x + kSide - 1) % kSide;
    case 1:
      return y * kSide + (x + 1) % kSide;
    case 2:
      return (y + kSide - 1) % kSide * kSide + x;
    default:
      return (y + 1) % kSide * kSide + x;
  }
}

Result halo(bool express, Bytes size, std::uint32_t messages, const hw::Packets& packets = {}) {
  Result result;
  hw::Topology topology(star());
  hw::StoreAndForward network(topology, packets, {.express = express, .holds = false});
  sim::EventQueue queue;
  std::vector<std::uint32_t> sequence(kNodes);
  // The number of a message tells its node and direction, so that its delivery starts the next one.
  const auto send = [&](std::uint32_t lane, Time now) {
    if (result.messages == messages) return;
    const std::uint32_t node = lane / 4;
    network.send(lane, node, neighbour(node, lane % 4), size, node, sequence[node]++, now, queue);
    ++result.messages;
  };
  const double begin = cpu_seconds();
  for (std::uint32_t lane = 0; lane < kNodes * 4; ++lane) send(lane, Time{});
  run_to_end(network, queue, result, send);
  result.seconds = cpu_seconds() - begin;
  return result;
}

void print_best(const char* what, const std::function<Result(bool express)>& run) {
  for (const bool express : {false, true}) {
    Result best = run(express);
    for (int i = 1; i < 5; ++i) {
      const Result result = run(express);
      if (result.seconds < best.seconds) best = result;
    }
    fmt::print(
        "{}, express {:<3}: {:.3f} s, {:.2f} M services/s, {:.3f} M messages/s, {:.2f} M rounds, {:.12f} s simulated\n",
        what, express ? "on" : "off", best.seconds, static_cast<double>(best.services) / best.seconds * 1e-6,
        static_cast<double>(best.messages) / best.seconds * 1e-6, static_cast<double>(best.rounds) * 1e-6,
        best.end.seconds());
  }
}

}  // namespace

int main() {
  print_best("tree broadcast of 100 MiB, 256 nodes", broadcast);
  print_best("1 GiB alone over 13 components", alone);
  print_best("halo, 1 M messages of 8 KiB", [](bool express) { return halo(express, {8 * kKiB}, 1'000'000); });
  print_best("halo, 1 M messages of 1 KiB without header",
             [](bool express) { return halo(express, {kKiB}, 1'000'000, {.header = {0}}); });
  print_best("halo, 0.1 M messages of 1 MiB", [](bool express) { return halo(express, {kMiB}, 100'000); });
}
