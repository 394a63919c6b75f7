#include "tracer/record/clocks/ratio.hpp"
#include "tests/support/seed.hpp"

#include <gtest/gtest.h>

#include <random>

namespace plumbline::record {
namespace {

TEST(Ratio, RoundsDownOnBothSidesOfZero) {
  const Ratio third(1'000, 3);
  EXPECT_EQ(static_cast<std::int64_t>(third.times(1)), 333);
  EXPECT_EQ(static_cast<std::int64_t>(third.times(3)), 1'000);
  EXPECT_EQ(static_cast<std::int64_t>(third.times(-1)), -334);
  EXPECT_EQ(static_cast<std::int64_t>(Ratio(0, 7).times(-1)), 0);
}

// Numbers of all lengths, and those next to a multiple of q / p, where one too few would show.
TEST(Ratio, IsWhatADivisionGives) {
  const std::uint64_t seed = plumbline::test::random_seed();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const auto number = [&random] { return random() >> (1 + random() % 63); };
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t p = number(), q = number() + 1;
    const Ratio ratio(p, q);
    const auto drawn = static_cast<Wide>(number() >> 1);
    const Wide multiple = p == 0 ? 0 : drawn / static_cast<Wide>(q) * static_cast<Wide>(q);
    for (const Wide n : {drawn, multiple, multiple + 1, multiple - 1}) {
      const Wide product = n * static_cast<Wide>(p), divisor = static_cast<Wide>(q);
      const Wide floor = product / divisor - (product % divisor < 0 ? 1 : 0);
      ASSERT_TRUE(ratio.times(n) == floor) << static_cast<std::int64_t>(n) << " * " << p << " / " << q;
    }
  }
}

}  // namespace
}  // namespace plumbline::record
