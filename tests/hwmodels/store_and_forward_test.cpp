#include "hwmodels/network/packets/store_and_forward.hpp"

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

TEST(Network, APacketOfNoBytesKeepsItsPlace) {
  NetworkWorld world(shared_link({}), kThousand);
  world.send({0, 0, 2, {1'000}, ns(0)});
  world.send({1, 0, 2, {0}, ns(0)});
  world.send({2, 1, 2, {0}, ns(0)});
  world.send({3, 1, 2, {1'000}, ns(600)});
  world.run();
  EXPECT_EQ(world.delivered(2), ns(0));
  EXPECT_EQ(world.delivered(0), ns(500 + 1'000 + 500));
  EXPECT_EQ(world.delivered(3),
            ns(2'500 + 500));                // at the link from 1500 on: until then message 0 blocks its pair there
  EXPECT_EQ(world.delivered(1), ns(3'000));  // at the link at 2500 for no time, at the interface behind message 3
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

// 2000 ns: message 0 is delivered in round 0 and answered by rank 1 in round 1, when message 1, of a later rank but of
// round 0, is in service already.
TEST(Network, WhatADeliveryCausesBelongsToTheNextRound) {
  const Component one{kOnePerNs, {}, ""};
  NetworkWorld world(Topology({one, one, one}, {{0, 2, {0, 1}}, {1, 3, {2}}, {5, 3, {2}}}), kThousand);
  world.send({0, 0, 2, {1'000}, ns(0)});
  world.send({1, 5, 3, {1'000}, ns(2'000)});
  world.run([&](std::uint32_t message, Time now) {
    if (message == 0) world.send({2, 1, 3, {1'000}, now});
  });
  EXPECT_EQ(world.delivered(0), ns(2'000));
  EXPECT_EQ(world.delivered(1), ns(3'000));
  EXPECT_EQ(world.delivered(2), ns(4'000));
}

// A network, its queue, and all that it says.
struct Driven {
  explicit Driven(Topology made) : topology(std::move(made)), network(topology, kHundredHeader) {}

  // Until nothing is to come before `until`; an event of the caller marks that time.
  void run_to(Time until) {
    queue.push({until, 1'000, 0, 0, 0, 0, 0});
    std::vector<Notification> out;
    while (true) {
      const sim::Event event = queue.pop();
      if (event.component == 1'000) return;
      out.clear();
      network.handle(event, queue, out);
      for (const Notification& note : out) notes.push_back({event.at, note});
    }
  }

  static constexpr Packets kHundredHeader{{1'000}, {100}};
  struct Noted {
    Time at;
    Notification note;
    bool operator==(const Noted&) const = default;
  };
  Topology topology;
  StoreAndForward network;
  sim::EventQueue queue;
  std::vector<Noted> notes;
};
using Kind = Notification::Kind;

TEST(Network, APiecewiseMessageNotifiesEachPacketWithItsPayload) {
  Driven driven(shared_link({}));
  driven.network.send(7, 0, 2, {1'500}, 0, 0, ns(0), driven.queue, {.piecewise = true});
  driven.run_to(ns(10'000));
  // Interface 550 ns, link 1100 ns; the second packet begins at the source when the link has taken the first one.
  const std::vector<Driven::Noted> expected{{ns(0), {Kind::kPacketTaken, 7, {1'000}}},
                                            {ns(550), {Kind::kPacketTaken, 7, {500}}},
                                            {ns(550), {Kind::kSent, 7, {}}},
                                            {ns(2'200), {Kind::kPacketDelivered, 7, {1'000}}},
                                            {ns(2'450), {Kind::kPacketDelivered, 7, {500}}},
                                            {ns(2'450), {Kind::kDelivered, 7, {}}}};
  EXPECT_EQ(driven.notes, expected);
}

TEST(Network, TheSourceMakesAPacketWhenItIsFullOrAllThatIsLeft) {
  Driven driven(shared_link({}));
  const auto message =
      driven.network.send(7, 0, 2, {1'500}, 0, 0, ns(0), driven.queue, {.piecewise = true, .available = Bytes{999}});
  driven.run_to(ns(1'000));
  EXPECT_TRUE(driven.notes.empty());
  driven.network.provide(message, {1}, ns(1'000), driven.queue);  // a full packet
  driven.run_to(ns(5'000));
  ASSERT_EQ(driven.notes.size(), 2U);
  EXPECT_EQ(driven.notes[0], (Driven::Noted{ns(1'000), {Kind::kPacketTaken, 7, {1'000}}}));
  driven.network.provide(message, {499}, ns(5'000), driven.queue);
  driven.run_to(ns(6'000));
  EXPECT_EQ(driven.notes.size(), 2U);
  driven.network.provide(message, {1}, ns(6'000), driven.queue);  // all that is left
  driven.run_to(ns(10'000));
  ASSERT_EQ(driven.notes.size(), 6U);
  EXPECT_EQ(driven.notes[2], (Driven::Noted{ns(6'000), {Kind::kPacketTaken, 7, {500}}}));
  EXPECT_EQ(driven.notes[3], (Driven::Noted{ns(6'000), {Kind::kSent, 7, {}}}));
  EXPECT_EQ(driven.notes[5], (Driven::Noted{ns(6'000 + 250 + 500 + 250), {Kind::kDelivered, 7, {}}}));
}

// Node 2 is held from 1000 to 7000 ns: the packet that its interface serves goes on to its end, the next one waits.
TEST(Network, AHeldNodeBeginsNoServiceUntilItIsResumed) {
  Driven driven(shared_link({}));
  driven.network.send(7, 0, 2, {2'000}, 0, 0, ns(0), driven.queue, {.piecewise = true});
  driven.run_to(ns(1'800));  // the interface of node 2 serves from 1650 to 2200
  driven.network.hold(2);
  driven.run_to(ns(7'000));
  EXPECT_EQ(driven.notes.back(), (Driven::Noted{ns(2'200), {Kind::kPacketDelivered, 7, {1'000}}}));
  driven.network.resume(2, ns(7'000), driven.queue);
  driven.run_to(ns(10'000));
  EXPECT_EQ(driven.notes.back(), (Driven::Noted{ns(7'500), {Kind::kDelivered, 7, {}}}));
}

TEST(Network, AHeldNodeSendsNothing) {
  Driven driven(shared_link({}));
  driven.network.hold(0);
  driven.network.send(7, 0, 2, {1'000}, 0, 0, ns(0), driven.queue);
  driven.network.send(8, 1, 2, {1'000}, 1, 0, ns(0), driven.queue);
  driven.run_to(ns(5'000));
  ASSERT_EQ(driven.notes.size(), 2U);
  EXPECT_EQ(driven.notes[1], (Driven::Noted{ns(550 + 1'100 + 550), {Kind::kDelivered, 8, {}}}));
  driven.network.resume(0, ns(5'000), driven.queue);
  driven.run_to(ns(9'000));
  EXPECT_EQ(driven.notes.back(), (Driven::Noted{ns(5'000 + 550 + 1'100 + 550), {Kind::kDelivered, 7, {}}}));
}

}  // namespace
}  // namespace plumbline::hw
