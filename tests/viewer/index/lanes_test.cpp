#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/runs/parts.hpp"

#include <gtest/gtest.h>

#include "random_runs.hpp"

namespace plumbline::viewer {
namespace {

TEST(Lanes, SumTheExcessOfAllJudgedOperationsOfARank) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {}, random);
  const Lanes lanes = make_lanes(runs);
  ASSERT_EQ(lanes.ranks.size(), runs.observed.ranks());
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    TimeSum own, inherited;
    for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i) {
      own += parts_of(runs, rank, i).own;
      inherited += parts_of(runs, rank, i).inherited;
    }
    EXPECT_EQ(lanes.ranks[rank].own, own);
    EXPECT_EQ(lanes.ranks[rank].inherited, inherited);
    EXPECT_EQ(lanes.ranks[rank].number, rank);
    EXPECT_EQ(lanes.ranks[rank].node, runs.observed.node(runs.observed.rank(rank).node));
  }
}

TEST(Lanes, OfRanksThatAreAlikeIsOneAndAnOutlierHasItsReason) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {.ranks = 5}, random);
  const Lanes lanes = make_lanes(runs);
  Folds folds;
  folds.folds = {{.ranks = {0, 1, 2, 4}, .node = 0, .worst_rank = 2, .note = ""},
                 {.ranks = {3}, .node = 0, .worst_rank = 3, .note = "+1.2 s own in MPI_Send"}};
  const std::vector<Lane> folded = fold_lanes(runs, lanes, folds);
  ASSERT_EQ(folded.size(), 2U);
  EXPECT_EQ(folded[0].number, kFirstFoldLane);
  EXPECT_EQ(folded[0].name, "0–2,4 ×4");
  EXPECT_EQ(folded[0].members, "0-2,4");
  EXPECT_EQ(folded[0].own, lanes.ranks[0].own + lanes.ranks[1].own + lanes.ranks[2].own + lanes.ranks[4].own);
  EXPECT_EQ(folded[1].number, 3U);
  EXPECT_EQ(folded[1].kind, LaneKind::kRank);
  EXPECT_EQ(folded[1].note, "+1.2 s own in MPI_Send");
}

TEST(Lanes, OfComponentsAreBusiestFirst) {
  const test::TemporaryDirectory directory;
  replay::ProgramBuilder builder(directory / "program");
  builder.begin_rank(builder.node("n"), 1);
  builder.add({.call = builder.call("MPI_Comm_rank")}, {{1000}, {2000}});
  builder.end_rank(0);
  Runs runs{.observed = builder.finish(), .expected = {}, .comparison = {}};
  runs.components = {{"a", "link", {{{1000}, 0.25F}}}, {"b", "disk", {{{0}, 1.0F}, {{1500}, 0.0F}}}};
  const Lanes lanes = make_lanes(runs);
  ASSERT_EQ(lanes.components.size(), 2U);
  EXPECT_EQ(lanes.components[0].name, "b");
  EXPECT_EQ(lanes.components[0].number, kFirstComponentLane + 1);
  EXPECT_DOUBLE_EQ(lanes.components[0].busy_share, 0.5);
  EXPECT_DOUBLE_EQ(lanes.components[1].busy_share, 0.25);
}

TEST(BusyShare, IsTheMeanOverThePiecesInTheRange) {
  const ComponentHistory history{"a", "link", {{{100}, 0.5F}, {{200}, 1.0F}, {{300}, 0.0F}}};
  EXPECT_DOUBLE_EQ(busy_share(history, {0}, {100}), 0);  // before the first piece
  EXPECT_DOUBLE_EQ(busy_share(history, {100}, {100}), 0.5);
  EXPECT_DOUBLE_EQ(busy_share(history, {150}, {100}), 0.75);
  EXPECT_DOUBLE_EQ(busy_share(history, {0}, {400}), 0.375);
  EXPECT_DOUBLE_EQ(busy_share(history, {900}, {100}), 0);
  EXPECT_DOUBLE_EQ(busy_share({"a", "link", {}}, {0}, {100}), 0);
  EXPECT_DOUBLE_EQ(busy_share({"a", "link", {{{100}, 0.5F}}}, {900}, {100}), 0.5);  // the last has no end
}

TEST(RankList, JoinsNeighbours) {
  EXPECT_EQ(rank_list({}), "");
  EXPECT_EQ(rank_list({4}), "4");
  EXPECT_EQ(rank_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

}  // namespace
}  // namespace plumbline::viewer
