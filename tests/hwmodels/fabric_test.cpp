#include "hwmodels/platform/fabric.hpp"
#include "hwmodels/platform/fabric_parts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hwmodels/topology/routes.hpp"
#include "hwmodels/topology/topology.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;
using testing::ElementsAre;

constexpr BytesPerSecond kNodeRate{1'000'000'000}, kSwitchRate{2'000'000'000}, kGlobalRate{3'000'000'000};

Platform nodes(std::uint32_t count) {
  Platform platform;
  for (std::uint32_t i = 0; i < count; ++i) {
    Node node;
    node.name = fmt::format("n{}", i);
    node.memory_rate.value = node.interface_rate.value = kNodeRate;
    platform.nodes.push_back(node);
  }
  return platform;
}

// All nodes as members.
template <class Shape>
Platform fabric_of(const Shape& shape, std::uint32_t members) {
  Platform platform = nodes(members);
  Fabric fabric;
  fabric.shape = shape;
  fabric.members = members;
  fabric.node_link.rate.value = kNodeRate;
  fabric.switch_link.rate.value = kSwitchRate;
  fabric.global_link.rate.value = kGlobalRate;
  fabric.switch_rate.value = {9'000'000'000};
  EXPECT_EQ(fault_of_shape(fabric), "");
  add_fabric(platform, fabric);
  return platform;
}

// "n0 s0-n0 s0 s0-n3 n3"
std::string way_text(const Platform& platform, std::uint32_t source, std::uint32_t target) {
  Routes routes(platform);
  std::vector<Step> way;
  EXPECT_TRUE(routes.find(source, target, way));
  std::string text = platform.nodes[source].name;
  const std::size_t count = platform.nodes.size();
  for (const Step& step : way)
    text += " " + platform.edges[step.edge].name + " " +
            (step.to < count ? platform.nodes[step.to].name : platform.switches[step.to - count].name);
  return text;
}

std::vector<std::string> switch_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Switch& device : platform.switches) names.push_back(device.name);
  return names;
}

std::vector<std::string> edge_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Edge& edge : platform.edges) names.push_back(edge.name);
  return names;
}

TEST(Fabric, AStarHasOneSwitch) {
  const Platform platform = fabric_of(Star{}, 3);
  EXPECT_THAT(switch_names(platform), ElementsAre("s0"));
  EXPECT_THAT(edge_names(platform), ElementsAre("s0-n0", "s0-n1", "s0-n2"));
  EXPECT_EQ(way_text(platform, 0, 2), "n0 s0-n0 s0 s0-n2 n2");
}

// Four nodes; two leaves of two nodes each; two switches above, by one cable each.
TEST(Fabric, AFatTreeHasLevels) {
  const Platform platform = fabric_of(FatTree{{2, 2}, {1, 2}, {1, 1}}, 4);
  EXPECT_THAT(switch_names(platform), ElementsAre("l1s0", "l1s1", "l2s0", "l2s1"));
  EXPECT_THAT(edge_names(platform), ElementsAre("l1s0-n0", "l1s0-n1", "l1s1-n2", "l1s1-n3", "l2s0-l1s0", "l2s1-l1s0",
                                                "l2s0-l1s1", "l2s1-l1s1"));
  EXPECT_EQ(platform.edges[0].rate.value, kNodeRate);
  EXPECT_EQ(platform.edges[4].rate.value, kSwitchRate);
  EXPECT_EQ(way_text(platform, 0, 1), "n0 l1s0-n0 l1s0 l1s0-n1 n1");
  EXPECT_EQ(way_text(platform, 0, 2), "n0 l1s0-n0 l1s0 l2s0-l1s0 l2s0 l2s0-l1s1 l1s1 l1s1-n2 n2");
  EXPECT_EQ(way_text(platform, 0, 3), "n0 l1s0-n0 l1s0 l2s1-l1s0 l2s1 l2s1-l1s1 l1s1 l1s1-n3 n3");
}

// The shape of SimGrid's "2;16,16;1,8;1,1".
TEST(Fabric, AnOversubscribedFatTreeSpreadsTargetsOverItsUpLinks) {
  const Platform platform = fabric_of(FatTree{{16, 16}, {1, 8}, {1, 1}}, 256);
  EXPECT_EQ(platform.switches.size(), 16U + 8U);
  EXPECT_EQ(platform.edges.size(), 256U + 16U * 8U);
  Routes routes(platform);
  std::map<std::string, int> used;
  std::vector<Step> way;
  for (std::uint32_t target = 16; target < 256; ++target) {
    ASSERT_TRUE(routes.find(0, target, way));
    ASSERT_EQ(way.size(), 4U);
    ++used[platform.edges[way[1].edge].name];
  }
  EXPECT_EQ(used.size(), 8U);
  for (const auto& [edge, targets] : used) EXPECT_EQ(targets, 240 / 8) << edge;
}

