#include "viewer/index/matches/matches.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/matches/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "worlds.hpp"

namespace plumbline::viewer {

namespace {

using replay::Program;
using testing::ElementsAre;

class MatchesTest : public testing::Test {
 protected:
  const Matches& match(const std::string& text) {
    program_.emplace(programs_.parse(text));
    matches_ = match_operations(*program_);
    return matches_;
  }
  OperationId partner(std::uint32_t rank, std::uint32_t operation) const { return matches_.partner({rank, operation}); }
  OperationId receiver(std::uint32_t rank, std::uint32_t operation) const {
    return receiver_of(*program_, matches_, {rank, operation});
  }

  replay::Programs programs_;
  std::optional<Program> program_;
  Matches matches_;
};

constexpr OperationId kNobody{};

TEST_F(MatchesTest, MessagesOfAChannelMatchInOrderAndThoseOfOtherTagsDoNotCount) {
  match(R"(ranks 2
rank 0
  send 1 tag 1 8B ; send 1 tag 2 8B ; send 1 tag 1 8B
rank 1
  recv 0 tag 2 8B ; recv 0 tag 1 8B any-source any-tag ; recv 0 tag 1 8B
)");
  EXPECT_EQ(partner(0, 0), (OperationId{1, 1}));
  EXPECT_EQ(partner(0, 1), (OperationId{1, 0}));
  EXPECT_EQ(partner(0, 2), (OperationId{1, 2}));
  EXPECT_EQ(partner(1, 0), (OperationId{0, 1}));
  EXPECT_EQ(partner(1, 1), (OperationId{0, 0}));
  EXPECT_EQ(partner(1, 2), (OperationId{0, 2}));
  EXPECT_EQ(receiver(0, 2), (OperationId{1, 2}));
  EXPECT_EQ(matches_.unmatched, 0U);
}

TEST_F(MatchesTest, BothDirectionsOfASendrecvAreKnown) {
  match(R"(ranks 3
rank 0
  sendrecv to 1 tag 5 8B from 2 tag 5 8B
rank 1
  sendrecv to 2 tag 5 8B from 0 tag 5 8B
rank 2
  sendrecv to 0 tag 5 8B from 1 tag 5 8B
)");
  EXPECT_EQ(partner(0, 0), (OperationId{2, 0}));
  EXPECT_EQ(receiver(0, 0), (OperationId{1, 0}));
  EXPECT_EQ(partner(1, 0), (OperationId{0, 0}));
  EXPECT_EQ(receiver(2, 0), (OperationId{0, 0}));
  EXPECT_EQ(matches_.unmatched, 0U);
}

TEST_F(MatchesTest, AWaitBelongsToTheRequestWhoseOtherEndCameLast) {
  match(R"(ranks 3
rank 0
  @0us irecv 1 tag 1 8B -> a ; irecv 2 tag 1 8B -> b ; @1us wait a b +9us
rank 1
  @8us send 0 tag 1 8B
rank 2
  @3us send 0 tag 1 8B
)");
  EXPECT_EQ(partner(0, 2), (OperationId{0, 0}));
  EXPECT_EQ(completion_of(matches_, {0, 0}), (OperationId{0, 2}));
  EXPECT_EQ(completion_of(matches_, {0, 1}), (OperationId{0, 2}));
  EXPECT_EQ(completion_of(matches_, {1, 0}), kNobody);
}

TEST_F(MatchesTest, WhatBeganAfterAWaitHadEndedDidNotHoldItUp) {
  match(R"(ranks 3
rank 0
  @0us isend 1 tag 1 8B -> a ; irecv 2 tag 1 8B -> b ; @1us wait a b +4us
rank 1
  @50us recv 0 tag 1 8B
rank 2
  @3us send 0 tag 1 8B
)");
  EXPECT_EQ(partner(0, 2), (OperationId{0, 1}));
}

TEST_F(MatchesTest, AReceiveThatNobodyCompletedTakesWhatIsLeft) {
  match(R"(ranks 2
rank 0
  irecv 1 tag 1 8B never-completed -> a ; recv 1 tag 1 8B
rank 1
  send 0 tag 1 8B ; send 0 tag 1 8B ; send 0 tag 1 8B
)");
  EXPECT_EQ(partner(0, 1), (OperationId{1, 0}));
  EXPECT_EQ(partner(0, 0), (OperationId{1, 1}));
  EXPECT_EQ(partner(1, 2), kNobody);
  EXPECT_EQ(matches_.unmatched, 1U);
  EXPECT_EQ(matches_.without_partner, (std::vector{OperationId{1, 2}}));
}

TEST_F(MatchesTest, AProbeSeesTheMessageThatTheNextReceiveTakes) {
  match(R"(ranks 2
rank 0
  send 1 tag 1 8B ; send 1 tag 1 8B
rank 1
  recv 0 tag 1 8B ; probe 0 tag 1 8B ; recv 0 tag 1 8B
)");
  EXPECT_EQ(partner(1, 1), (OperationId{0, 1}));
  EXPECT_EQ(partner(0, 1), (OperationId{1, 2}));
}

TEST_F(MatchesTest, ACollectiveCallBelongsToTheLastToArriveOfItsInstance) {
  match(R"(ranks 3
rank 0
  @0us barrier +10us ; @20us barrier +1us
rank 1
  @5us barrier +5us ; @11us barrier +10us
rank 2
  @9us barrier +1us ; @12us barrier +9us
)");
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(partner(rank, 0), (OperationId{2, 0})) << rank;
    EXPECT_EQ(partner(rank, 1), (OperationId{0, 1})) << rank;
  }
  const std::optional<Instance> instance = instance_of(*program_, matches_, {1, 1});
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->number, 1U);
  EXPECT_THAT(calls_of(matches_, *instance), ElementsAre(OperationId{0, 1}, OperationId{1, 1}, OperationId{2, 1}));
}

