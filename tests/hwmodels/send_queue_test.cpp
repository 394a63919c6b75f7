// Send queues by hand. That packet engine, express path and the text agree on them: StoreAndForwardExpress.*, half of
// whose random networks have one.

#include <gtest/gtest.h>

#include "network_world.hpp"

namespace plumbline::hw {
namespace {

// Packets of 1000 B without header; the interfaces serve one in 500 ns, the cable of node 0 in 1000 ns, and the way
// from there takes no longer.
constexpr BytesPerSecond kCableRate{1'000'000'000}, kInterfaceRate{2'000'000'000};

Packets with_queue(std::uint64_t bytes) { return {{1'000}, {0}, {Bytes{bytes}, 0, ""}}; }

Time at_ns(std::int64_t n) { return Time{} + nanoseconds(n); }

// 0, 1, 2 are the interfaces of the nodes, 3 is the cable of node 0.
Topology two_targets() {
  const Component interface { kInterfaceRate, {}, "interface" }, cable{kCableRate, {}, "cable"};
  return Topology({interface, interface, interface, cable}, {{0, 1, {0, 3, 1}}, {0, 2, {0, 3, 2}}});
}

// Four packets to each of two nodes at once.
NetworkWorld four_to_each(std::uint64_t queue) {
  NetworkWorld world(two_targets(), with_queue(queue));
  world.send({0, 0, 1, {4'000}, at_ns(0)});
  world.send({1, 0, 2, {4'000}, at_ns(0)});
  world.run();
  return world;
}

TEST(SendQueue, WhatItHoldsLeavesInOneGo) {
  const NetworkWorld world = four_to_each(4'000);
  EXPECT_EQ(world.delivered(0), at_ns(500 + 4 * 1'000 + 500));
  EXPECT_EQ(world.delivered(1), at_ns(500 + 8 * 1'000 + 500));
}

TEST(SendQueue, WhatIsLongerLeavesInBursts) {
  const NetworkWorld world = four_to_each(2'000);
  EXPECT_EQ(world.delivered(0), at_ns(500 + (2 + 2 + 2) * 1'000 + 500));
  EXPECT_EQ(world.delivered(1), at_ns(500 + 8 * 1'000 + 500));
}

TEST(SendQueue, OfAPacketIsNoneAndPacketsTakeTurns) {
  for (const std::uint64_t queue : {0U, 1'000U}) {
    const NetworkWorld world = four_to_each(queue);
    EXPECT_EQ(world.delivered(0), at_ns(500 + 7 * 1'000 + 500)) << queue;
    EXPECT_EQ(world.delivered(1), at_ns(500 + 8 * 1'000 + 500)) << queue;
  }
}

// The packet in service when the small message reaches the cable at 6200 ns began at 5500 ns and counts.
TEST(SendQueue, AMessageWaitsForWhatOthersHaveQueued) {
  struct Case {
    std::uint64_t queue;
    std::int64_t begins;
  };
  for (const auto& [queue, begins] : {Case{0, 6'500}, Case{1'500, 7'500}, Case{3'000, 8'500}, Case{50'000, 20'500}}) {
    NetworkWorld world(two_targets(), with_queue(queue));
    world.send({0, 0, 1, {20'000}, at_ns(0)});
    world.send({1, 0, 2, {1'000}, at_ns(5'700)});
    world.run();
    EXPECT_EQ(world.delivered(1), at_ns(begins + 1'000 + 500)) << queue;
    EXPECT_EQ(world.delivered(0), at_ns(500 + (begins < 20'500 ? 21 : 20) * 1'000 + 500)) << queue;
  }
}

// Two endpoints of a node share the cable. Until 2'500 ns it serves the first one behind the second, by packets, as
// neither is alone; at 10'500 ns packets of both come to it. What the first one sent before is no part of its turn.
TEST(SendQueue, ATurnBeginsAnewWhenTheCableWasIdle) {
  const Component interface { kInterfaceRate, {}, "interface" }, cable{kCableRate, {}, "cable"};
  NetworkWorld world(
      Topology({interface, interface, interface, cable, interface}, {{0, 1, {0, 3, 1}}, {4, 2, {4, 3, 2}}}),
      with_queue(3'000));
  world.send({0, 4, 2, {1'000}, at_ns(0)});
  world.send({1, 0, 1, {1'000}, at_ns(700)});
  world.send({2, 0, 1, {10'000}, at_ns(10'000)});
  world.send({3, 4, 2, {1'000}, at_ns(10'000)});
  world.run();
  EXPECT_EQ(world.delivered(1), at_ns(2'500 + 500));
  EXPECT_EQ(world.delivered(3), at_ns(10'500 + 3'000 + 1'000 + 500));
}

TEST(SendQueue, ChangesNothingForAMessageAlone) {
  for (const std::uint64_t size : {0U, 1U, 1'000U, 20'000U}) {
    NetworkWorld with(two_targets(), with_queue(5'000)), without(two_targets(), with_queue(0));
    for (NetworkWorld* world : {&with, &without}) {
      world->send({0, 0, 1, {size}, at_ns(0)});
      world->run();
    }
    EXPECT_EQ(with.times(), without.times()) << size;
  }
}

}  // namespace
}  // namespace plumbline::hw
