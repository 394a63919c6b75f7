#include "viewer/index/lanes/folds.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "worlds.hpp"

namespace plumbline::viewer {
namespace {

using testing::ElementsAre;

class FoldsTest : public testing::Test {
 protected:
  // Ranks on nodes of `per_node`, each with one write of 100 ms and a barrier.
  replay::Program writers(std::uint32_t ranks, std::uint32_t per_node) {
    replay::ProgramBuilder builder(directory_ / "program");
    std::vector<std::uint32_t> world(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) world[rank] = rank;
    builder.comm(world);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      builder.begin_rank(builder.node(fmt::format("n{:02}", rank / per_node)), 0);
      const Time written{milliseconds(100).ps};
      builder.add({.kind = replay::OpKind::kIoWrite, .call = builder.call("write"), .comm = builder.file("/out")},
                  {{}, written});
      builder.add({.kind = replay::OpKind::kIoSync, .call = builder.call("fsync"), .comm = builder.file("/out")},
                  {written, written + milliseconds(50)});
      builder.end_rank(0);
    }
    return builder.finish();
  }

  // Own excess of the write, beyond what was observed.
  static void slow(replay::Expected& expected, std::uint32_t rank, Duration own) {
    expect(expected.ranks[rank], 0, milliseconds(100) - own, milliseconds(100) - own);
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(FoldsTest, RanksThatAreAlikeAreOneFoldPerNode) {
  replay::Program program = writers(8, 4);
  const Folds folds = fold_ranks(compared(std::move(program), replay::as_observed(writers(8, 4))));
  ASSERT_EQ(folds.folds.size(), 2U);
  EXPECT_THAT(folds.folds[0].ranks, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(folds.folds[1].ranks, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(folds.folds[1].node, 1U);
  EXPECT_EQ(folds.folds[0].note, "");
  EXPECT_THAT(folds.fold_of, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
}

TEST_F(FoldsTest, ARankThatIsUnlikeMostStandsAloneWithItsReason) {
  replay::Program program = writers(8, 8);
  replay::Expected expected = replay::as_observed(program);
  slow(expected, 5, milliseconds(60));
  const Folds folds = fold_ranks(compared(std::move(program), std::move(expected)));
  ASSERT_EQ(folds.folds.size(), 2U);
  EXPECT_THAT(folds.folds[0].ranks, ElementsAre(0, 1, 2, 3, 4, 6, 7));
  EXPECT_THAT(folds.folds[1].ranks, ElementsAre(5));
  EXPECT_EQ(folds.folds[1].note, "+60 ms own in write");
  EXPECT_EQ(folds.folds[1].worst_rank, 5U);
}

TEST_F(FoldsTest, ThousandsOfRanksWithThreeOutliersMakeAFewLanes) {
  replay::Program program = writers(4096, 64);
  replay::Expected expected = replay::as_observed(program);
  for (std::uint32_t rank = 0; rank < 4096; ++rank) slow(expected, rank, microseconds(10 * (rank % 50)));
  for (const std::uint32_t rank : {17U, 900U, 4095U}) slow(expected, rank, milliseconds(40));
  const Folds folds = fold_ranks(compared(std::move(program), std::move(expected)));
  EXPECT_LE(folds.folds.size(), 12U);
  std::set<std::uint32_t> alone;
  std::size_t ranks = 0;
  for (const Fold& fold : folds.folds) {
    ranks += fold.ranks.size();
    if (fold.ranks.size() > 1) continue;
    alone.insert(fold.ranks.front());
    EXPECT_EQ(fold.note, "+39.75 ms own in write") << fold.ranks.front();  // 40 ms less the median
  }
  EXPECT_EQ(ranks, 4096U);
  EXPECT_THAT(alone, ElementsAre(17, 900, 4095));
}

TEST_F(FoldsTest, OfARecordingAloneTellWhoSpentLongerInACall) {
  replay::Programs programs;
  const Folds folds = fold_ranks(alone(programs.parse(R"(ranks 6
rank 0
  @0us posix_write 8B file /out +1ms ; @100ms barrier
rank 1
  @0us posix_write 8B file /out +1ms ; @100ms barrier
rank 2
  @0us posix_write 8B file /out +90ms ; @100ms barrier
rank 3
  @0us posix_write 8B file /out +1ms ; @100ms barrier
rank 4
  @0us posix_write 8B file /out +1ms ; @100ms barrier
rank 5
  @0us posix_write 8B file /out +1ms ; @100ms barrier
)")));
  ASSERT_EQ(folds.folds.size(), 2U);
  EXPECT_THAT(folds.folds[1].ranks, ElementsAre(2));
  EXPECT_EQ(folds.folds[1].note, "+89 ms in write");
}

TEST_F(FoldsTest, AreNeverMoreThanWasAskedForHoweverDifferentTheRanksAre) {
  replay::Program program = writers(600, 8);
  replay::Expected expected = replay::as_observed(program);
  for (std::uint32_t rank = 0; rank < 600; ++rank) slow(expected, rank, microseconds(150 * rank));
  const Folds folds = fold_ranks(compared(std::move(program), std::move(expected)));
  EXPECT_LE(folds.folds.size(), FoldOptions{}.most_folds);
  EXPECT_GT(folds.folds.size(), 4U);
  for (std::uint32_t rank = 0; rank < 600; ++rank)
    EXPECT_TRUE(std::ranges::binary_search(folds.folds[folds.fold_of[rank]].ranks, rank));
}

TEST_F(FoldsTest, OfARankWithoutOperationsAreOne) {
  replay::Programs programs;
  EXPECT_EQ(fold_ranks(alone(programs.parse("ranks 1\n"))).folds.size(), 1U);
}

}  // namespace
}  // namespace plumbline::viewer
