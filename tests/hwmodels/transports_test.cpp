#include "hwmodels/platform/transports.hpp"

#include <gtest/gtest.h>

#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

// Told apart by their latency.
Transport transport(std::int64_t latency) {
  Transport result;
  result.ranges.resize(1);
  result.ranges[0].latency.value = microseconds(latency);
  return result;
}

Platform platform_of(std::uint32_t nodes) {
  Platform platform;
  platform.nodes.resize(nodes);
  platform.inside = transport(1);
  platform.between = transport(2);
  return platform;
}

std::int64_t latency(const Transport& transport) { return transport.ranges[0].latency.value.ps / 1'000'000; }

TEST(Transports, OfAPairIsTheLastOneThatHoldsForItInEitherDirection) {
  Platform platform = platform_of(6);
  platform.pairs.push_back({0, 3, 2, 5, transport(10)});
  platform.pairs.push_back({1, 1, 4, 4, transport(11)});
  const Transports transports(platform);
  EXPECT_EQ(latency(transports.of(3, 3)), 1);
  EXPECT_EQ(latency(transports.of(0, 1)), 2);
  EXPECT_EQ(latency(transports.of(4, 5)), 2);
  EXPECT_EQ(latency(transports.of(0, 2)), 10);
  EXPECT_EQ(latency(transports.of(2, 0)), 10);
  EXPECT_EQ(latency(transports.of(2, 3)), 10);
  EXPECT_EQ(latency(transports.of(1, 4)), 11);
  EXPECT_EQ(latency(transports.of(4, 1)), 11);
  EXPECT_EQ(transports.number(4, 1), 3U);
}

TEST(Transports, TheTableSaysWhatAWalkThroughThePairsFinds) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "transports");
  for (int round = 0; round < 200; ++round) {
    const auto nodes = static_cast<std::uint32_t>(1 + random.below(12));
    Platform platform = platform_of(nodes);
    for (std::uint64_t i = random.below(5); i > 0; --i) {
      PairTransport pair;
      pair.first_a = static_cast<std::uint32_t>(random.below(nodes));
      pair.last_a = pair.first_a + static_cast<std::uint32_t>(random.below(nodes - pair.first_a));
      pair.first_b = static_cast<std::uint32_t>(random.below(nodes));
      pair.last_b = pair.first_b + static_cast<std::uint32_t>(random.below(nodes - pair.first_b));
      pair.transport = transport(100 + static_cast<std::int64_t>(i));
      platform.pairs.push_back(pair);
    }
    const Transports transports(platform);
    for (std::uint32_t a = 0; a < nodes; ++a)
      for (std::uint32_t b = 0; b < nodes; ++b) ASSERT_EQ(transports.of(a, b), transport_of(platform, a, b));
  }
}

}  // namespace
}  // namespace plumbline::hw
