#include "base/statistics/non_negative.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/seed.hpp"

namespace plumbline::statistics {
namespace {

using Columns = std::vector<SparseColumn>;

// 1·(1, 1) + 2·(0, 1): the only solution.
TEST(NonNegative, IsThatOfLeastSquaresWhereThatIsNotNegative) {
  const Columns columns{{{0, 1}, {1, 1}}, {{1}, {1}}};
  const auto x = non_negative_least_squares(columns, std::vector<double>{1, 3});
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 2, 1e-6);
}

// Without the bound x would be (3, -2); with it the second is 0, and the first (3 + 1) / 2.
TEST(NonNegative, StopsAtZero) {
  const Columns columns{{{0, 1}, {1, 1}}, {{1}, {1}}};
  const auto x = non_negative_least_squares(columns, std::vector<double>{3, 1});
  EXPECT_NEAR(x[0], 2, 1e-6);
  EXPECT_EQ(x[1], 0);
}

TEST(NonNegative, OfNothingNothingComes) {
  EXPECT_TRUE(non_negative_least_squares({}, std::vector<double>{1}).empty());
  EXPECT_EQ(non_negative_least_squares(Columns{{{}, {}}}, std::vector<double>{1})[0], 0);
}

TEST(NonNegative, FindsWhatRandomSumsWereMadeOf) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(0.1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    Columns columns(5);
    std::vector<double> truth(5), y(40, 0);
    for (std::size_t k = 0; k < 5; ++k) {
      truth[k] = k % 2 == 0 ? number(random) : 0;
      for (std::uint32_t row = 0; row < 40; ++row) {
        if (number(random) < 0.5) continue;
        columns[k].rows.push_back(row);
        columns[k].values.push_back(number(random));
        y[row] += truth[k] * columns[k].values.back();
      }
    }
    const auto x = non_negative_least_squares(columns, y);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(x[k], truth[k], 1e-4) << "trial " << trial;
  }
}

TEST(NonNegative, ColumnsOfOneDirectionHaveACosineOfOne) {
  EXPECT_NEAR(cosine({{0, 2}, {1, 2}}, {{0, 2}, {3, 6}}), 1, 1e-12);
  EXPECT_EQ(cosine({{0}, {1}}, {{1}, {1}}), 0);
  EXPECT_NEAR(cosine({{0, 1}, {1, 1}}, {{1}, {1}}), 0.7071, 1e-4);
}

}  // namespace
}  // namespace plumbline::statistics
