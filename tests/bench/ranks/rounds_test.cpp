#include "bench/ranks/runtime/rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void expect_each_rank_at_most_once(const Round& round, std::uint32_t ranks) {
  std::set<std::uint32_t> seen;
  for (const Group& group : round)
    for (const std::uint32_t rank : group) {
      EXPECT_LT(rank, ranks);
      EXPECT_TRUE(seen.insert(rank).second) << "rank " << rank << " is in two groups";
    }
}

TEST(PairsInRounds, OfFourAreThreeOfTwo) {
  EXPECT_THAT(pairs_in_rounds(4), ElementsAre(Round{{0, 3}, {1, 2}}, Round{{1, 3}, {0, 2}}, Round{{2, 3}, {0, 1}}));
}

TEST(PairsInRounds, AreEachPairOnceInTheFewestRounds) {
  for (std::uint32_t ranks = 0; ranks <= 65; ++ranks) {
    const std::vector<Round> rounds = pairs_in_rounds(ranks);
    EXPECT_EQ(rounds.size(), ranks < 2 ? 0 : ranks % 2 == 0 ? ranks - 1 : ranks) << ranks;
    std::set<Group> pairs;
    for (const Round& round : rounds) {
      expect_each_rank_at_most_once(round, ranks);
      EXPECT_EQ(round.size(), ranks / 2);
      for (const Group& pair : round) {
        EXPECT_LT(pair[0], pair[1]);
        EXPECT_TRUE(pairs.insert(pair).second);
      }
    }
    EXPECT_EQ(pairs.size(), ranks < 2 ? 0 : ranks * (ranks - 1) / 2);
  }
}

TEST(PairsInRounds, OneByOneAreTheSamePairs) {
  const std::vector<Round> single = one_by_one(pairs_in_rounds(6));
  EXPECT_EQ(single.size(), 15);
  for (const Round& round : single) EXPECT_EQ(round.size(), 1);
}

TEST(InRounds, AreGroupsInTheOrderGivenAndNobodyTwiceInARound) {
  const std::vector<Group> groups = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 5, 6}};
  EXPECT_THAT(in_rounds(groups), ElementsAre(Round{{0, 1}, {2, 3}, {4, 5, 6}}, Round{{1, 2}, {0, 3}}));
}

TEST(TripletsInRounds, AreEachChoiceOfOneAndTwoOthersOnce) {
  EXPECT_THAT(triplets_in_rounds(2), IsEmpty());
  EXPECT_THAT(triplets_in_rounds(3), ElementsAre(Round{{0, 1, 2}}, Round{{1, 0, 2}}, Round{{2, 0, 1}}));
  for (const std::uint32_t ranks : {4U, 6U, 7U}) {
    std::set<Group> triplets;
    for (const Round& round : triplets_in_rounds(ranks)) {
      expect_each_rank_at_most_once(round, ranks);
      triplets.insert(round.begin(), round.end());
    }
    EXPECT_EQ(triplets.size(), ranks * (ranks - 1) * (ranks - 2) / 2);
  }
  EXPECT_EQ(triplets_in_rounds(6).front().size(), 2) << "disjoint ones are at once";
}

TEST(RandomMatching, PairsEverybodyAndIsTheSameForASeed) {
  for (std::uint32_t ranks = 2; ranks < 12; ++ranks)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Round round = random_matching(ranks, seed);
      expect_each_rank_at_most_once(round, ranks);
      EXPECT_EQ(round.size(), ranks / 2);
      EXPECT_EQ(round.front().front(), 0);
      EXPECT_EQ(random_matching(ranks, seed), round);
    }
}

TEST(RandomMatching, GivesRankZeroEveryPartner) {
  std::set<std::uint32_t> partners;
  for (std::uint64_t seed = 0; seed < 100; ++seed) partners.insert(random_matching(6, seed).front()[1]);
  EXPECT_THAT(partners, ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace plumbline::bench
