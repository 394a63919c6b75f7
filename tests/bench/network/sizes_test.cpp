// Sizes that are chosen while measuring, on made-up networks whose changes of protocol are known.

#include "bench/ranks/network/sizes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace plumbline::bench::network {
namespace {

using Measure = std::function<SizePoint(std::uint64_t)>;

std::vector<SizePoint> coarse(const Measure& measure, std::uint64_t largest = 65536) {
  std::vector<SizePoint> points;
  for (const std::uint64_t size : doubling_sizes(1, largest)) points.push_back(measure(size));
  return points;
}

TEST(DoublingSizes, EndAtTheLastOneWhateverItIs) {
  EXPECT_EQ(doubling_sizes(1, 8), (std::vector<std::uint64_t>{1, 2, 4, 8}));
  EXPECT_EQ(doubling_sizes(3, 13), (std::vector<std::uint64_t>{3, 6, 12, 13}));
  EXPECT_EQ(doubling_sizes(0, 2), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(doubling_sizes(5, 5), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(doubling_sizes(1, UINT64_MAX).size(), 65u);
}

TEST(Suspects, HaveTheGapInWhichTimesJumpFirst) {
  const auto measure = [](std::uint64_t size) {
    const double time = size <= 5000 ? 1 + 1e-3 * static_cast<double>(size) : 20 + 1e-3 * static_cast<double>(size);
    return SizePoint{size, time, 1000 - time};
  };
  const std::vector<SizePoint> points = coarse(measure);
  const Suspect worst = suspects(points)[0];
  EXPECT_EQ(points[worst.gap].size, 4096u);
  EXPECT_NEAR(worst.one, 19.0 / 28.192, 0.001) << "of the time of 8 KiB";
  EXPECT_LT(worst.busy, 0) << "falls";
}

TEST(Suspects, AreNoneOnALineOrOnAlmostOne) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> noise(0.995, 1.005);
  const auto line = [](std::uint64_t size) {
    return SizePoint{size, 2 + 1e-3 * static_cast<double>(size), 1 + 2e-3 * static_cast<double>(size)};
  };
  const auto almost = [&](std::uint64_t size) {
    SizePoint point = line(size);
    point.one *= noise(random);
    point.busy *= noise(random);
    return point;
  };
  EXPECT_LT(suspects(coarse(line))[0].deviation(), 1e-9);
  for (int repeat = 0; repeat < 50; ++repeat)
    EXPECT_LT(suspects(coarse(almost))[0].deviation(), RefineRule().deviation);
  EXPECT_TRUE(suspects({}).empty());
  EXPECT_TRUE(suspects(coarse(line, 2)).empty());
}

// At 5,000 B times jump; that it is known leaves the lines on either side as they are.
TEST(Suspects, AreNoneWhereTheChangeIsKnown) {
  const auto measure = [](std::uint64_t size) {
    const double time = (size <= 5000 ? 1 : 20) + 1e-3 * static_cast<double>(size);
    return SizePoint{size, time, time};
  };
  const std::vector<SizePoint> points = coarse(measure);
  const std::vector<Bracket> known = {{4096, 8192}};
  EXPECT_GT(suspects(points)[0].deviation(), 0.5);
  EXPECT_LT(suspects(points, known)[0].deviation(), 1e-9);
}

TEST(Beside, IsAsLongAsASideOfTheChangeHasTooFew) {
  std::vector<SizePoint> points;
  for (const std::uint64_t size : {1, 2, 4, 1024, 1280, 4096}) points.push_back({size, 1, 1});
  const Bracket change{1024, 1280};
  const std::vector<Bracket> known = {change};
  EXPECT_EQ(beside(points, known, change, {}), 1280 + (4096 - 1280) / 2u);
  points.insert(points.end() - 1, {{1500, 1, 1}, {2000, 1, 1}});
  EXPECT_EQ(beside(points, known, change, {}), std::nullopt);
}

TEST(Beside, CountsAsFarAsTheNextChange) {
  std::vector<SizePoint> points;
  for (const std::uint64_t size : {1, 2, 4, 1024, 1280, 3840, 4096, 5000, 6000, 7000}) points.push_back({size, 1, 1});
  const std::vector<Bracket> known = {{1024, 1280}, {3840, 4096}};
  EXPECT_EQ(beside(points, known, known[0], {}), 2560u);
  EXPECT_EQ(beside(points, known, known[1], {}), 2560u);
}

}  // namespace
}  // namespace plumbline::bench::network
