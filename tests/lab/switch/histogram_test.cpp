#include "tests/lab/switch/histogram.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace plumbline::lab {
namespace {

TEST(SwitchHistogram, EmptyIsZero) {
  EXPECT_EQ(Histogram{}.percentile(0.99), Duration{0});
  EXPECT_EQ(Histogram{}.count(), 0u);
}

TEST(SwitchHistogram, PercentilesOf1To1000MicrosecondsAreRightToOnePart32) {
  Histogram histogram;
  for (int i = 1; i <= 1'000; ++i) histogram.add(microseconds(i));
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = share * 1e-3;
    EXPECT_GE(histogram.percentile(share).seconds(), exact);
    EXPECT_LE(histogram.percentile(share).seconds(), exact * (1 + 1.0 / 32) + 1e-9);
  }
  EXPECT_EQ(histogram.max(), microseconds(1'000));
  EXPECT_EQ(histogram.percentile(1), microseconds(1'000));
}

TEST(SwitchHistogram, OneOutlierIsTheMaximumAndNotTheMedian) {
  Histogram histogram;
  for (int i = 0; i < 999; ++i) histogram.add(nanoseconds(20));
  histogram.add(milliseconds(18));
  EXPECT_EQ(histogram.percentile(0.999), nanoseconds(21));
  EXPECT_EQ(histogram.max(), milliseconds(18));
}

TEST(SwitchHistogram, EarlyCountsAsOnTime) {
  Histogram histogram;
  histogram.add(-microseconds(3));
  EXPECT_EQ(histogram.max(), Duration{0});
  EXPECT_EQ(histogram.percentile(1), Duration{0});
}

TEST(SwitchHistogram, TakesTheLongestDuration) {
  Histogram histogram;
  const Duration longest{std::numeric_limits<std::int64_t>::max()};
  histogram.add(longest);
  EXPECT_EQ(histogram.percentile(0.5), longest);
}

}  // namespace
}  // namespace plumbline::lab
