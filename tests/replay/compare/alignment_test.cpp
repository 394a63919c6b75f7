#include "replay/compare/pairing/alignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "tests/support/seed.hpp"

namespace plumbline::replay {
namespace {

using Sequence = std::vector<std::uint32_t>;
using Pairs = std::vector<AlignedPair>;

// Length of a longest common subsequence, by the table.
std::size_t longest(const Sequence& a, const Sequence& b) {
  std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);
  for (const std::uint32_t x : a) {
    for (std::size_t j = 0; j < b.size(); ++j) row[j + 1] = x == b[j] ? above[j] + 1 : std::max(above[j + 1], row[j]);
    std::swap(above, row);
  }
  return above.back();
}

void expect_valid(const Pairs& pairs, const Sequence& a, const Sequence& b) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_LT(pairs[i].a, a.size());
    ASSERT_LT(pairs[i].b, b.size());
    ASSERT_EQ(a[pairs[i].a], b[pairs[i].b]);
    if (i == 0) continue;
    ASSERT_LT(pairs[i - 1].a, pairs[i].a);
    ASSERT_LT(pairs[i - 1].b, pairs[i].b);
  }
}

TEST(Alignment, LeavesOutWhatIsOnlyInOne) {
  EXPECT_EQ(align(Sequence{1, 2, 3}, Sequence{1, 2, 3}), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(align(Sequence{1, 9, 2, 3}, Sequence{1, 2, 8, 3}), (Pairs{{0, 0}, {2, 1}, {3, 3}}));
  EXPECT_EQ(align(Sequence{1, 2}, Sequence{3, 4}), Pairs{});
  EXPECT_EQ(align(Sequence{}, Sequence{3, 4}), Pairs{});
  EXPECT_EQ(align(Sequence{5, 5, 5, 5}, Sequence{5, 5}).size(), 2U);
}

TEST(Alignment, OfALoopThatDoesOneThingMorePairsTheRest) {
  Sequence a, b;
  for (int i = 0; i < 20'000; ++i) {
    for (const std::uint32_t each : {1, 2, 3, 4}) a.push_back(each), b.push_back(each);
    a.push_back(7);
  }
  const Pairs pairs = align(a, b);
  expect_valid(pairs, a, b);
  EXPECT_EQ(pairs.size(), b.size());
}

TEST(Alignment, BridgesALongPieceWhereWhatFollowsIsUnique) {
  Sequence a{1, 2}, b{1, 2};
  for (int i = 0; i < 5000; ++i) a.push_back(3);
  for (const std::uint32_t each : {50, 60, 4, 4, 4}) a.push_back(each), b.push_back(each);
  for (int i = 0; i < 4000; ++i) b.push_back(3);
  for (const std::uint32_t each : {70, 5, 5}) a.push_back(each), b.push_back(each);
  const Pairs pairs = align(a, b);
  expect_valid(pairs, a, b);
  EXPECT_EQ(pairs.size(), 10U);
}

TEST(Alignment, OfShortSequencesIsALongestOne) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    Sequence a, b;
    const std::uint64_t letters = 1 + random() % 20;
    for (auto* const sequence : {&a, &b})
      for (std::uint64_t n = random() % 80; n > 0; --n)
        sequence->push_back(static_cast<std::uint32_t>(random() % letters));
    const Pairs pairs = align(a, b);
    expect_valid(pairs, a, b);
    ASSERT_EQ(pairs.size(), longest(a, b));
  }
}

TEST(Alignment, IsValidForAnySequencesAndNearlyALongestOneForThoseThatAreMuchAlike) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) {
    Sequence a, b;
    const std::uint64_t letters = 2 + random() % 50, changes = 10 + random() % 60;
    for (std::uint64_t n = random() % 3000; n > 0; --n) {
      const auto each = static_cast<std::uint32_t>(random() % letters);
      if (random() % changes != 0) a.push_back(each);
      if (random() % changes != 0) b.push_back(each);
      if (random() % changes == 0) b.push_back(static_cast<std::uint32_t>(random() % letters));
    }
    const Pairs pairs = align(a, b);
    expect_valid(pairs, a, b);
    EXPECT_GE(static_cast<double>(pairs.size()) + 3, 0.85 * static_cast<double>(longest(a, b)));
  }
  for (int i = 0; i < 20; ++i) {  // nothing alike
    Sequence a, b;
    for (std::uint64_t n = random() % 3000; n > 0; --n) a.push_back(static_cast<std::uint32_t>(random() % 900));
    for (std::uint64_t n = random() % 3000; n > 0; --n) b.push_back(static_cast<std::uint32_t>(random() % 900));
    expect_valid(align(a, b), a, b);
  }
}

}  // namespace
}  // namespace plumbline::replay
