#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/topology/topology.hpp"
#include "network_world.hpp"

namespace plumbline::hw {
namespace {

using testing::ElementsAre;

constexpr BytesPerSecond kOnePerNs{1'000'000'000}, kTwoPerNs{2'000'000'000}, kFourPerNs{4'000'000'000};

Parameter<BytesPerSecond> at(BytesPerSecond rate) { return {rate, 0, ""}; }

Node plain(const char* name) {
  Node node;
  node.name = name;
  node.cores = 4;
  node.memory_rate = at(kOnePerNs);
  node.interface_rate = at(kFourPerNs);
  return node;
}

Node with_sockets(const char* name, std::uint32_t count) {
  Node node = plain(name);
  node.sockets = Sockets{count, at(kTwoPerNs), at(kFourPerNs), {nanoseconds(38), 0, ""}, at(kOnePerNs), at(kFourPerNs)};
  return node;
}

// Nodes "a" of two sockets, "b" of none, "c" of one; a cable from a to b (half-duplex) and one from b to c.
// Components: 0 a interface; 1, 2, 3 a socket 0, out, in; 4, 5, 6 a socket 1, out, in; 7 a interconnect; 8 b interface;
// 9 b memory; 10 c interface; 11, 12, 13 c socket 0, out, in; 14 c interconnect; 15 a-b; 16 and 17 b-c.
// Endpoints: 0 and 1 of a, 2 of b, 3 of c.
Platform three_nodes() {
  Platform platform;
  platform.nodes = {with_sockets("a", 2), plain("b"), with_sockets("c", 1)};
  platform.edges.push_back({"a-b", 0, 1, {microseconds(1), 0, ""}, at(kOnePerNs), true});
  platform.edges.push_back({"b-c", 1, 2, {microseconds(1), 0, ""}, at(kOnePerNs)});
  return platform;
}

TEST(TopologySockets, EndpointsAreSocketsOfNodesInTurn) {
  const Topology topology(three_nodes());
  EXPECT_EQ(topology.endpoints(), 4U);
  EXPECT_EQ(topology.endpoint(0, 1), 1U);
  EXPECT_EQ(topology.endpoint(1, 0), 2U);
  EXPECT_EQ(topology.endpoint(2, 0), 3U);
  EXPECT_EQ(topology.node_of(1), 0U);
  EXPECT_EQ(topology.node_of(3), 2U);
}

TEST(TopologySockets, WhatFeedsAComponentFollowsFromTheGraph) {
  constexpr Feed kEnd = Feed::kEnd, kMany = Feed::kMany, kOne = Feed::kOne, kWhole = Feed::kWhole;
  const std::vector<Feed> truth{kMany,  kEnd,  kOne, kOne, kEnd, kOne,  kOne,  kMany, kEnd,
                                kWhole, kMany, kEnd, kOne, kOne, kMany, kMany, kOne,  kOne};
  Topology topology(three_nodes());
  for (ComponentId id = 0; id < truth.size(); ++id) EXPECT_EQ(topology.feed(id), truth[id]) << "component " << id;
  std::map<ComponentId, std::set<ComponentId>> before;
  for (std::uint32_t source = 0; source < topology.endpoints(); ++source)
    for (std::uint32_t target = 0; target < topology.endpoints(); ++target) {
      const std::span<const ComponentId> route = topology.route(source, target);
      EXPECT_EQ(topology.feed(route.front()), topology.feed(route.back()));
      for (std::size_t i = 1; i < route.size(); ++i) before[route[i]].insert(route[i - 1]);
    }
  for (const auto& [id, those] : before)
    EXPECT_TRUE(topology.feed(id) != kOne || those.size() == 1) << "component " << id;
}

TEST(TopologySockets, WhatFeedsAComponentOfRoutesByHandFollowsFromThem) {
  std::vector<Component> components(8, {kOnePerNs, {}, ""});
  const std::vector<Route> routes{{0, 1, {0, 2, 3, 4}}, {1, 2, {1, 2, 3, 4}}, {2, 3, {0, 2, 3, 5}},
                                  {4, 4, {6}},          {5, 5, {7}},          {5, 6, {7, 4}}};
  const Topology topology(components, routes);
  const std::vector<Feed> truth{Feed::kEnd, Feed::kEnd, Feed::kMany,  Feed::kOne,
                                Feed::kEnd, Feed::kEnd, Feed::kWhole, Feed::kEnd};
  for (ComponentId id = 0; id < truth.size(); ++id) EXPECT_EQ(topology.feed(id), truth[id]) << "component " << id;
  components[2].latency = nanoseconds(1);
  EXPECT_EQ(Topology(components, routes).feed(3), Feed::kOneLater);
}

TEST(TopologySockets, WithoutSocketsEndpointsAreNumberedAsNodes) {
  Platform platform;
  platform.nodes = {plain("a"), plain("b"), plain("c")};
  const Topology topology(platform);
  for (std::uint32_t node = 0; node < 3; ++node) {
    EXPECT_EQ(topology.endpoint(node, 0), node);
    EXPECT_EQ(topology.endpoint_of_rank(node, 7), node);
    EXPECT_EQ(topology.node_of(node), node);
  }
}

TEST(TopologySockets, RanksFillOneSocketAfterTheOther) {
  const Topology topology(three_nodes());  // a has four cores on two sockets
  std::vector<std::uint32_t> endpoints;
  for (std::uint32_t rank = 0; rank < 6; ++rank) endpoints.push_back(topology.endpoint_of_rank(0, rank));
  EXPECT_THAT(endpoints, ElementsAre(0, 0, 1, 1, 0, 0));
  std::vector<std::uint32_t> of_seven;
  for (std::uint32_t rank = 0; rank < 7; ++rank) of_seven.push_back(socket_of_core(2, 7, rank));
  EXPECT_THAT(of_seven, ElementsAre(0, 0, 0, 1, 1, 1, 1));
}

TEST(TopologySockets, InASocketAMessageHasTheLocalRate) {
  Topology topology(three_nodes());
  EXPECT_THAT(topology.route(1, 1), ElementsAre(4));
  EXPECT_THAT(topology.hops(1, 1), ElementsAre(Hop{4, kFourPerNs}));
  EXPECT_EQ(topology.components()[4].rate, kTwoPerNs);
  EXPECT_THAT(topology.hops(2, 2), ElementsAre(Hop{9, kOnePerNs}));
}

TEST(TopologySockets, BetweenTwoSocketsAMessageCrossesTheInterconnect) {
  Topology topology(three_nodes());
  EXPECT_THAT(topology.route(0, 1), ElementsAre(1, 2, 7, 6, 4));
  EXPECT_THAT(topology.route(1, 0), ElementsAre(4, 5, 7, 3, 1));
  EXPECT_EQ(topology.components()[2].latency, nanoseconds(38));
  EXPECT_EQ(topology.components()[2].name, "a socket 0 >");
  EXPECT_EQ(topology.components()[7].name, "a interconnect");
}

TEST(TopologySockets, BetweenNodesARouteLeavesThroughTheInterfaceAndPassesOthersByTheirs) {
  Topology topology(three_nodes());
  EXPECT_THAT(topology.route(1, 3), ElementsAre(4, 5, 7, 0, 15, 8, 16, 10, 14, 13, 11));
  EXPECT_THAT(topology.route(3, 2), ElementsAre(11, 12, 14, 10, 17, 8));
}

TEST(TopologySockets, AHalfDuplexEdgeIsOneComponentForBothDirections) {
  Topology topology(three_nodes());
  EXPECT_THAT(topology.route(0, 2), ElementsAre(1, 2, 7, 0, 15, 8));
  EXPECT_THAT(topology.route(2, 0), ElementsAre(8, 15, 0, 7, 3, 1));
  EXPECT_EQ(topology.components()[15].name, "a-b <>");
  EXPECT_EQ(topology.components()[16].name, "b-c >");
}

// 1000 B both ways at once over a link of 1 B/ns, interfaces of 4 B/ns.
TEST(TopologySockets, OnAHalfDuplexEdgeDirectionsTakeTurns) {
  Platform platform;
  platform.nodes = {plain("a"), plain("b")};
  platform.edges.push_back({"a-b", 0, 1, {}, at(kOnePerNs), false});
  platform.packets = {{1'000}, {0}};
  for (const bool half : {false, true}) {
    platform.edges[0].half_duplex = half;
    NetworkWorld world(Topology(platform), platform.packets);
    world.send({0, 0, 1, {1'000}, {}});
    world.send({1, 1, 0, {1'000}, {}});
    world.run();
    EXPECT_EQ(world.delivered(0), Time{} + nanoseconds(250 + 1'000 + 250));
    EXPECT_EQ(world.delivered(1), Time{} + nanoseconds(250 + (half ? 2'000 : 1'000) + 250));
  }
}

TEST(TopologySockets, IdleTimeUsesTheLocalRate) {
  Topology topology(three_nodes());
  const Packets packets{{1'000}, {0}};
  EXPECT_EQ(idle_time(topology, topology.hops(0, 0), {4'000}, packets), nanoseconds(1'000));
  // 500 socket, 1000 link, 38 latency, 250 interconnect, 1000 link, 38, 500 socket
  EXPECT_EQ(idle_time(topology, topology.hops(0, 1), {1'000}, packets), nanoseconds(3'326));
}

TEST(TopologySockets, AFixedRouteWinsOverTheShortestWayInItsDirectionOnly) {
  Platform platform;
  platform.nodes = {plain("a"), plain("b"), plain("c")};
  const auto cable = [&](const char* name, std::uint32_t from, std::uint32_t to) {
    platform.edges.push_back({name, from, to, {}, at(kOnePerNs), false});
  };
  cable("a-b", 0, 1);
  cable("a-c", 0, 2);
  cable("c-b", 2, 1);
  platform.routes.push_back({0, 1, {1, 2}});
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 1), ElementsAre(0, 8, 4, 10, 2));
  EXPECT_THAT(topology.route(1, 0), ElementsAre(2, 7, 0));
}

// PIOsimHD's times for 100 MiB with rendezvous (store_and_forward_golden_test.cpp), less what is not in the network
// here: the request of 48 B, the clear-to-send of 140 B, and the link of each rank to its socket, of 79 ns and 3781
// MiB/s.
TEST(TopologySockets, LargeMessagesOnTheShippedWestmereTakeTheTimesOfPiosimhd) {
  const Platform platform = read_platform(PLUMBLINE_PLATFORMS "/westmere-sockets.xml");
  const Topology numbers(platform);
  const auto time_us = [&](std::uint32_t source, std::uint32_t target) {
    NetworkWorld world(Topology(platform), platform.packets);
    world.send({0, source, target, {104'857'600}, {}});
    world.run();
    return world.delivered(0).seconds() * 1e6;
  };
  const double links_us = 2 * (0.079 + 102'448 / (3'781 * 1.048576));
  const double two_nodes_us = 1'392'490.810 - 41.56 - 44.17 - links_us;
  const double two_sockets_us = 29'326.577 - 0.318 - 0.479 - links_us;
  EXPECT_NEAR(time_us(numbers.endpoint(0, 0), numbers.endpoint(9, 0)), two_nodes_us, two_nodes_us * 1e-5);
  EXPECT_NEAR(time_us(numbers.endpoint(0, 0), numbers.endpoint(0, 1)), two_sockets_us, two_sockets_us * 1e-3);
}

// Sent after a million seconds, over a link of nine million.
TEST(TopologySockets, ATimeBeyondTheAxisIsAnErrorOfTheNetwork) {
  Platform platform;
  platform.nodes = {plain("a"), plain("b")};
  platform.edges.push_back({"a-b", 0, 1, {seconds(9'000'000), 0, ""}, at(kOnePerNs), false});
  NetworkWorld world(Topology(platform), {});
  world.send({0, 0, 1, {1'000}, Time{} + seconds(1'000'000)});
  EXPECT_THROW(world.run(), Error);
}

}  // namespace
}  // namespace plumbline::hw
