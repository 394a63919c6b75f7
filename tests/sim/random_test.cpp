#include "sim/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace plumbline::sim {
namespace {

TEST(RandomStream, RepeatsWithTheSameSeedAndName) {
  RandomStream a(7, "compute noise"), b(7, "compute noise");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(RandomStream, DiffersWithSeedOrName) {
  RandomStream a(7, "compute noise"), other_seed(8, "compute noise"), other_name(7, "link noise");
  const std::uint64_t first = a();
  EXPECT_NE(first, other_seed());
  EXPECT_NE(first, other_name());
}

TEST(RandomStream, GivesTheSameNumbersOnEveryPlatform) {
  // Computed with an independent implementation of FNV-1a, SplitMix64 and xoshiro256** in Python.
  RandomStream stream(42, "golden");
  const std::vector<std::uint64_t> golden{0xd90d677740f25e90U, 0x87a290cf1786abfeU, 0xcc2b7bbbe20be47dU,
                                          0xcf407846b7805c6cU};
  for (const std::uint64_t value : golden) EXPECT_EQ(stream(), value);
}

TEST(RandomStream, FillsItsRangeEvenly) {
  RandomStream stream(1, "even");
  std::array<int, 10> counts{};
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    ++counts[stream.below(10)];
    const double value = stream.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);  // 5 standard deviations
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
  EXPECT_EQ(RandomStream(1, "one").below(1), 0U);
}

}  // namespace
}  // namespace plumbline::sim
