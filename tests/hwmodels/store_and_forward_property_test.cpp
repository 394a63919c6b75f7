#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "network_world.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

// A tree of switches with nodes as leaves, and a few cables more.
Platform random_platform(RandomStream& random) {
  Platform platform;
  const auto rate = [&] { return BytesPerSecond{10'000'000 + random.below(5'000'000'000)}; };
  platform.nodes.resize(2 + random.below(8));
  platform.switches.resize(1 + random.below(4));
  for (Node& node : platform.nodes) {
    node.memory_rate.value = rate();
    node.interface_rate.value = rate();
  }
  for (Switch& device : platform.switches) device.rate.value = rate();
  const std::uint32_t nodes = static_cast<std::uint32_t>(platform.nodes.size());
  const std::uint32_t vertices = nodes + static_cast<std::uint32_t>(platform.switches.size());
  const auto add_edge = [&](std::uint32_t from, std::uint32_t to) {
    Edge edge;
    edge.from = from;
    edge.to = to;
    edge.rate.value = rate();
    edge.latency.value =
        random.below(3) == 0 ? Duration{} : nanoseconds(static_cast<std::int64_t>(random.below(50'000)));
    platform.edges.push_back(edge);
  };
  for (std::uint32_t v = nodes + 1; v < vertices; ++v)
    add_edge(v, nodes + static_cast<std::uint32_t>(random.below(v - nodes)));
  for (std::uint32_t v = 0; v < nodes; ++v)
    add_edge(v, nodes + static_cast<std::uint32_t>(random.below(vertices - nodes)));
  for (std::uint64_t extra = random.below(4); extra > 0; --extra)
    add_edge(static_cast<std::uint32_t>(random.below(nodes)),
             nodes + static_cast<std::uint32_t>(random.below(vertices - nodes)));
  platform.packets = {{1 + random.below(20'000)}, {random.below(200)}};
  return platform;
}

std::vector<Sending> random_sendings(RandomStream& random, const Platform& platform) {
  std::vector<Sending> sendings(1 + random.below(60));
  for (std::uint32_t i = 0; i < sendings.size(); ++i) {
    Sending& s = sendings[i];
    s.message = i;
    s.source_node = static_cast<std::uint32_t>(random.below(platform.nodes.size()));
    s.target_node = static_cast<std::uint32_t>(random.below(platform.nodes.size()));
    s.size = {random.below(1ULL << random.below(18))};
    s.at = Time{} + microseconds(static_cast<std::int64_t>(random.below(5)) * 100);
  }
  return sendings;
}

class NetworkProperty : public testing::TestWithParam<int> {
 protected:
  NetworkProperty() : random_(seed_, "network property") {
    platform_ = random_platform(random_);
    sendings_ = random_sendings(random_, platform_);
  }

  const std::uint64_t seed_ = plumbline::test::random_seed();
  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << seed_};
  RandomStream random_;
  Platform platform_;
  std::vector<Sending> sendings_;
};

// NetworkWorld::run itself expects that each message is sent once, then delivered once.
TEST_P(NetworkProperty, EveryMessageArrivesAndNoByteIsLost) {
  NetworkWorld world(Topology(platform_), platform_.packets);
  std::vector<std::uint64_t> expected(world.topology().components().size());
  for (const Sending& s : sendings_) {
    world.send(s);
    for (const ComponentId id : world.topology().route(s.source_node, s.target_node))
      expected[id] += s.size.count + platform_.packets.header.count;
  }
  world.run();
  EXPECT_EQ(world.times().size(), sendings_.size());
  for (ComponentId id = 0; id < expected.size(); ++id)
    EXPECT_EQ(world.network().served(id).count, expected[id]) << "component " << id;
}

TEST_P(NetworkProperty, NothingIsFasterThanOnAnIdleNetwork) {
  NetworkWorld world(Topology(platform_), platform_.packets);
  for (const Sending& s : sendings_) world.send(s);
  world.run();
  for (const Sending& s : sendings_) {
    const std::span<const ComponentId> route = world.topology().route(s.source_node, s.target_node);
    EXPECT_GE(world.delivered(s.message) - s.at, idle_time(world.topology(), route, s.size, platform_.packets))
        << "message " << s.message;
  }
}

TEST_P(NetworkProperty, OnePacketAloneTakesExactlyTheIdleTime) {
  for (Sending s : sendings_) {
    s.size = {std::min(s.size.count, platform_.packets.granularity.count)};
    NetworkWorld world(Topology(platform_), platform_.packets);
    world.send(s);
    world.run();
    const std::span<const ComponentId> route = world.topology().route(s.source_node, s.target_node);
    EXPECT_EQ(world.delivered(s.message) - s.at, idle_time(world.topology(), route, s.size, platform_.packets));
  }
}

TEST_P(NetworkProperty, TwoRunsAreEqual) {
  NetworkWorld one(Topology(platform_), platform_.packets), two(Topology(platform_), platform_.packets);
  for (const Sending& s : sendings_) {
    one.send(s);
    two.send(s);
  }
  one.run();
  two.run();
  EXPECT_EQ(one.times(), two.times());
}

TEST_P(NetworkProperty, TheNumbersOfMessagesDecideNothing) {
  std::vector<std::uint32_t> permutation(sendings_.size());
  std::iota(permutation.begin(), permutation.end(), 0U);
  for (std::size_t i = permutation.size(); i > 1; --i) std::swap(permutation[i - 1], permutation[random_.below(i)]);
  NetworkWorld one(Topology(platform_), platform_.packets), two(Topology(platform_), platform_.packets);
  for (Sending s : sendings_) {
    one.send(s);
    s.message = permutation[s.message];
    two.send(s);
  }
  one.run();
  two.run();
  for (const Sending& s : sendings_) EXPECT_EQ(one.times().at(s.message), two.times().at(permutation[s.message]));
}

INSTANTIATE_TEST_SUITE_P(Random, NetworkProperty, testing::Range(0, 30));

}  // namespace
}  // namespace plumbline::hw
