// Packet services per second of the store-and-forward network: 64 nodes on one switch, each with one message under way
// to each of four neighbours at a time (the pattern of a 2-D halo exchange), a million messages in all.

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "hwmodels/store_and_forward.hpp"

namespace {

using namespace plumbline;

constexpr std::uint32_t kSide = 8, kNodes = kSide * kSide, kMessages = 1'000'000;

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

void run(Bytes size, std::uint32_t messages) {
  hw::Topology topology(star());
  hw::StoreAndForward network(topology, {});
  sim::EventQueue queue;
  std::vector<std::uint32_t> sequence(kNodes);
  std::uint32_t sent = 0;
  // The number of a message tells its node and direction, so that its delivery starts the next one.
  const auto send = [&](std::uint32_t lane, Time now) {
    const std::uint32_t node = lane / 4;
    network.send(lane, node, neighbour(node, lane % 4), size, node, sequence[node]++, now, queue);
    ++sent;
  };
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t lane = 0; lane < kNodes * 4; ++lane) send(lane, Time{});
  std::vector<hw::Notification> out;
  std::uint64_t events = 0;
  Time end;
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    end = event.at;
    ++events;
    out.clear();
    network.handle(event, queue, out);
    for (const hw::Notification& note : out)
      if (note.kind == hw::Notification::Kind::kDelivered && sent < messages) send(note.message, event.at);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print(
      "network, {} messages of {} B over 5 components: {:.2f} s, {:.2f} M messages/s, {:.2f} M services/s, "
      "{:.2f} M events/s, {:.6f} s simulated\n",
      sent, size.count, took.count(), sent / took.count() * 1e-6,
      static_cast<double>(network.services()) / took.count() * 1e-6, static_cast<double>(events) / took.count() * 1e-6,
      end.seconds());
}

}  // namespace

int main() {
  run({8'192}, kMessages);
  run({1'048'576}, kMessages / 10);
}
