#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "random_runs.hpp"
#include "replay/compare/pairing/failed_polls.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/compare/tally.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/marks.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::as_observed;
using replay::expect;

Runs compared(replay::Program program, replay::Expected expected) {
  Runs runs{.observed = std::move(program), .expected = std::move(expected), .comparison = {}};
  runs.comparison = replay::tally(runs.observed, *runs.expected, runs.reference, {});
  return runs;
}

Runs recorded_pair(replay::Program program, const replay::Program& reference) {
  replay::Expected columns = replay::columns_of_run(program, reference, {});
  Runs runs{.observed = std::move(program), .expected = std::move(columns), .comparison = {}};
  runs.reference = replay::ReferenceRun::kObserved;
  return runs;
}

TEST(PartsOf, AddUpToWhatWasObservedAndNoneButInheritedIsNegative) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (const int bits : {4, 30, 60})
    for (int i = 0; i < 10; ++i) {
      const Runs runs = random_runs(directory / "program", {.time_bits = bits, .free_in_order = i % 2 == 0}, random);
      for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
        for (std::uint32_t operation = 0; operation < runs.observed.rank(rank).operations.size(); ++operation) {
          const Parts parts = parts_of(runs, rank, operation);
          if (!parts.judged) continue;
          ASSERT_EQ(parts.observed, parts.free + parts.inherited + parts.structure + parts.stack - parts.gained);
          ASSERT_EQ(parts.own, parts.structure + parts.stack - parts.gained);
          ASSERT_GE(std::min({parts.structure, parts.stack, parts.gained}), Duration{});
          ASSERT_TRUE(parts.gained == Duration{} || parts.stack == Duration{});
        }
    }
}

TEST(PartsOf, AreThoseOfTheComparison) {
  replay::Programs programs;
  replay::Program program = programs.parse("ranks 1\nrank 0\nbarrier +10us\nbarrier +10us\nbarrier +10us\n");
  replay::Expected expected = as_observed(program);
  expect(expected.ranks[0], 0, microseconds(3), microseconds(4), microseconds(1));
  expected.ranks[0].as_run_upper[0] = microseconds(6);
  expected.ranks[0].free[0].end = expected.ranks[0].free[0].begin + microseconds(1);
  expect(expected.ranks[0], 1, microseconds(12), microseconds(15));
  expect(expected.ranks[0], 2, microseconds(8), microseconds(11));
  const Runs runs = compared(std::move(program), std::move(expected));
  const Parts slower = parts_of(runs, 0, 0), faster = parts_of(runs, 0, 1), inside = parts_of(runs, 0, 2);
  EXPECT_EQ(slower.free, microseconds(1));
  EXPECT_EQ(slower.inherited, microseconds(3));  // upper - free
  EXPECT_EQ(slower.structure, microseconds(2));
  EXPECT_EQ(slower.stack, microseconds(4));
  EXPECT_EQ(slower.band, microseconds(1));
  EXPECT_EQ(faster.gained, microseconds(2));
  EXPECT_EQ(faster.inherited, Duration{});  // lower - free
  EXPECT_EQ(inside.own, Duration{});
  EXPECT_EQ(inside.inherited, microseconds(2));  // observed - free
  EXPECT_EQ(TimeSum(slower.own + faster.own + inside.own), runs.comparison->totals.own);
  EXPECT_EQ(TimeSum(slower.structure), runs.comparison->totals.structure);
}

TEST(IsJudged, AgreesWithTheComparisonOnEveryOperation) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {.ranks = 4, .operations = 3000}, random);
  const CallFacts calls = facts_of_calls(runs.observed);
  replay::FailedPolls polls(runs.observed);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const RankColumns columns(runs, calls, rank);
    for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i) {
      const replay::Operation& operation = runs.observed.rank(rank).operations[i];
      const bool truth =
          replay::reason_not_judged(runs.observed, *runs.expected, rank, i).empty() && !polls.contains(operation);
      ASSERT_EQ(is_judged(runs, rank, i), truth);
      ASSERT_EQ(columns.is_judged(i), truth);
      ASSERT_EQ(columns.kind(i), kind_of(runs.observed, operation));
      ASSERT_EQ((marks_of(runs, {rank, i}) & kNotJudgedMark) == 0, truth);
    }
  }
}

TEST(KindOf, IsByTheRecordAndWhereThatIsSilentByTheName) {
  replay::Programs programs;
  const replay::Program program = programs.parse("ranks 1\nrank 0\nbarrier +1us\n");
  EXPECT_EQ(kind_of(program, program.rank(0).operations[0]), CallKind::kCollective);
  const test::TemporaryDirectory directory;
  const auto kind = [&](const char* name) {
    replay::ProgramBuilder builder(directory / "p");
    builder.begin_rank(builder.node("n"), 1);
    builder.add({.kind = replay::OpKind::kUnmodelled, .call = builder.call(name)}, {});
    builder.end_rank(0);
    const replay::Program one = builder.finish();
    return kind_of(one, one.rank(0).operations[0]);
  };
  EXPECT_EQ(kind("MPI_Recv"), CallKind::kPointToPoint);
  EXPECT_EQ(kind("MPI_Improbe"), CallKind::kPointToPoint);
  EXPECT_EQ(kind("MPI_Testsome"), CallKind::kWait);
  EXPECT_EQ(kind("MPI_Ialltoallw"), CallKind::kCollective);
  EXPECT_EQ(kind("MPI_Reduce_local"), CallKind::kOther);
  EXPECT_EQ(kind("MPI_File_set_view"), CallKind::kMpiIo);
  EXPECT_EQ(kind("MPI_Win_create"), CallKind::kOneSided);
  EXPECT_EQ(kind("MPI_Rput"), CallKind::kOneSided);
  EXPECT_EQ(kind("MPI_Get_count"), CallKind::kOther);
  EXPECT_EQ(kind("MPI_Comm_split_type"), CallKind::kCommunicators);
  EXPECT_EQ(kind("MPI_Comm_rank"), CallKind::kOther);
  EXPECT_EQ(kind("MPI_Init"), CallKind::kOther);
  EXPECT_EQ(kind("lseek"), CallKind::kPosix);
}