TEST(Fabric, ParallelCablesOfAFatTreeAreNumberedAndShared) {
  const Platform platform = fabric_of(FatTree{{2, 2}, {1, 1}, {1, 2}}, 4);
  EXPECT_THAT(edge_names(platform), ElementsAre("l1s0-n0", "l1s0-n1", "l1s1-n2", "l1s1-n3", "l2s0-l1s0#0",
                                                "l2s0-l1s0#1", "l2s0-l1s1#0", "l2s0-l1s1#1"));
  EXPECT_EQ(way_text(platform, 0, 2), "n0 l1s0-n0 l1s0 l2s0-l1s0#0 l2s0 l2s0-l1s1#0 l1s1 l1s1-n2 n2");
  EXPECT_EQ(way_text(platform, 0, 3), "n0 l1s0-n0 l1s0 l2s0-l1s0#1 l2s0 l2s0-l1s1#1 l1s1 l1s1-n3 n3");
}

TEST(Fabric, ATorusGoesTheShorterWayRoundInOneDimensionAfterTheOther) {
  const Platform platform = fabric_of(Torus{{4, 3}, 1}, 12);
  EXPECT_EQ(platform.edges.size(), 12U + 12U + 12U);
  EXPECT_EQ(platform.switches[5].name, "r1x1");
  EXPECT_EQ(way_text(platform, 0, 3), "n0 r0x0-n0 r0x0 r3x0-r0x0 r3x0 r3x0-n3 n3");
  EXPECT_EQ(way_text(platform, 1, 11),  // from (1, 0) to (3, 2): two either way, so +; then one in -
            "n1 r1x0-n1 r1x0 r1x0-r2x0 r2x0 r2x0-r3x0 r3x0 r3x2-r3x0 r3x2 r3x2-n11 n11");
}

TEST(Fabric, ATorusOfTwoInADimensionHasOneCableThere) {
  const Platform platform = fabric_of(Torus{{2, 1, 2}, 2}, 8);
  EXPECT_THAT(switch_names(platform), ElementsAre("r0x0x0", "r1x0x0", "r0x0x1", "r1x0x1"));
  EXPECT_EQ(platform.edges.size(), 8U + 2U + 2U);
  EXPECT_EQ(way_text(platform, 1, 6), "n1 r0x0x0-n1 r0x0x0 r0x0x0-r1x0x0 r1x0x0 r1x0x0-r1x0x1 r1x0x1 r1x0x1-n6 n6");
}

// Three groups of two routers of one node. Group 0: cable to group 1 at router 0, to group 2 at router 1.
TEST(Fabric, ADragonflyTakesOneGlobalCable) {
  const Platform platform = fabric_of(Dragonfly{3, 2, 1, 1}, 6);
  EXPECT_THAT(edge_names(platform),
              ElementsAre("g0r0-n0", "g0r1-n1", "g1r0-n2", "g1r1-n3", "g2r0-n4", "g2r1-n5", "g0r0-g0r1", "g1r0-g1r1",
                          "g2r0-g2r1", "g0r0-g1r0", "g0r1-g2r0", "g1r1-g2r1"));
  EXPECT_EQ(platform.edges[9].rate.value, kGlobalRate);
  EXPECT_EQ(way_text(platform, 0, 1), "n0 g0r0-n0 g0r0 g0r0-g0r1 g0r1 g0r1-n1 n1");
  EXPECT_EQ(way_text(platform, 0, 2), "n0 g0r0-n0 g0r0 g0r0-g1r0 g1r0 g1r0-n2 n2");
  EXPECT_EQ(way_text(platform, 0, 5), "n0 g0r0-n0 g0r0 g0r0-g0r1 g0r1 g0r1-g2r0 g2r0 g2r0-g2r1 g2r1 g2r1-n5 n5");
}

TEST(Fabric, OnlySomeNodesMayBeMembersAndTheOthersAreReachedByTheShortestWay) {
  Platform platform = nodes(5);
  Fabric fabric;
  fabric.shape = Star{};
  fabric.prefix = "io-";
  fabric.first_node = 1;
  fabric.members = 3;
  add_fabric(platform, fabric);
  platform.edges.push_back({"extra", 0, 3, {}, {kNodeRate, 0, ""}, false});
  EXPECT_THAT(edge_names(platform), ElementsAre("io-s0-n1", "io-s0-n2", "io-s0-n3", "extra"));
  EXPECT_EQ(way_text(platform, 1, 3), "n1 io-s0-n1 io-s0 io-s0-n3 n3");
  EXPECT_EQ(way_text(platform, 0, 1), "n0 extra n3 io-s0-n3 io-s0 io-s0-n1 n1");
}

TEST(Fabric, TheFirstFabricThatHoldsBothNodesCarriesTheirMessages) {
  Platform platform = nodes(3);
  for (const char* prefix : {"slow-", "fast-"}) {
    Fabric fabric;
    fabric.shape = Star{};
    fabric.prefix = prefix;
    fabric.members = 3;
    add_fabric(platform, fabric);
  }
  EXPECT_EQ(way_text(platform, 0, 2), "n0 slow-s0-n0 slow-s0 slow-s0-n2 n2");
}

