#include "base/statistics/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace plumbline::statistics {
namespace {

TEST(ExactDistribution, HasEachValueAtItsPlaceAndIsStraightBetween) {
  const std::vector<double> sorted = {1, 2, 4};
  const Distribution d = exact(sorted);
  EXPECT_EQ(d.count, 3U);
  EXPECT_EQ(d.knots, (std::vector<Knot>{{0, 1}, {0.5, 2}, {1, 4}}));
  EXPECT_EQ(value_at(d, 0), 1);
  EXPECT_EQ(value_at(d, 0.25), 1.5);
  EXPECT_EQ(value_at(d, 0.75), 3);
  EXPECT_EQ(value_at(d, 1), 4);
}

TEST(ExactDistribution, OfOneValueIsThatValueAtAnyShare) {
  const std::vector<double> one = {7};
  for (const double share : {0.0, 0.3, 1.0}) EXPECT_EQ(value_at(exact(one), share), 7);
  EXPECT_EQ(exact(one).count, 1U);
}

TEST(BinnedDistribution, OfEqualValuesHasTheStatedKnotsAlone) {
  const std::vector<double> equal(1000, 3.5);
  const Distribution d = binned(equal, 0.01);
  EXPECT_EQ(d.knots, (std::vector<Knot>{{0, 3.5}, {0.5, 3.5}, {0.99, 3.5}, {0.999, 3.5}, {1, 3.5}}));
  EXPECT_EQ(d.count, 1000U);
}

TEST(MergedValues, AreThoseOfBothInOrder) {
  const std::vector<double> a = {1, 3, 3}, b = {2, 3};
  EXPECT_EQ(merged(a, b), (std::vector<double>{1, 2, 3, 3, 3}));
  EXPECT_EQ(merged(a, {}), a);
}

// Times of messages as they are seen: a bounded minimum, a peak, a long tail, retransmissions 0.2 s later; on a clock
// of 10 ns.
std::vector<double> message_times(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> rise(2.0, 0.8);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double us = 50 + rise(random) + (uniform(random) < 0.002 ? 200'000 : 0);
    values.push_back(std::round(us * 100) / 100 * 1e-6);
  }
  std::ranges::sort(values);
  return values;
}

double mean_of(const Distribution& d) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < d.knots.size(); ++i)
    sum += (d.knots[i + 1].share - d.knots[i].share) * (d.knots[i + 1].value + d.knots[i].value) / 2;
  return sum;
}

TEST(BinnedDistribution, IsWithinItsToleranceAtEveryShareAndExactWhereItSaysSo) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t count = 1 + random() % 5000;
    const std::vector<double> values = message_times(seed, count);
    const Distribution all = exact(values);
    for (const double tolerance : {0.0, 0.001, 0.005, 0.05}) {
      const Distribution few = binned(values, tolerance);
      const double allowed = tolerance + 1e-12;
      // Both are straight between the knots of both: it is enough to look there.
      for (const Distribution* knots : {&all, &few})
        for (const Knot& knot : knots->knots) {
          const double truth = value_at(all, knot.share);
          EXPECT_NEAR(value_at(few, knot.share), truth, allowed * truth) << "seed " << seed << " share " << knot.share;
        }
      for (const double share : {0.0, 0.5, 0.99, 0.999, 1.0})
        EXPECT_NEAR(value_at(few, share), value_at(all, share), 1e-15) << "seed " << seed << " share " << share;
      EXPECT_EQ(few.knots.front().value, values.front());
      EXPECT_EQ(few.knots.back().value, values.back());
      EXPECT_NEAR(mean_of(few), mean_of(all), allowed * mean_of(all)) << "seed " << seed;
      for (std::size_t i = 1; i < few.knots.size(); ++i) {
        EXPECT_LT(few.knots[i - 1].share, few.knots[i].share);
        EXPECT_LE(few.knots[i - 1].value, few.knots[i].value);
      }
    }
  }
}

TEST(BinnedDistribution, OfManyValuesHasFewKnots) {
  const std::vector<double> values = message_times(1, 100'000);
  EXPECT_LT(binned(values, 0.005).knots.size(), 150U);  // of which the 200 retransmissions need some
  EXPECT_LT(binned(values, 0.05).knots.size(), 60U);
}

}  // namespace
}  // namespace plumbline::statistics
