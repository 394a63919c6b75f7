#include "viewer/index/aggregates/phases.hpp"
#include "viewer/index/matches/match_operations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/index/random_runs.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {

namespace {

using testing::ElementsAre;

Time at_us(std::int64_t us) { return {microseconds(us).ps}; }

class PhasesTest : public testing::Test {
 protected:
  // Two barriers around writes that took twice as long as expected, and a broadcast, which synchronises nobody.
  Runs writes() {
    replay::Program program = programs_.parse(R"(ranks 2
rank 0
  @0us posix_write 8B file /out +10us ; barrier +2us ; bcast root 0 8B ; posix_write 8B file /out +8us ; barrier +1us
rank 1
  @0us posix_write 8B file /out +11us ; barrier +1us ; bcast root 0 8B ; posix_write 8B file /out +6us ; barrier +3us
)");
    replay::Expected expected = replay::as_observed(program);
    const auto free = [&](std::uint32_t rank, std::vector<std::int64_t> times_us) {
      for (std::size_t i = 0; i < times_us.size(); i += 2)
        expected.ranks[rank].free[i / 2] = {at_us(times_us[i]), at_us(times_us[i + 1])};
    };
    free(0, {0, 5, 5, 6, 6, 6, 6, 10, 10, 11});
    free(1, {0, 5, 5, 6, 6, 6, 6, 9, 9, 11});
    return compared(std::move(program), std::move(expected));
  }

  replay::Programs programs_;
};

TEST_F(PhasesTest, CommonMapHasThePointsWhereAllRanksCameTogether) {
  const Runs runs = writes();
  const TimeMap map = common_map(runs, match_operations(runs.observed), 100);
  EXPECT_THAT(map.observed, ElementsAre(at_us(0), at_us(11), at_us(12), at_us(20), at_us(21)));
  EXPECT_THAT(map.free, ElementsAre(at_us(0), at_us(5), at_us(6), at_us(10), at_us(11)));
}

TEST_F(PhasesTest, MapOfARankHasItsOperations) {
  const Runs runs = writes();
  const TimeMap map = map_of_rank(runs, 1, 100);
  EXPECT_THAT(map.observed, ElementsAre(at_us(0), at_us(11), at_us(12), at_us(18), at_us(21)));
  EXPECT_THAT(map.free, ElementsAre(at_us(0), at_us(5), at_us(6), at_us(9), at_us(11)));
}

TEST_F(PhasesTest, OfRandomRunsAscendAndKeepBothEndsWhenThereAreTooManyPoints) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 20; ++turn) {
    const Runs runs = random_runs(directory / "program", {.ranks = 3, .operations = 300}, random);
    const TimeMap whole = map_of_rank(runs, 0, 100'000), few = map_of_rank(runs, 0, 16);
    EXPECT_LE(few.observed.size(), 16U);
    EXPECT_EQ(few.observed.size(), few.free.size());
    EXPECT_TRUE(std::ranges::is_sorted(few.observed) && std::ranges::is_sorted(few.free));
    EXPECT_EQ(few.observed.front(), whole.observed.front());
    EXPECT_EQ(few.free.back(), whole.free.back());
    const TimeMap common = common_map(runs, match_operations(runs.observed), 4);
    EXPECT_LE(common.observed.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(common.observed) && std::ranges::is_sorted(common.free));
  }
}

}  // namespace
}  // namespace plumbline::viewer
