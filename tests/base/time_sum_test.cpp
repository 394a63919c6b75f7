#include "base/time_sum.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "base/quantity.hpp"
#include "tests/support/seed.hpp"

namespace plumbline {
namespace {

constexpr std::int64_t kMostPicoseconds = std::numeric_limits<std::int64_t>::max();

TEST(TimeSum, HoldsWhatNoDurationHolds) {
  TimeSum sum;
  for (int i = 0; i < 1000; ++i) sum += Duration{kMostPicoseconds};
  EXPECT_EQ(sum, TimeSum(Duration{kMostPicoseconds}) * 1000);
  EXPECT_EQ(sum.mean(1000), Duration{kMostPicoseconds});
  EXPECT_EQ(sum.duration(), std::nullopt);
  for (int i = 0; i < 999; ++i) sum -= Duration{kMostPicoseconds};
  EXPECT_EQ(sum.duration(), Duration{kMostPicoseconds});
}

// 10^10 operations that queue: each is 1 ms later than the one before it.
TEST(TimeSum, HoldsALatenessThatGrowsWithTheSquareOfTheOperations) {
  const TimeSum lateness = TimeSum(milliseconds(1)) * 10'000'000'000 * 5'000'000'000;
  EXPECT_DOUBLE_EQ(lateness.seconds(), 5e16);
  EXPECT_EQ(lateness.mean(10'000'000'000), seconds(5'000'000));
}

TEST(TimeSum, MeansAreRoundedTowardsZero) {
  EXPECT_EQ(TimeSum(picoseconds(7)).mean(2), picoseconds(3));
  EXPECT_EQ(TimeSum(picoseconds(-7)).mean(2), picoseconds(-3));
}

TEST(TimeSum, IsToldLikeADuration) {
  EXPECT_EQ(format(TimeSum(microseconds(-1500))), "-1.5 ms");
  EXPECT_EQ(format(TimeSum()), "0 s");
  EXPECT_EQ(format(TimeSum(seconds(9'000'000)) * 1000), "9000000000 s");
  EXPECT_EQ(format(time_sum_from_seconds(9e9)), "9000000000 s");
  EXPECT_EQ(format(TimeSum(Duration{-kMostPicoseconds - 1})), format(Duration{-kMostPicoseconds - 1}));
}

TEST(TimeSum, ASharePastADurationIsAShare) {
  EXPECT_DOUBLE_EQ(share_of(TimeSum(seconds(9'000'000)) * 3, TimeSum(seconds(9'000'000)) * 4), 0.75);
  EXPECT_EQ(share_of(seconds(1), TimeSum()), 0);
}

// The truth: the upper and the lower 32 bits of each duration summed apart, which cannot overflow for so few.
TEST(TimeSum, OfRandomDurationsIsExactInAnyOrder) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<Duration> durations(1 + random() % 1000);
    TimeSum sum, backwards;
    std::int64_t high = 0, low = 0;
    for (Duration& duration : durations) {
      duration.ps = static_cast<std::int64_t>(random()) >> (random() % 63);
      sum += duration;
      high += duration.ps >> 32;
      low += duration.ps & 0xffffffff;
    }
    for (auto at = durations.rbegin(); at != durations.rend(); ++at) backwards = backwards + *at;
    EXPECT_EQ(sum, TimeSum(Duration{high}) * (std::int64_t{1} << 32) + Duration{low});
    EXPECT_EQ(sum, backwards);
  }
}

}  // namespace
}  // namespace plumbline
