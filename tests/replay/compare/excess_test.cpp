#include "replay/compare/excess.hpp"

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

TEST(StructureLoss, IsTakenWhereTheObservedTimeLiesBetweenCacheAndDevice) {
  // ideal 1 .. 4 s, as run 2 .. 12 s: loses 1 s in cache, 8 s on the device
  const auto loss = [](Duration observed) {
    return structure_loss(observed, seconds(1), seconds(4), seconds(2), seconds(12));
  };
  EXPECT_EQ(loss(seconds(2)), seconds(1));
  EXPECT_EQ(loss(seconds(7)), milliseconds(4500));
  EXPECT_EQ(loss(seconds(12)), seconds(8));
  EXPECT_EQ(loss(seconds(30)), seconds(8));
}

TEST(StructureLoss, IsNeverMoreThanWasObservedBeyondTheIdeal) {
  EXPECT_EQ(structure_loss(seconds(3), seconds(2), seconds(2), seconds(9), seconds(9)), seconds(1));
  EXPECT_EQ(structure_loss(seconds(1), seconds(2), seconds(2), seconds(9), seconds(9)), seconds(0));
  EXPECT_EQ(structure_loss(seconds(3), seconds(2), seconds(2), seconds(1), seconds(1)), seconds(0));
}

}  // namespace
}  // namespace plumbline::replay
