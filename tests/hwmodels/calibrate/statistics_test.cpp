#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/transport.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> numbers(int count) {
  std::vector<double> result;
  for (int i = 1; i <= count; ++i) result.push_back(i);
  return result;
}

TEST(MedianInterval, CoversTheMedianAtLeastAsOftenAsItSays) {
  std::mt19937_64 random(4711);
  SCOPED_TRACE("seed 4711");
  std::exponential_distribution<double> skewed(1);  // median ln 2
  int covered = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(15);
    for (double& value : values) value = skewed(random);
    std::sort(values.begin(), values.end());
    const statistics::Positions ends = statistics::median_interval(values.size());
    if (values[ends.low] <= std::log(2) && std::log(2) <= values[ends.high]) ++covered;
  }
  EXPECT_GE(covered, kTrials * 95 / 100);
}

TEST(SpreadOfMedian, IsTheWiderHalfOfTheInterval) {
  EXPECT_DOUBLE_EQ(spread_of_median(numbers(30)), (21 - 15.5) / 15.5);
  EXPECT_DOUBLE_EQ(spread_of_median({10, 10, 10}), 0);
  EXPECT_LT(spread_of_median(numbers(5000)), 0.1);
}

TEST(SpreadOfRounds, ReachesWhatNineOfTenShow) {
  EXPECT_DOUBLE_EQ(spread_of_rounds(numbers(30)), (15.5 - 3) / 15.5);
  EXPECT_DOUBLE_EQ(spread_of_rounds({10, 10, 10, 10, 10, 10, 10, 10, 10, 30}), 0) << "one of ten is no level";
}

TEST(SpreadOfRounds, DoesNotShrinkOnAMachineThatChangesBetweenTwoLevels) {
  for (const int rounds : {10, 100, 1000}) {
    std::vector<double> values;
    for (int i = 0; i < rounds; ++i) values.push_back(i % 10 < 8 ? 24 : 50);
    EXPECT_DOUBLE_EQ(spread_of_rounds(values), 26.0 / 24);
    EXPECT_LE(rounds < 100 ? 0 : spread_of_median(values), 0.01) << "the median is well known";
  }
}

TEST(Summary, TakesTheMedianOfRoundsNotOfSamples) {
  bench::Series series{"x", "ns", {}};
  for (int i = 0; i < 1000; ++i) series.samples.push_back({8, 0, 0, 900});  // one bad round with many samples
  for (std::uint32_t round = 1; round < 4; ++round) series.samples.push_back({8, round, 0, 100});
  const std::vector<SizeSummary> summary = summarise(&series, Estimate::kTypical);
  ASSERT_EQ(summary.size(), 1U);
  EXPECT_EQ(summary[0].value, 100);
  EXPECT_EQ(summary[0].rounds, 4U);
}

TEST(Summary, OfMostlyHeldUpSamplesIsTheirFastFew) {
  bench::Series series{"x", "ns", {}};
  for (std::uint32_t i = 0; i < 100; ++i) series.samples.push_back({8, i / 20, 0, i % 10 == 0 ? 100 + i / 10 : 4e6});
  EXPECT_EQ(summarise(&series, Estimate::kTypical)[0].value, 4e6);
  const SizeSummary summary = summarise(&series, Estimate::kUndisturbed)[0];
  EXPECT_EQ(summary.value, 104);  // the fifth of a hundred
  EXPECT_TRUE(summary.disturbed);
  EXPECT_EQ(summary.spread, 1);
}

TEST(Summary, OfTwoLevelsOfTheMachineReachesTheSlowerOne) {
  bench::Series series{"x", "ns", {}};
  for (std::uint32_t i = 0; i < 100; ++i) series.samples.push_back({8, i / 10, 0, i / 10 < 4 ? 24.0 : 42.0});
  const SizeSummary summary = summarise(&series, Estimate::kUndisturbed)[0];
  EXPECT_EQ(summary.value, 24);
  EXPECT_DOUBLE_EQ(summary.spread, 42.0 / 24 - 1);
}

std::vector<Point> on_line(double intercept, double slope, std::initializer_list<double> sizes) {
  std::vector<Point> points;
  for (const double size : sizes) points.push_back({size, intercept + slope * size});
  return points;
}

TEST(LineFit, IsExactOnExactPoints) {
  const Line line = fit_line(on_line(170, 0.125, {0, 1, 8, 100, 1000, 4096}));
  EXPECT_NEAR(line.intercept, 170, 1e-9);
  EXPECT_NEAR(line.slope, 0.125, 1e-12);
}

TEST(LineFit, IgnoresFewWildPoints) {
  std::vector<Point> points = on_line(170, 0.125, {0, 1, 8, 64, 100, 512, 1000, 2048, 4096});
  points[3].value *= 50;
  points[7].value *= 8;
  const Line line = fit_line(points);
  EXPECT_NEAR(line.intercept, 170, 1e-9);
  EXPECT_NEAR(line.slope, 0.125, 1e-12);
}

