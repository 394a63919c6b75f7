// Rounds of pairs: nobody twice in one, everybody with everybody.

#include "bench/ranks/network/rounds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace plumbline::bench::network {
namespace {

void expect_nobody_twice(const Round& round) {
  std::set<std::uint32_t> seen;
  for (const Pair& pair : round) {
    EXPECT_TRUE(seen.insert(pair.a).second) << pair.a;
    EXPECT_TRUE(seen.insert(pair.b).second) << pair.b;
  }
}

TEST(RoundsOfAll, OfFourAreThreeOfTwo) {
  const std::vector<Round> expected = {{{0, 3}, {1, 2}}, {{1, 3}, {0, 2}}, {{2, 3}, {0, 1}}};
  EXPECT_EQ(rounds_of_all(4), expected);
}

TEST(RoundsOfAll, HaveEveryPairOnceAndNobodyTwiceInARound) {
  for (std::uint32_t count = 0; count <= 65; ++count) {
    SCOPED_TRACE(count);
    const std::vector<Round> rounds = rounds_of_all(count);
    EXPECT_EQ(rounds.size(), count < 2 ? 0 : count % 2 == 0 ? count - 1 : count);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Round& round : rounds) {
      expect_nobody_twice(round);
      EXPECT_EQ(round.size(), count / 2);
      for (const Pair& pair : round) {
        EXPECT_LT(pair.a, pair.b);
        EXPECT_LT(pair.b, count);
        EXPECT_TRUE(pairs.insert({pair.a, pair.b}).second) << pair.a << ' ' << pair.b;
      }
    }
    EXPECT_EQ(pairs.size(), count * (count - (count > 0 ? 1 : 0)) / 2);
  }
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
