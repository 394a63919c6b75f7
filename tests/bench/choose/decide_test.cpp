#include "bench/choose/decide.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace plumbline::bench::choose {
namespace {

Rounds rounds_at(double centre, int count = 9) {
  Rounds rounds;
  for (int i = 0; i < count; ++i) rounds.push_back(centre * (1 + 0.001 * i));
  return rounds;
}

TEST(Decide, TakesTheFastestOfThoseThatAreFasterBeyondDoubt) {
  EXPECT_EQ(decide(std::vector{rounds_at(10), rounds_at(8), rounds_at(5), rounds_at(12)}, {}), 2U);
}

TEST(Decide, KeepsTheLibrarysWhereNobodyIsFaster) {
  EXPECT_EQ(decide(std::vector<Rounds>{rounds_at(10)}, {}), 0U);
  EXPECT_EQ(decide(std::vector{rounds_at(10), rounds_at(10), rounds_at(11)}, {}), 0U);
}

TEST(Decide, KeepsTheLibrarysWhereTheGainIsTooSmallToLeaveIt) {
  EXPECT_EQ(decide(std::vector{rounds_at(100), rounds_at(96)}, {}), 0U);  // 4 %
  EXPECT_EQ(decide(std::vector{rounds_at(100), rounds_at(94)}, {}), 1U);
}

// Medians 10 and 6, but the times of both are all over the place: u is 58 of 81, p 0.068.
TEST(Decide, KeepsTheLibrarysWhereTheDifferenceMayBeChance) {
  const Rounds library = {2, 4, 8, 9, 10, 12, 14, 17, 18}, other = {1, 3, 5, 5.5, 6, 7, 7.5, 11, 16};
  EXPECT_EQ(decide(std::vector{library, other}, {}), 0U);
  EXPECT_EQ(decide(std::vector{library, other}, {.chance = 0.1}), 1U);
}

TEST(Decide, SharesTheChanceOutAmongTheOthers) {
  const Rounds library = {2, 4, 8, 9, 10, 12, 14, 17, 18}, other = {1, 3, 5, 5.5, 6, 7, 7.5, 11, 16};
  const std::vector all = {library, other, rounds_at(20), rounds_at(20), rounds_at(20)};
  EXPECT_EQ(decide(all, {.chance = 0.1}), 0U);  // 0.025 for each
}

TEST(Decide, LeavesOutWhoWasNotMeasuredToTheEnd) {
  EXPECT_EQ(decide(std::vector{rounds_at(10), rounds_at(5, 3)}, {}), 0U);
}

TEST(Decide, FirstOfEquals) { EXPECT_EQ(decide(std::vector{rounds_at(10), rounds_at(5), rounds_at(5)}, {}), 1U); }

// At most one of a hundred is what the default promises; of 2,000 draws 20 are expected at most.
TEST(Decide, LeavesTheLibrarysForAnEqualOneAsSeldomAsSaid) {
  const unsigned seed = 7;
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> times(0, 0.5);
  int left = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Rounds> all(5, Rounds(9));
    for (Rounds& each : all)
      for (double& time : each) time = times(random);
    left += decide(all, {}) != 0 ? 1 : 0;
  }
  EXPECT_LE(left, 35) << "seed " << seed;
  EXPECT_GE(left, 2) << "a test that never decides proves nothing";
}

TEST(Decide, HopelessIsWhoTakesThatManyTimesAsLongInEachOfThreeRounds) {
  const std::vector<Rounds> all = {{10, 10, 10}, {31, 35, 33}, {29, 90, 90}, {31, 32}};
  EXPECT_TRUE(is_hopeless(all[1], all, 3));
  EXPECT_FALSE(is_hopeless(all[2], all, 3));
  EXPECT_FALSE(is_hopeless(all[3], all, 3));
}

TEST(Decide, RoundsAreEnoughWhenTheClearestDifferenceCountsAtAll) {
  EXPECT_EQ(least_rounds(2, {.chance = 0.05}), 3U);   // 1 / C(6, 3) = 0.05
  EXPECT_EQ(least_rounds(2, {.chance = 0.001}), 7U);  // docs/models/choosing.md
  for (const std::size_t candidates : {2U, 3U, 9U}) {
    const std::uint32_t least = least_rounds(candidates, {});
    std::vector all(candidates, rounds_at(10, static_cast<int>(least)));
    all[1] = rounds_at(5, static_cast<int>(least));
    EXPECT_EQ(decide(all, {}), 1U) << candidates;
    for (Rounds& each : all) each.pop_back();
    EXPECT_EQ(decide(all, {}), 0U) << candidates;
  }
}

}  // namespace
}  // namespace plumbline::bench::choose
