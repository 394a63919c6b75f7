#include "bench/ranks/runtime/adaptive_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace plumbline::bench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Gt;

std::vector<std::uint64_t> sizes_for(std::uint64_t first, std::uint64_t last, const AdaptiveRule& rule,
                                     const std::function<double(double)>& seconds) {
  AdaptiveSizes sizes(first, last, rule);
  std::vector<std::uint64_t> measured;
  while (sizes.next()) {
    measured.push_back(*sizes.next());
    sizes.add(seconds(static_cast<double>(*sizes.next())));
  }
  return measured;
}

double line(double size) { return 1e-6 + size * 1e-9; }
double step_at_10000(double size) { return line(size) + (size >= 10000 ? 20e-6 : 0); }

// By hand: two sizes make a line; each one on it doubles the stride; the last one is measured where it is.
TEST(AdaptiveSizes, GrowTheStrideOnALine) {
  EXPECT_THAT(sizes_for(0, 20000, {.stride = 1000}, line), ElementsAre(0, 1000, 2000, 4000, 8000, 16000, 20000));
}

// By hand, with diff = |1 - T (M1 - M0) / (T1 (M - M0) - T0 (M - M1))|: T = 1 below 2000, 2 from there on.
//   0, 1000: a line. 2000: foreseen 1, is 2: stride 500, back to 1500. 1500: foreseen: stride 1000. 2500: the line
//   through 1500 and 2000 leads to 3, is 2: stride 500, back to 2000, which is known, and not foreseen from 1000 and
//   1500; 250 is not above min_stride, so on to 2500, which is known, and to 3000. 3000: foreseen: stride 1000. 4000.
TEST(AdaptiveSizes, GoBackWhereATimeIsNotForeseen) {
  const auto step = [](double size) { return size < 2000 ? 1.0 : 2.0; };
  EXPECT_THAT(sizes_for(0, 4000, {.stride = 1000, .min_stride = 250}, step),
              ElementsAre(0, 1000, 2000, 1500, 2500, 3000, 4000));
}

TEST(AdaptiveSizes, RefineAStepAndNotALine) {
  std::vector<std::uint64_t> measured = sizes_for(0, 100000, {}, step_at_10000);
  std::ranges::sort(measured);
  const auto above = std::ranges::lower_bound(measured, 10000U);
  EXPECT_LE(*above - *(above - 1), 2 * AdaptiveRule{}.min_stride) << "the step is found";
  EXPECT_LT(measured.size(), 50);
  const auto far_below = std::ranges::count_if(measured, [](std::uint64_t size) { return size < 5000; });
  EXPECT_LE(far_below, 6) << "and nothing else";
}

TEST(AdaptiveSizes, MeasureNoSizeTwiceAndBothEnds) {
  for (const auto& curve : {std::function<double(double)>(line), std::function<double(double)>(step_at_10000),
                            std::function<double(double)>([](double size) { return size * size * 1e-9; }),
                            std::function<double(double)>([](double) { return 0; })}) {
    std::vector<std::uint64_t> measured = sizes_for(7, 50001, {}, curve);
    std::ranges::sort(measured);
    EXPECT_EQ(std::ranges::adjacent_find(measured), measured.end());
    EXPECT_EQ(measured.front(), 7);
    EXPECT_LE(measured.back(), 50001);
    EXPECT_LE(measured.size(), 100);
  }
  EXPECT_THAT(sizes_for(7, 50001, {}, line), Contains(50001));
}

TEST(AdaptiveSizes, AreAtMostAsManyAsAllowed) {
  const auto rough = [](double size) { return static_cast<int>(size) % 3 == 0 ? 1.0 : 9.0; };
  EXPECT_EQ(sizes_for(0, 1000000, {.stride = 100, .min_stride = 1, .max_num = 12}, rough).size(), 12);
}

TEST(AdaptiveSizes, AreTheEndsWhereTheStrideIsWider) { EXPECT_THAT(sizes_for(0, 10, {}, line), ElementsAre(0, 10)); }

}  // namespace
}  // namespace plumbline::bench
