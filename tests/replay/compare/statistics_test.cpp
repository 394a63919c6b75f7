#include "replay/compare/statistics.hpp"

#include <gtest/gtest.h>

namespace plumbline::replay {
namespace {

// Benjamini and Hochberg (1995), section 4.1: at q = 0.05 the first four of fifteen are refused.
TEST(BenjaminiHochberg, RefusesFourOfTheFifteenOfThePaper) {
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<double> adjusted = benjamini_hochberg(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(adjusted[i] <= 0.05, i < 4) << i;
  EXPECT_DOUBLE_EQ(adjusted[0], 0.0015);
}

TEST(BenjaminiHochberg, KeepsTheOrderOfItsInput) {
  const std::vector<double> adjusted = benjamini_hochberg(std::vector<double>{0.01, 0.04, 0.03});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.04);  // 0.03 * 3 / 2 = 0.045, but not above the next one
}

TEST(Median, IsTheLowerMiddle) {
  std::vector<std::int64_t> odd{5, 1, 3}, even{4, 1, 3, 2}, none;
  EXPECT_EQ(median(odd), 3);
  EXPECT_EQ(median(even), 2);
  EXPECT_EQ(median(none), 0);
}

TEST(Carriers, AreTheFewThatHoldTheSum) {
  std::vector<std::int64_t> values{1, 90, -50, 4, 5};  // positive sum 100
  EXPECT_EQ(carriers(values, 0.9), 1U);
  EXPECT_EQ(carriers(values, 0.91), 2U);
}

}  // namespace
}  // namespace plumbline::replay
