// Check values: exact recursions and tables that two other programs agree on (docs/models/measuring.md, Statistics).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "base/statistics/sign_test.hpp"
#include "base/statistics/student.hpp"

namespace plumbline::statistics {
namespace {

TEST(MedianOfValues, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(Quantile, IsTheLeastValueThatEnoughValuesDoNotExceed) {
  const std::vector<double> sorted = {1, 2, 3, 4};
  EXPECT_EQ(quantile(sorted, 0.25), 1);
  EXPECT_EQ(quantile(sorted, 0.26), 2);
  EXPECT_EQ(quantile(sorted, 0.99), 4);
  EXPECT_EQ(quantile(sorted, 1), 4);
}

TEST(SignTest, GivesTheTailOfACoin) {
  EXPECT_DOUBLE_EQ(sign_test(5, 5), 1.0 / 32);
  EXPECT_NEAR(sign_test(8, 10), 56.0 / 1024, 1e-15);  // 45 + 10 + 1 of 2^10
  EXPECT_NEAR(sign_test(15, 20), 0.020694732666015625, 1e-15);
  EXPECT_NEAR(sign_test(1, 3), 7.0 / 8, 1e-15);
  EXPECT_DOUBLE_EQ(sign_test(0, 7), 1);
  EXPECT_DOUBLE_EQ(sign_test(0, 0), 1);
}

TEST(SignTest, ManySamplesStayExactInTheirTail) { EXPECT_NEAR(sign_test(1000, 1000) * 0x1p1000, 1, 1e-9); }

TEST(IntervalOfTheMedian, OfThirtyValuesIsTheTenthToTheTwentyFirst) {
  const Positions ends = median_interval(30);
  EXPECT_EQ(ends.low + 1, 10U);
  EXPECT_EQ(ends.high + 1, 21U);
}

TEST(IntervalOfTheMedian, HasItsConfidenceByTheBinomialDistributionAndNoPositionFartherInDoes) {
  for (int count = 6; count <= 200; ++count) {
    const Positions ends = median_interval(static_cast<std::size_t>(count));
    const int low = static_cast<int>(ends.low);
    const auto outside = [&](int last) {  // chance of at most `last` values below the median, or above it
      double sum = 0;
      for (int i = 0; i <= last; ++i)
        sum += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) - count * std::log(2));
      return 2 * sum;
    };
    EXPECT_LE(outside(low), 0.05) << count;
    EXPECT_GT(outside(low + 1), 0.05) << count;
    EXPECT_EQ(static_cast<int>(ends.high), count - 1 - low);
  }
}

TEST(IntervalOfTheMedian, OfTooFewValuesIsAllOfThemAndSaysSo) {
  EXPECT_FALSE(median_interval(5).reached);
  EXPECT_EQ(median_interval(5).high, 4U);
  EXPECT_TRUE(median_interval(6).reached);  // 2 * 2^-6 = 3.1 %
}

TEST(Student, QuantilesAreTwoSided) {
  EXPECT_NEAR(student_quantile(0.95, 4), 2.776445, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 9), 2.262157, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 29), 2.045230, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 99), 1.984217, 1e-6);
}

TEST(Student, TheIntervalOfAMeanIsByTheDeviationOfTheSample) {
  const std::vector<double> values = {1, 2, 3, 4, 5};  // deviation sqrt(2.5)
  const MeanInterval interval = interval_of_mean(values);
  EXPECT_EQ(interval.mean, 3);
  EXPECT_NEAR(interval.half_width, 2.776445 * std::sqrt(2.5 / 5), 1e-6);
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Normality, IsRefusedForNormalValuesAsOftenAsTheLevelSaysAndNearlyAlwaysForSkewedOnes) {
  constexpr std::uint64_t kSeed = 20091;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::normal_distribution<double> normal(10, 2);
  std::exponential_distribution<double> skewed(1);
  constexpr int kTrials = 2000;
  int normal_refused = 0, skewed_refused = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> even(50), uneven(50);
    for (double& value : even) value = normal(random);
    for (double& value : uneven) value = skewed(random);
    normal_refused += normality(sorted(even)) < 0.05;
    skewed_refused += normality(sorted(uneven)) < 0.05;
  }
  EXPECT_NEAR(normal_refused, 0.05 * kTrials, 40);  // four deviations of a binomial
  EXPECT_GT(skewed_refused, 0.98 * kTrials);
}

TEST(Normality, OfEqualValuesAndOfOneWildOneIsNone) {
  EXPECT_EQ(normality(std::vector<double>(20, 3.0)), 0);
  std::vector<double> wild(30, 0.0);
  std::iota(wild.begin(), wild.end(), 1.0);
  wild.back() = 1e6;
  EXPECT_LT(normality(wild), 1e-10);
}

