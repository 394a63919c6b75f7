// Grids and shapes by hand.

#include "bench/ranks/collectives/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Grid, IsAsNearToACubeAsItsRanksAllow) {
  EXPECT_THAT(grid_lengths(12, 2), ElementsAre(4, 3));
  EXPECT_THAT(grid_lengths(16, 3), ElementsAre(4, 2, 2));
  EXPECT_THAT(grid_lengths(7, 2), ElementsAre(7, 1));
  EXPECT_THAT(grid_lengths(1, 3), ElementsAre(1, 1, 1));
  EXPECT_THAT(grid_lengths(560, 4), ElementsAre(7, 5, 4, 4));
  EXPECT_THAT(grid_lengths(2, 1), ElementsAre(2));
}

TEST(Grid, HasAsManyPlacesAsRanks) {
  for (int ranks = 1; ranks <= 600; ++ranks)
    for (int dimensions = 1; dimensions <= 5; ++dimensions) {
      const std::vector<int> lengths = grid_lengths(ranks, dimensions);
      ASSERT_THAT(lengths, SizeIs(dimensions));
      EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies<>()), ranks);
      EXPECT_TRUE(std::is_sorted(lengths.rbegin(), lengths.rend()));
    }
}

TEST(Shape, IsListedByTheFirstOrByTheLastCoordinate) {
  EXPECT_THAT(offsets_of(Shape::kVonNeumann, 2, 1, OffsetOrder::kFirstMajor),
              ElementsAre(Offset{-1, 0}, Offset{0, -1}, Offset{0, 1}, Offset{1, 0}));
  EXPECT_THAT(offsets_of(Shape::kVonNeumann, 2, 1, OffsetOrder::kLastMajor),
              ElementsAre(Offset{0, -1}, Offset{-1, 0}, Offset{1, 0}, Offset{0, 1}));
  EXPECT_THAT(offsets_of(Shape::kMoore, 2, 1, OffsetOrder::kFirstMajor),
              ElementsAre(Offset{-1, -1}, Offset{-1, 0}, Offset{-1, 1}, Offset{0, -1}, Offset{0, 1}, Offset{1, -1},
                          Offset{1, 0}, Offset{1, 1}));
}

// Of radius 1 a von Neumann shape has what a grid has: two places a dimension.
TEST(Shape, HasAsManyPlacesAsItsNameSays) {
  for (int dimensions = 1; dimensions <= 4; ++dimensions) {
    EXPECT_THAT(offsets_of(Shape::kVonNeumann, dimensions, 1, OffsetOrder::kFirstMajor), SizeIs(2 * dimensions));
    const std::vector<Offset> cube = offsets_of(Shape::kMoore, dimensions, 2, OffsetOrder::kFirstMajor);
    EXPECT_EQ(cube.size(), count_of_moore(dimensions, 2, 10'000));
    EXPECT_EQ(cube.size(), static_cast<std::size_t>(std::lround(std::pow(5, dimensions))) - 1);
  }
  EXPECT_THAT(offsets_of(Shape::kVonNeumann, 2, 2, OffsetOrder::kFirstMajor), SizeIs(12));
  EXPECT_EQ(count_of_moore(10, 1000, 10'000), 10'000U);
}

}  // namespace
}  // namespace plumbline::bench