TEST(Fabric, WhatDoesNotFitIsSaid) {
  Fabric fabric;
  fabric.members = 10;
  fabric.shape = Torus{{3, 3}, 1};
  EXPECT_EQ(fault_of_shape(fabric), "has room for 9 nodes, and 10 are to be its members");
  fabric.shape = FatTree{{10}, {4'000'000'000}, {4'000'000'000}};
  EXPECT_EQ(fault_of_shape(fabric), "has more than 10000000 parts");
  fabric.shape = Dragonfly{4'000'000'000, 4'000'000'000, 4'000'000'000, 4'000'000'000};
  EXPECT_EQ(fault_of_shape(fabric), "has more than 10000000 parts");
  fabric.shape = Torus{{4'000'000'000, 4'000'000'000, 4'000'000'000}, 4'000'000'000};
  EXPECT_EQ(fault_of_shape(fabric), "has more than 10000000 parts");
}

Platform random_fabric(RandomStream& random) {
  const auto number = [&](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random.below(most)); };
  switch (random.below(4)) {
    case 0:
      return fabric_of(Star{}, number(20));
    case 1: {
      FatTree tree;
      std::uint32_t members = 1;
      for (std::uint32_t level = number(3); level > 0; --level) {
        tree.down.push_back(number(4));
        tree.up.push_back(number(3));
        tree.count.push_back(number(3));
        members *= tree.down.back();
      }
      return fabric_of(tree, members);
    }
    case 2: {
      Torus torus;
      torus.nodes = number(2);
      std::uint32_t members = torus.nodes;
      for (std::uint32_t dimension = number(3); dimension > 0; --dimension) {
        torus.dimensions.push_back(number(5));
        members *= torus.dimensions.back();
      }
      return fabric_of(torus, members);
    }
    default: {
      const Dragonfly dragonfly{number(5), number(4), number(2), number(3)};
      return fabric_of(dragonfly, dragonfly.groups * dragonfly.routers * dragonfly.nodes);
    }
  }
}

class RandomFabrics : public testing::Test {
 protected:
  const std::uint64_t seed_ = plumbline::test::random_seed();
  testing::ScopedTrace trace_{__FILE__, __LINE__, fmt::format("seed {}", seed_)};
  RandomStream random_{seed_, "fabrics"};
};

TEST_F(RandomFabrics, EveryPartHasANameOfItsOwn) {
  for (int round = 0; round < 100; ++round) {
    const Platform platform = random_fabric(random_);
    const std::vector<std::string> edges = edge_names(platform), switches = switch_names(platform);
    ASSERT_EQ(std::set<std::string>(edges.begin(), edges.end()).size(), edges.size());
    ASSERT_EQ(std::set<std::string>(switches.begin(), switches.end()).size(), switches.size());
    ASSERT_EQ(edges_of(platform.fabrics[0]), edges.size());
    ASSERT_EQ(switches_of(platform.fabrics[0]), switches.size());
  }
}

// Of the shortest ways between two nodes, except in a dragonfly, where a way that is minimal in hops between groups may
// not be the shortest one; there it has at most five edges.
TEST_F(RandomFabrics, AComputedWayIsConnectedAndAsShortAsTheSearchedOne) {
  for (int round = 0; round < 100; ++round) {
    const Platform platform = random_fabric(random_);
    Platform searched = platform;
    searched.fabrics.clear();
    Routes routes(platform), search(searched);
    const bool is_dragonfly = std::holds_alternative<Dragonfly>(platform.fabrics[0].shape);
    const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
    for (int pair = 0; pair < 50; ++pair) {
      const auto source = static_cast<std::uint32_t>(random_.below(nodes));
      const auto target = static_cast<std::uint32_t>(random_.below(nodes));
      if (source == target) continue;
      std::vector<Step> way, shortest;
      ASSERT_TRUE(routes.find(source, target, way));
      ASSERT_TRUE(search.find(source, target, shortest));
      std::set<std::uint32_t> passed{source};
      std::uint32_t here = source;
      for (const Step& step : way) {
        const Edge& edge = platform.edges[step.edge];
        ASSERT_TRUE((edge.from == here && edge.to == step.to) || (edge.to == here && edge.from == step.to));
        ASSERT_TRUE(passed.insert(step.to).second) << "a way passes a thing twice";
        here = step.to;
      }
      ASSERT_EQ(here, target);
      if (is_dragonfly)
        ASSERT_LE(way.size(), 5U);
      else
        ASSERT_EQ(way.size(), shortest.size());
    }
  }
}

// 4,096 nodes and 16 million pairs: nothing is kept of what was not asked for, and asking needs no search.
TEST(Fabric, ALargeFatTreeIsCrossedWithoutASearch) {
  Topology topology(fabric_of(FatTree{{16, 16, 16}, {1, 16, 16}, {1, 1, 1}}, 4'096));
  std::size_t hops = 0;
  for (std::uint32_t source = 0; source < 4'096; source += 64)
    for (std::uint32_t target = 0; target < 4'096; ++target) hops += topology.hops(source, target).size();
  // Of 64 sources, each: itself 1 component; 15 by one switch, 5; 240 by three, 9; 3,840 by five, 13.
  EXPECT_EQ(hops, 64U * (1 + 15 * 5 + 240 * 9 + 3'840 * 13));
}

}  // namespace
}  // namespace plumbline::hw