TEST(RankSum, TailsAreTheKnownOnes) {
  EXPECT_NEAR(exact_upper_tail(10, 5, 35), 0.127206, 5e-7);
  // The least that can be had of n against n is 1 / C(2n, n).
  EXPECT_NEAR(exact_upper_tail(5, 5, 25), 1.0 / 252, 1e-12);
  EXPECT_NEAR(exact_upper_tail(6, 6, 36), 1.0 / 924, 1e-12);
  EXPECT_NEAR(exact_upper_tail(7, 7, 49), 1.0 / 3432, 1e-12);
  EXPECT_NEAR(exact_upper_tail(9, 4, 0), 1, 1e-12);
}

TEST(RankSum, AThousandthNeedsNinetyOfAHundredPairs) {
  const struct {
    std::size_t runs;
    double u;
  } rows[] = {{10, 90}, {20, 312}, {30, 656}};
  for (const auto& row : rows) {
    EXPECT_LE(exact_upper_tail(row.runs, row.runs, row.u), 0.001) << row.runs;
    EXPECT_GT(exact_upper_tail(row.runs, row.runs, row.u - 1), 0.001) << row.runs;
  }
}

// Ten values among five so that 35 pairs have the larger one first.
const std::vector<double> kTen = {1, 2, 3, 14, 15, 16, 17, 18, 19, 20};
const std::vector<double> kFive = {4, 5, 6, 7, 8};

TEST(RankSum, CountsPairsAndIsExactWithoutTies) {
  const RankSum greater = rank_sum_test(kTen, kFive, Alternative::kGreater);
  EXPECT_EQ(greater.u, 35);
  EXPECT_TRUE(greater.exact);
  EXPECT_NEAR(greater.p, 0.127206, 5e-7);
  EXPECT_NEAR(rank_sum_test(kFive, kTen, Alternative::kLess).p, greater.p, 1e-12);
  EXPECT_NEAR(rank_sum_test(kTen, kFive, Alternative::kDifferent).p, 2 * greater.p, 1e-12);
}

TEST(RankSum, OfTiedValuesIsNormalWithBothCorrections) {
  // u: 3 > 1, 3 > 2; 2 > 1, 2 = 2; 2 > 1, 2 = 2: 5 of 6. Three equal values: variance 6/12 * (6 - 24/20) = 2.4.
  const RankSum test = rank_sum_test(std::vector<double>{2, 2, 3}, std::vector<double>{1, 2}, Alternative::kGreater);
  EXPECT_EQ(test.u, 5);
  EXPECT_FALSE(test.exact);
  EXPECT_NEAR(test.p, 0.5 * std::erfc((5 - 3 - 0.5) / std::sqrt(2.4) / std::sqrt(2.0)), 1e-12);
  EXPECT_EQ(rank_sum_test(std::vector<double>{1, 1}, std::vector<double>{1, 1, 1}, Alternative::kGreater).p, 1);
}

TEST(RankSum, OfSamplesThatAreApartIsExactThoughOneHasEqualValues) {
  const std::vector<double> slow{2, 2, 3, 4, 5}, fast{1, 1, 1, 0.5, 0.7};
  const RankSum greater = rank_sum_test(slow, fast, Alternative::kGreater);
  EXPECT_TRUE(greater.exact);
  EXPECT_NEAR(greater.p, 1.0 / 252, 1e-12);
  EXPECT_NEAR(rank_sum_test(fast, slow, Alternative::kLess).p, 1.0 / 252, 1e-12);
  EXPECT_NEAR(rank_sum_test(fast, slow, Alternative::kDifferent).p, 2.0 / 252, 1e-12);
  EXPECT_NEAR(rank_sum_test(fast, slow, Alternative::kGreater).p, 1, 1e-12);
}

TEST(RankSum, NearTheLimitOfTheExactFormTheNormalOneAgrees) {
  std::vector<double> first, second;
  for (int i = 0; i < 51; ++i) {
    first.push_back(2 * i + 20);
    second.push_back(2 * i + 1);
  }
  const RankSum large = rank_sum_test(first, second, Alternative::kGreater);  // 2601 pairs
  EXPECT_FALSE(large.exact);
  EXPECT_NEAR(large.p, exact_upper_tail(51, 51, large.u), 0.002);
}

TEST(RankSum, RefusesWhatIsAlikeNoMoreOftenThanItsLevel) {
  constexpr std::uint64_t kSeed = 1947;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::lognormal_distribution<double> skewed(0, 2);
  constexpr int kTrials = 4000;
  int refused = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> first(12), second(9);
    for (double& value : first) value = skewed(random);
    for (double& value : second) value = skewed(random);
    refused += rank_sum_test(first, second, Alternative::kGreater).p <= 0.05;
  }
  EXPECT_LE(refused, 0.05 * kTrials + 4 * std::sqrt(0.05 * 0.95 * kTrials));
  EXPECT_GE(refused, 0.03 * kTrials);
}

}  // namespace
}  // namespace plumbline::statistics
