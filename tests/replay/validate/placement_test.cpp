#include "replay/validate/preflight/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>

#include "tests/support/seed.hpp"

namespace plumbline::replay::validate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Placement, RanksThatCanBeSpreadAreNoCrowd) {
  EXPECT_THAT(find_crowd({{0, 1}, {0}, {1, 2}}).ranks, IsEmpty());
  EXPECT_THAT(find_crowd({}).ranks, IsEmpty());
  EXPECT_THAT(find_crowd({{}, {}}).ranks, IsEmpty());
}

TEST(Placement, TheCrowdIsThoseThatHaveTooFewProcessorsTogether) {
  const Crowd crowd = find_crowd({{5}, {0, 1}, {0, 1}, {1}, {2, 3}});
  EXPECT_THAT(crowd.ranks, ElementsAre(1, 2, 3));
  EXPECT_THAT(crowd.processors, ElementsAre(0, 1));
}

// All orders in which ranks can take processors, for few of them.
bool can_be_placed(const std::vector<std::vector<std::uint32_t>>& masks) {
  std::vector<std::uint32_t> order(6);
  std::iota(order.begin(), order.end(), 0U);
  do {
    bool all = true;
    for (std::size_t i = 0; i < masks.size(); ++i) all = all && std::ranges::find(masks[i], order[i]) != masks[i].end();
    if (all) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST(Placement, AgreesWithTryingAllOrders) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  int crowded = 0, placed = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::vector<std::uint32_t>> masks(1 + random() % 6);
    for (auto& mask : masks)
      for (std::uint32_t processor = 0; processor < 6; ++processor)
        if (random() % 3 == 0 || (mask.empty() && processor == 5)) mask.push_back(processor);
    const Crowd crowd = find_crowd(masks);
    ASSERT_EQ(crowd.ranks.empty(), can_be_placed(masks));
    (crowd.ranks.empty() ? placed : crowded) += 1;
    if (crowd.ranks.empty()) continue;
    ASSERT_GT(crowd.ranks.size(), crowd.processors.size());
    for (const std::size_t rank : crowd.ranks) ASSERT_TRUE(std::ranges::includes(crowd.processors, masks[rank]));
  }
  EXPECT_GT(crowded, 0);
  EXPECT_GT(placed, 0);
}

}  // namespace
}  // namespace plumbline::replay::validate