TEST(LineFit, KeepsItsBounds) {
  const std::vector<Point> falling = {{0, 100}, {100, 90}, {200, 80}};
  EXPECT_EQ(fit_line(falling).slope, 0);
  EXPECT_EQ(fit_line(falling, {0, 0.5}).slope, 0.5);
  const std::vector<Point> through_below_zero = on_line(-10, 1, {20, 30, 40, 50});
  EXPECT_EQ(fit_line(through_below_zero).intercept, 0);
}

TEST(LineFit, OfOnePointIsItsValue) {
  const Line line = fit_line(std::vector<Point>{{64, 200}});
  EXPECT_DOUBLE_EQ(line.at(64), 200);
}

// (PRTT(10,0,s) - PRTT(1,0,s)) / 9 in us, measured with Open MPI on shared memory whose eager limit is 4096 B.
TEST(Changes, AreFoundAtTheEagerLimitOfOpenMpi) {
  const std::vector<Point> points = {{1, 0.0723},   {1025, 0.266}, {2049, 0.434},  {3073, 0.381}, {4097, 2.240},
                                     {6145, 2.272}, {8193, 2.506}, {14337, 2.892}, {16385, 3.170}};
  EXPECT_THAT(find_changes(points), ElementsAre(3));
}

struct Row {
  double g, slope;
};
std::vector<Point> gaps(Row small, Row large, double limit, double step, double end) {
  std::vector<Point> points;
  for (double size = 1; size < end; size += step) {
    const Row row = size < limit ? small : large;
    points.push_back({size, row.g + (size - 1) * row.slope});
  }
  return points;
}

// Table 2 of "LogGP in theory and practice": us and us/B, exact data.
TEST(Changes, AreFoundInEveryRowOfThePublishedTable) {
  struct Case {
    Row small, large;
    double limit;
  };
  const Case cases[] = {
      {{7.78, 0.0045}, {13.34, 0.0037}, 12289},  {{5.14, 0.00073}, {21.39, 0.00103}, 12289},
      {{5.00, 0.0023}, {42.00, 0.00101}, 12289}, {{1.08, 0.00067}, {11.90, 0.00058}, 12289},
      {{9.44, 0.0092}, {52.01, 0.0042}, 32769},  {{2.00, 0.00081}, {33.10, 0.00109}, 32769},
  };
  for (const Case& each : cases) {
    const std::vector<Point> points = gaps(each.small, each.large, each.limit, 1024, 65537);
    const std::vector<std::size_t> changes = find_changes(points);
    ASSERT_EQ(changes.size(), 1U) << each.small.g;
    EXPECT_LT(points[changes[0]].size, each.limit);
    EXPECT_GE(points[changes[0] + 1].size, each.limit);
  }
}

TEST(Changes, AreNotFoundWhereThereAreNone) {
  EXPECT_THAT(find_changes(gaps({0.915, 0.00849}, {0.915, 0.00849}, 1e9, 1024, 65537)), IsEmpty());  // MPICH2/TCP
  EXPECT_THAT(find_changes(std::vector<Point>{{1, 1}, {2, 9}}), IsEmpty());
}

TEST(Changes, AreNotMadeByOneOutlier) {
  std::vector<Point> points = gaps({5, 0.001}, {5, 0.001}, 1e9, 1024, 65537);
  points[20].value *= 1.5;
  EXPECT_THAT(find_changes(points), IsEmpty());
}

TEST(Changes, AreFoundDespiteNoise) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1, 0.02);
    std::vector<Point> points = gaps({5.14, 0.00073}, {21.39, 0.00103}, 12289, 512, 65537);
    for (Point& point : points) point.value *= noise(random);
    const std::vector<std::size_t> changes = find_changes(points);
    ASSERT_THAT(changes, ::testing::Contains(23));
    EXPECT_EQ(points[23].size, 11777);                                    // the last below 12289
    const std::vector<Piece> pieces = find_pieces(points, std::nullopt);  // what is not worth it is joined again
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].last, 23U);
  }
}

TEST(Protocol, ChangesWhereSendsBeginToWaitForTheReceiver) {
  bench::Series series{"send-late", "ns", {}};
  for (const std::uint64_t size : {0U, 64U, 4000U, 4040U, 4041U, 4096U, 65536U})
    for (std::uint32_t i = 0; i < 7; ++i) series.samples.push_back({size, 0, 0, size > 4040 ? 201e3 : 300.0});
  EXPECT_EQ(first_rendezvous(series, 200e3), 4041U);
  series.samples[9].value = 4e6;  // a lost time slice
  EXPECT_EQ(first_rendezvous(series, 200e3), 4041U);
  for (bench::Sample& sample : series.samples) sample.value = 300;
  EXPECT_EQ(first_rendezvous(series, 200e3), std::nullopt);
  for (bench::Sample& sample : series.samples) sample.value = 201e3;
  EXPECT_EQ(first_rendezvous(series, 200e3), 0U);
}

}  // namespace
}  // namespace plumbline::hw::calibration
