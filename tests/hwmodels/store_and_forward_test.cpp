#include "hwmodels/store_and_forward.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "network_world.hpp"

namespace plumbline::hw {
namespace {

// Packets of 1000 B without header and rates of 1 B/ns or 2 B/ns make times that can be computed by hand.
const Packets kThousand{{1'000}, {0}};
constexpr BytesPerSecond kOnePerNs{1'000'000'000}, kTwoPerNs{2'000'000'000};
const Component kFastInterface{kTwoPerNs, {}, "interface"};

Component link(Duration latency) { return {kOnePerNs, latency, "link"}; }
Time ns(std::int64_t n) { return Time{} + nanoseconds(n); }

// 0 and 1 and 2 are interfaces of the nodes 0, 1, 2; 3 is a link that all routes share.
Topology shared_link(Duration latency) {
  return Topology({kFastInterface, kFastInterface, kFastInterface, link(latency)},
                  {{0, 2, {0, 3, 2}}, {1, 2, {1, 3, 2}}});
}

TEST(Network, OnePacketIsStoredAndForwardedInEachComponent) {
  NetworkWorld world(shared_link(nanoseconds(100)), kThousand);
  world.send({7, 0, 2, {1'000}, ns(50)});
  world.run();
  EXPECT_EQ(world.sent(7), ns(50));                                 // begins service at once
  EXPECT_EQ(world.delivered(7), ns(50 + 500 + 1'000 + 100 + 500));  // interface, link, latency, interface
}

TEST(Network, PacketsOfOneMessageFollowEachOtherAtTheRateOfTheSlowestComponent) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {10'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(500 + 10 * 1'000 + 500));
}

TEST(Network, TheSourceMayHaveOnePacketWaitingAtASlowerLink) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {3'000}, ns(0)});
  world.run();
  // Packet 0 begins at the link at 500, then packet 1 begins at the source; it begins at the link at 1500.
  EXPECT_EQ(world.sent(0), ns(1'500));
}

TEST(Network, OnlyTheFirstPacketCarriesTheHeader) {
  NetworkWorld world(shared_link({}), {{1'000}, {100}});
  world.send({0, 0, 2, {2'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(550 + 1'100 + 1'000 + 500));
}

TEST(Network, AnEmptyMessageIsOneHeader) {
  NetworkWorld world(shared_link({}), {{1'000}, {100}});
  world.send({0, 0, 2, {0}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(50 + 100 + 50));
  EXPECT_EQ(world.network().services(), 3U);
}

TEST(Network, AMessageInsideANodeIsServedByItsMemoryAlone) {
  Platform platform;
  platform.nodes.resize(1);
  platform.nodes[0].memory_rate.value = kOnePerNs;
  NetworkWorld world(Topology(platform), kThousand);
  world.send({0, 0, 0, {2'500}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(2'500));
  EXPECT_EQ(world.network().services(), 3U);
}

TEST(Network, TwoFlowsOverOneLinkTakeTwiceAsLong) {
  NetworkWorld alone(shared_link({}), kThousand);
  alone.send({0, 0, 2, {100'000}, ns(0)});
  alone.run();
  EXPECT_EQ(alone.delivered(0), ns(500 + 100'000 + 500));

  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {100'000}, ns(0)});
  world.send({1, 1, 2, {100'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(500 + 199'000 + 500));  // round robin: the last but one packet
  EXPECT_EQ(world.delivered(1), ns(500 + 200'000 + 500));
}

TEST(Network, TwoMessagesOfOnePairTakeTurns) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {10'000}, ns(0)});
  world.send({1, 0, 2, {1'000}, ns(0)});
  world.run();
  // Both have arrived before the first packet of message 0 begins service and its second one is made.
  EXPECT_EQ(world.delivered(1), ns(500 + 2'000 + 500));
  EXPECT_EQ(world.delivered(0), ns(500 + 11'000 + 500));
}

TEST(Network, ALongLinkCarriesSeveralPacketsAtOnce) {
  NetworkWorld world(shared_link(nanoseconds(10'000)), kThousand);
  world.send({0, 0, 2, {20'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(500 + 20 * 1'000 + 10'000 + 500));
}

// Node 0 sends to a slow target 2 and then to a fast target 3 through the same interface: the packets for 2 wait at
// the slow link, and those for 3 pass.
TEST(Network, ASlowTargetStopsOnlyItsOwnPair) {
  const Component slow{{10'000'000}, {}, "slow link"};  // 100 us a packet
  Topology topology({kFastInterface, kFastInterface, kFastInterface, slow, link({})},
                    {{0, 2, {0, 3, 1}}, {0, 3, {0, 4, 2}}});
  NetworkWorld world(std::move(topology), kThousand);
  world.send({0, 0, 2, {100'000}, ns(0)});
  world.send({1, 0, 3, {100'000}, ns(0)});
  world.run();
  EXPECT_LE(world.delivered(1), ns(500 + 100'000 + 500 + 2 * 500));  // at most two packets of the other pair between
  EXPECT_EQ(world.delivered(0), ns(500 + 100 * 100'000 + 500));
}

TEST(Network, SimultaneousMessagesAreOrderedByRankNotByTheOrderOfCalls) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({1, 1, 2, {1'000}, ns(0)});
  world.send({0, 0, 2, {1'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.delivered(0), ns(500 + 1'000 + 500));
  EXPECT_EQ(world.delivered(1), ns(500 + 2'000 + 500));
}

TEST(Network, CountsWhatEachComponentServed) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {10'000}, ns(0)});
  world.run();
  EXPECT_EQ(world.network().busy(3), nanoseconds(10'000));
  EXPECT_EQ(world.network().served(3), Bytes{10'000});
  EXPECT_EQ(world.network().busy(1), Duration{});
}

}  // namespace
}  // namespace plumbline::hw
