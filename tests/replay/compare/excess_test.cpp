#include "replay/compare/result/excess.hpp"

#include <gtest/gtest.h>

namespace plumbline::replay {
namespace {

TEST(Excess, InsideTheBracketIsNone) {
  EXPECT_EQ(excess_over(seconds(5), seconds(2), seconds(8)), seconds(0));
  EXPECT_EQ(excess_over(seconds(2), seconds(2), seconds(8)), seconds(0));
  EXPECT_EQ(excess_over(seconds(8), seconds(2), seconds(8)), seconds(0));
}

TEST(Excess, OutsideIsTheDistanceToTheBracket) {
  EXPECT_EQ(excess_over(seconds(11), seconds(2), seconds(8)), seconds(3));
  EXPECT_EQ(excess_over(seconds(1), seconds(2), seconds(8)), seconds(-1));
}

constexpr Excess excess(int observed, int as_run_upper) {
  return excess_of(seconds(observed), seconds(1), seconds(4), seconds(as_run_upper));
}

TEST(StructureLoss, ReachesFromTheIdealToWhereTheCallAsRunEnds) {
  // ideal 1 .. 4 s, as run up to 12 s
  EXPECT_EQ(excess(7, 12).structure, seconds(3));
  EXPECT_EQ(excess(7, 12).stack, seconds(0));
  EXPECT_EQ(excess(12, 12).structure, seconds(8));
  EXPECT_EQ(excess(30, 12).structure, seconds(8));
  EXPECT_EQ(excess(30, 12).stack, seconds(18));
}

TEST(StructureLoss, IsNoneInsideAndBelowTheBracketOfTheIdeal) {
  EXPECT_EQ(excess(3, 12).structure, seconds(0));
  EXPECT_EQ(excess(0, 12).structure, seconds(0));
  EXPECT_EQ(excess(0, 12).stack, seconds(-1));
}

TEST(StructureLoss, IsNoneWhereTheCallAsRunIsNoSlowerThanTheIdeal) {
  EXPECT_EQ(excess(7, 2).structure, seconds(0));
  EXPECT_EQ(excess(7, 2).stack, seconds(3));
}

TEST(Excess, StructureAndStackAddUpToOwnWhateverTheBrackets) {
  for (int observed = 0; observed < 16; ++observed)
    for (int as_run_upper = 0; as_run_upper < 16; ++as_run_upper) {
      const Excess e = excess(observed, as_run_upper);
      EXPECT_EQ(e.own, e.structure + e.stack);
      EXPECT_EQ(e.own, excess_over(seconds(observed), seconds(1), seconds(4)));
      EXPECT_GE(e.structure, seconds(0));
      EXPECT_LE(e.structure, std::max(e.own, seconds(0)));
    }
}

}  // namespace
}  // namespace plumbline::replay
