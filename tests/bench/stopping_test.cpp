#include "bench/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace plumbline::bench {
namespace {

std::vector<double> around(double centre, double step, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(centre + step * (i - (count - 1) / 2.0));
  return values;
}

TEST(Stopping, ByTheMedianEndsWhenItsIntervalIsNarrowAndNotBeforeTheLeastNumber) {
  StopRule rule;  // of 30 values the 10th to the 21st: 5.5 steps from the median
  EXPECT_TRUE(assess(around(100, 0.4, 30), rule).enough);   // 2.2 %
  EXPECT_FALSE(assess(around(100, 0.5, 30), rule).enough);  // 2.75 %
  EXPECT_FALSE(assess(around(100, 0.1, 29), rule).enough);
  EXPECT_TRUE(assess(around(100, 0.1, 29), rule).reached);
}

TEST(Stopping, ByTheMedianNeedsAnInterval) {
  StopRule rule;
  rule.least = 1;
  EXPECT_FALSE(assess(std::vector<double>(5, 1.0), rule).reached);  // five values have none of 95 %
  EXPECT_TRUE(assess(std::vector<double>(6, 1.0), rule).reached);
}

TEST(Stopping, ByCountLooksAtNothingElse) {
  StopRule rule{.by = StopBy::kCount, .least = 1, .most = 40};
  EXPECT_FALSE(assess(std::vector<double>(39, 1.0), rule).enough);
  EXPECT_TRUE(assess(around(100, 30, 40), rule).enough);
}

TEST(Stopping, ByStudentTakesTheMeanOfNormalValues) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(100, 5);
  std::vector<double> values(30);
  for (double& value : values) value = normal(random);
  const Assessment found = assess(values, {.by = StopBy::kStudent});
  ASSERT_TRUE(found.normal);
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  const double half = 2.045230 * std::sqrt(squares / 29) / std::sqrt(30.0);
  EXPECT_NEAR(found.high - found.mean, half, 1e-5);
  EXPECT_NEAR(found.mean - found.low, half, 1e-5);
}

// One wild value in thirty: the mean is nowhere near the others, and its interval says nothing.
TEST(Stopping, ByStudentTakesTheMedianWhereValuesAreNotNormal) {
  std::vector<double> values = around(100, 0.2, 29);
  values.push_back(100'000);
  const Assessment found = assess(values, {.by = StopBy::kStudent});
  EXPECT_FALSE(found.normal);
  EXPECT_LT(found.high, 103);
  EXPECT_TRUE(found.enough);
}

TEST(Stopping, WithoutValuesNothingIsEnough) { EXPECT_FALSE(assess({}, {}).enough); }

}  // namespace
}  // namespace plumbline::bench