TEST(SpanOf, IsFromTheFirstBeginToTheLastEndOfAnyRank) {
  replay::Programs programs;
  const replay::Program program =
      programs.parse("ranks 3\nrank 0\ncompute 5us\nbarrier +1us\nrank 1\ncompute 2us\nbarrier +9us\nrank 2\n");
  EXPECT_EQ(span_of(program).begin, Time{} + microseconds(2));
  EXPECT_EQ(span_of(program).length, microseconds(9));
}

TEST(ReferenceZero, IsTheFirstBeginOfAnotherRecordingAndOurOwnOfAReplay) {
  replay::Programs programs;
  replay::Program program = programs.parse("ranks 1\nrank 0\ncompute 5us\nbarrier +1us\n");
  replay::Expected expected = as_observed(program);
  expected.ranks[0].free[0] = {Time{} + microseconds(40), Time{} + microseconds(41)};
  Runs runs = compared(std::move(program), std::move(expected));
  EXPECT_EQ(reference_zero(runs), Time{} + microseconds(5));
  runs.reference = replay::ReferenceRun::kObserved;
  EXPECT_EQ(reference_zero(runs), Time{} + microseconds(40));
}

// A failed poll of ours has no counterpart: its columns are our own times.
TEST(ReferenceZero, IsNotThatOfAFailedPoll) {
  const test::TemporaryDirectory directory;
  replay::ProgramBuilder builder(directory / "program");
  builder.begin_rank(builder.node("n"), 1);
  builder.add({.call = builder.call("MPI_Test")}, {{0}, {10}});
  builder.add({.kind = replay::OpKind::kWait, .call = builder.call("MPI_Wait")}, {{10}, {20}});
  builder.end_rank(0);
  replay::Program program = builder.finish();
  replay::Expected expected = as_observed(program);
  expected.ranks[0].free[1] = {{70}, {80}};
  Runs runs = compared(std::move(program), std::move(expected));
  runs.reference = replay::ReferenceRun::kObserved;
  EXPECT_EQ(reference_zero(runs), Time{70});
}

// What is only here has made-up times in the columns.
TEST(ReferenceZero, IsOfAnOperationThatBothHave) {
  replay::Programs programs;
  const replay::Program reference =
      programs.parse("ranks 1\nrank 0\n@100us local MPI_Finalized +1us\n@110us barrier +1us\n");
  Runs runs =
      recorded_pair(programs.parse("ranks 1\nrank 0\n@5us bcast root 0 8B +1us\n@7us barrier +1us\n"), reference);
  EXPECT_EQ(reference_zero(runs), Time{} + microseconds(110));
  EXPECT_FALSE(ReferenceOperations(runs).contains({0, 0}));
  EXPECT_TRUE(ReferenceOperations(runs).contains({0, 1}));
}

TEST(SetMarks, TellsFindingsWithheldRowsAndWhereAProcessEnded) {
  const test::TemporaryDirectory directory;
  replay::ProgramBuilder builder(directory / "program");
  builder.begin_rank(builder.node("n"), 1);
  const std::uint16_t wait = builder.call("MPI_Wait"), rank = builder.call("MPI_Comm_rank");
  builder.add({.kind = replay::OpKind::kWait, .call = wait}, {{0}, {10}});
  builder.add({.call = rank}, {{10}, {20}});
  builder.add({.call = rank}, {{20}, {30}});
  builder.add({.call = rank}, {{30}, {40}});
  builder.not_judged(2, "the process ended in this call");
  builder.not_judged(3, "failed: MPI_ERR_RANK, and the process ended in this call");
  builder.end_rank(0);
  replay::Program program = builder.finish();
  replay::Expected expected = as_observed(program);
  Runs runs = compared(std::move(program), std::move(expected));
  for (replay::Row& row : runs.comparison->rows) row.withheld = row.call == "MPI_Wait";
  set_marks(runs, std::array<OperationId, 3>{{{0, 1}, {0, 99}, {7, 0}}});
  EXPECT_EQ(marks_of(runs, {0, 0}), kWithheldMark);
  EXPECT_EQ(marks_of(runs, {0, 1}), kFindingMark);
  EXPECT_EQ(marks_of(runs, {0, 2}), kUnfinishedMark | kNotJudgedMark);
  EXPECT_EQ(marks_of(runs, {0, 3}), kUnfinishedMark | kNotJudgedMark);
}

}  // namespace
}  // namespace plumbline::viewer
