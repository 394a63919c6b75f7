// Rounds that are drawn, and those of given pairs. All pairs: tests/bench/ranks/rounds_test.cpp.

#include "bench/ranks/network/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace plumbline::bench::network {
namespace {

TEST(SomeRounds, AreAllOfThemWhereThereAreNoMore) {
  const std::vector<Round> expected = {{{0, 3}, {1, 2}}, {{1, 3}, {0, 2}}, {{2, 3}, {0, 1}}};
  EXPECT_EQ(some_rounds(4, 3, 42), expected);
}

TEST(SomeRounds, GiveEachAsManyPartnersAsAsked) {
  for (const std::uint32_t count : {2u, 7u, 16u, 33u, 100u}) {
    for (const std::uint32_t partners : {1u, 3u, 200u}) {
      const std::vector<Round> rounds = some_rounds(count, partners, 42);
      std::map<std::uint32_t, std::uint32_t> of;
      for (const Round& round : rounds)
        for (const Pair& pair : round) ++of[pair.a], ++of[pair.b];
      const std::uint32_t most = std::min(partners, count - 1);
      for (std::uint32_t node = 0; node < count; ++node) {
        EXPECT_LE(of[node], most);
        EXPECT_GE(of[node] + count % 2, most);
      }
    }
  }
  EXPECT_EQ(some_rounds(40, 5, 1), some_rounds(40, 5, 1));
  EXPECT_NE(some_rounds(40, 5, 1), some_rounds(40, 5, 2));
}

TEST(SomeRounds, GrowWithTheLogarithmByDefault) {
  EXPECT_EQ(partners_by_default(1), 0u);
  EXPECT_EQ(partners_by_default(3), 3u) << "rounds of all, in each of which one has no partner";
  EXPECT_EQ(partners_by_default(8), 7u);
  EXPECT_EQ(partners_by_default(20), 19u);
  EXPECT_EQ(partners_by_default(21), 20u);
  EXPECT_EQ(partners_by_default(64), 24u);
  EXPECT_EQ(partners_by_default(1024), 40u);
}

TEST(RoundsOfAList, KeepNobodyTwiceInARoundAndLoseNoPair) {
  const std::vector<Pair> pairs = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 5}};
  const std::vector<Round> expected = {{{0, 1}, {2, 3}, {4, 5}}, {{1, 2}, {0, 3}}};
  EXPECT_EQ(rounds_of(pairs), expected);
}

}  // namespace
}  // namespace plumbline::bench::network
