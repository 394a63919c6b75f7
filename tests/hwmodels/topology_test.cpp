#include "hwmodels/topology/topology.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

using testing::ElementsAre;

// Nodes a, b, c and switches s, t; vertices 0 to 4 in this order.
Platform diamond() {
  Platform platform;
  for (const char* name : {"a", "b", "c"}) {
    Node node;
    node.name = name;
    node.memory_rate.value = {2'000'000'000};
    node.interface_rate.value = {1'000'000'000};
    platform.nodes.push_back(node);
  }
  for (const char* name : {"s", "t"}) platform.switches.push_back({name, {{3'000'000'000}, 0, ""}});
  return platform;
}

void add_edge(Platform& platform, std::uint32_t from, std::uint32_t to, Duration latency) {
  Edge edge;
  edge.name = "e" + std::to_string(platform.edges.size());
  edge.from = from;
  edge.to = to;
  edge.latency.value = latency;
  edge.rate.value = {100'000'000};
  platform.edges.push_back(edge);
}

std::string text_of(const std::vector<Step>& way) {
  std::string text;
  for (const Step& step : way) text += fmt::format("{}>{} ", step.edge, step.to);
  return text;
}

// Components: 0 a interface, 1 a memory, 2 b interface, 3 b memory, 4 c interface, 5 c memory, 6 s, 7 t,
// 8 and 9 the two ways of edge 0, 10 and 11 of edge 1, ...
TEST(Topology, ARouteGoesThroughInterfacesEdgesAndSwitches) {
  Platform platform = diamond();
  add_edge(platform, 0, 3, microseconds(1));
  add_edge(platform, 1, 3, microseconds(1));
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 1), ElementsAre(0, 8, 6, 11, 2));
  EXPECT_THAT(topology.route(1, 0), ElementsAre(2, 10, 6, 9, 0));
  EXPECT_EQ(topology.components()[11].name, "e1 <");
  EXPECT_EQ(topology.components()[11].latency, microseconds(1));
}

TEST(Topology, InsideANodeTheRouteIsItsMemory) {
  Topology topology(diamond());
  EXPECT_THAT(topology.route(1, 1), ElementsAre(3));
  EXPECT_EQ(topology.components()[3].rate, BytesPerSecond{2'000'000'000});
}

TEST(Topology, FewerHopsWinOverLessLatency) {
  Platform platform = diamond();
  add_edge(platform, 0, 3, microseconds(100));
  add_edge(platform, 3, 1, microseconds(100));
  add_edge(platform, 3, 4, {});
  add_edge(platform, 4, 1, {});
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 1), ElementsAre(0, 8, 6, 10, 2));
}

TEST(Topology, OfRoutesWithEqualHopsTheOneWithTheLeastLatencyWins) {
  Platform platform = diamond();
  add_edge(platform, 0, 3, microseconds(2));  // by s: 4 us
  add_edge(platform, 3, 1, microseconds(2));
  add_edge(platform, 0, 4, microseconds(1));  // by t: 3 us
  add_edge(platform, 4, 1, microseconds(2));
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 1), ElementsAre(0, 12, 7, 14, 2));
}

TEST(Topology, OfEqualRoutesTheOneWithTheLowestComponentWins) {
  Platform platform = diamond();
  for (const std::uint32_t device : {4U, 3U}) {  // by t first, so that its edges have the lower numbers
    add_edge(platform, 0, device, microseconds(1));
    add_edge(platform, device, 1, microseconds(1));
  }
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 1), ElementsAre(0, 8, 7, 10, 2));
}

TEST(Topology, ARouteMayPassANode) {
  Platform platform = diamond();
  add_edge(platform, 0, 1, microseconds(1));
  add_edge(platform, 1, 2, microseconds(1));
  Topology topology(platform);
  EXPECT_THAT(topology.route(0, 2), ElementsAre(0, 8, 2, 10, 4));
}

// Searches between nodes on one cable share what they find; a second cable, to nowhere, makes a node search alone.
TEST(Topology, DeadEndsChangeNoRoute) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "dead ends");
  for (int round = 0; round < 100; ++round) {
    constexpr std::uint32_t kNodes = 5, kSwitches = 4;
    Platform platform;
    platform.nodes.resize(2 * kNodes);  // the second half stands at the dead ends
    platform.switches.resize(kSwitches);
    const auto any_switch = [&] { return 2 * kNodes + static_cast<std::uint32_t>(random.below(kSwitches)); };
    const auto latency = [&] { return nanoseconds(static_cast<std::int64_t>(random.below(3))); };
    for (std::uint32_t node = 0; node < kNodes; ++node) add_edge(platform, node, any_switch(), latency());
    for (std::uint64_t i = 3 + random.below(6); i > 0; --i) {
      const std::uint32_t from = any_switch(), to = any_switch();
      if (from != to) add_edge(platform, from, to, latency());
    }
    Platform alone = platform;
    for (std::uint32_t node = 0; node < kNodes; ++node) add_edge(alone, node, kNodes + node, latency());
    Routes shared_search(platform), search(alone);
    std::vector<Step> way, expected;
    for (std::uint32_t source = 0; source < kNodes; ++source)
      for (std::uint32_t target = 0; target < kNodes; ++target) {
        if (source == target) continue;
        const bool found = shared_search.find(source, target, way);
        ASSERT_EQ(found, search.find(source, target, expected));
        if (!found) continue;
        ASSERT_EQ(text_of(way), text_of(expected));
      }
  }
}

TEST(Topology, ARouteStaysWhereItWasWhenOthersAreAskedFor) {
  Platform platform = diamond();
  for (const std::uint32_t node : {0U, 1U, 2U}) add_edge(platform, node, 3, {});
  Topology topology(platform);
  const std::span<const ComponentId> first = topology.route(0, 1);
  for (const std::uint32_t source : {0U, 1U, 2U})
    for (const std::uint32_t target : {0U, 1U, 2U}) topology.route(source, target);
  EXPECT_EQ(topology.route(0, 1).data(), first.data());
  EXPECT_THAT(first, ElementsAre(0, 8, 6, 11, 2));
}

TEST(Topology, APairWithoutARouteIsAnError) {
  Topology topology(diamond());
  try {
    topology.route(0, 2);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "there is no way from node 'a' to node 'c'; add edges to the platform");
  }
}

// Rates 1 and 2 B/ns, packets of 1000 B and a header of 100 B, latencies 50 and 0 ns.
TEST(Topology, IdleTimeIsThatOfTheSlowestComponentPlusTheWayThere) {
  const std::vector<Component> components{
      {{2'000'000'000}, {}, ""}, {{1'000'000'000}, nanoseconds(50), ""}, {{2'000'000'000}, {}, ""}};
  const std::vector<ComponentId> route{0, 1, 2};
  const Topology topology(components, {{0, 1, route}});
  const Packets packets{{1'000}, {100}};
  EXPECT_EQ(idle_time(topology, route, {0}, packets), nanoseconds(50 + 100 + 50 + 50));
  EXPECT_EQ(idle_time(topology, route, {400}, packets), nanoseconds(250 + 500 + 50 + 250));
  EXPECT_EQ(idle_time(topology, route, {2'400}, packets), nanoseconds(550 + 2'500 + 50 + 200));
}

}  // namespace
}  // namespace plumbline::hw