TEST_F(MatchesTest, ABroadcastWaitsForItsRootAndTheRootOfAReductionForTheLast) {
  match(R"(ranks 3
rank 0
  @0us bcast root 1 8B +10us ; @10us reduce root 0 8B +10us
rank 1
  @5us bcast root 1 8B +1us ; @19us reduce root 0 8B
rank 2
  @9us bcast root 1 8B +1us ; @11us reduce root 0 8B
)");
  for (std::uint32_t rank = 0; rank < 3; ++rank) EXPECT_EQ(partner(rank, 0), (OperationId{1, 0})) << rank;
  EXPECT_EQ(partner(0, 1), (OperationId{1, 1}));
  EXPECT_EQ(partner(2, 1), (OperationId{0, 1}));
}

TEST_F(MatchesTest, CallsOnCommunicatorsAndFilesAreCountedApart) {
  match(R"(ranks 2
comm 1 = 1 0
rank 0
  @0us barrier comm 1 ; barrier ; open /a collective ; open /b collective ; @9us close collective file /b ; close collective file /a
rank 1
  @1us barrier ; barrier comm 1 ; open /a collective ; open /b collective ; @8us close collective file /a ; close collective file /b
)");
  EXPECT_EQ(partner(0, 0), (OperationId{1, 1}));
  EXPECT_EQ(partner(0, 1), (OperationId{1, 0}));
  EXPECT_EQ(partner(1, 4), (OperationId{0, 5}));  // /a
  EXPECT_EQ(partner(1, 5), (OperationId{0, 4}));
}

TEST_F(MatchesTest, ANeighbourhoodCollectiveWaitsForTheLastOfThoseItReceivesFrom) {
  match(R"(ranks 3
rank 0
  @0us neighbor_alltoall to 1:8 from 1:8 +9us
rank 1
  @1us neighbor_alltoall to 0:8,2:8 from 0:8,2:8 +8us
rank 2
  @6us neighbor_alltoall to 1:8 from 1:8 +3us
)");
  EXPECT_EQ(partner(0, 0), (OperationId{1, 0}));
  EXPECT_EQ(partner(1, 0), (OperationId{2, 0}));
  EXPECT_EQ(partner(2, 0), (OperationId{1, 0}));
}

TEST_F(MatchesTest, StartsBelongToTheLastPostAndWaitsToTheLastCompleteOfTheirGroup) {
  match(R"(ranks 3
window 0 = comm 0 create
rank 0
  @0us win_start 0 group 1 2 +5us ; @6us win_complete 0
rank 1
  @1us win_post 0 group 0 ; @2us win_wait 0 +5us
rank 2
  @4us win_post 0 group 0 ; @5us win_wait 0 +2us
)");
  EXPECT_EQ(partner(0, 0), (OperationId{2, 0}));
  EXPECT_EQ(partner(0, 1), (OperationId{2, 0}));
  EXPECT_EQ(partner(1, 1), (OperationId{0, 1}));
  EXPECT_EQ(partner(2, 1), (OperationId{0, 1}));
}

}  // namespace
}  // namespace plumbline::viewer
