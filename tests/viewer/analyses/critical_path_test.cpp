#include "viewer/index/waits/critical_path.hpp"
#include "viewer/index/matches/match_operations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/program/random_program.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {

static bool operator==(const PathPiece& a, const PathPiece& b) {
  return a.rank == b.rank && a.begin == b.begin && a.end == b.end && a.operation == b.operation && a.joined == b.joined;
}

namespace {

using replay::kNone;
using testing::ElementsAre;

constexpr std::size_t kAll = 1'000'000;

PathPiece piece(std::uint32_t rank, std::int64_t begin_us, std::int64_t end_us, std::uint32_t operation) {
  return {rank, Time{microseconds(begin_us).ps}, Time{microseconds(end_us).ps}, operation, 1};
}

TEST(CriticalPath, GoesToTheRankThatWasWaitedFor) {
  replay::Programs programs;
  const Runs runs = alone(programs.parse(R"(ranks 2
rank 0
  @0us recv 1 tag 1 8B +12us ; compute 3us ; local MPI_Finalize +1us
rank 1
  @2us posix_write 8B file /out +6us ; @10us send 0 tag 1 8B +1us
)"));
  const CriticalPath path = critical_path_of(runs, match_operations(runs.observed), TimesOf::kObserved, kAll);
  EXPECT_THAT(path.pieces, ElementsAre(piece(1, 0, 2, kNone), piece(1, 2, 8, 0), piece(1, 8, 10, kNone),
                                       piece(0, 10, 12, 0), piece(0, 12, 15, kNone), piece(0, 15, 16, 1)));
  ASSERT_EQ(path.by_call.size(), 4U);
  EXPECT_EQ(path.by_call[0].call, "compute");
  EXPECT_EQ(path.by_call[0].time, microseconds(7));
  EXPECT_EQ(path.by_call[1].call, "write");
}

TEST(CriticalPath, OfTheFreeRunFollowsTheLastToArriveThere) {
  replay::Programs programs;
  replay::Program program = programs.parse(R"(ranks 2
rank 0
  @0us posix_write 8B file /out +9us ; barrier +1us
rank 1
  @0us posix_write 8B file /out +5us ; barrier +5us
)");
  replay::Expected expected = replay::as_observed(program);
  const auto free = [&](std::uint32_t rank, std::int64_t write_us) {
    expected.ranks[rank].free[0].end = expected.ranks[rank].free[1].begin = Time{microseconds(write_us).ps};
    expected.ranks[rank].free[1].end = Time{microseconds(6).ps};
  };
  free(0, 1);
  free(1, 5);
  const Runs runs = compared(std::move(program), std::move(expected));
  const Matches matches = match_operations(runs.observed);
  EXPECT_THAT(critical_path_of(runs, matches, TimesOf::kObserved, kAll).pieces,
              ElementsAre(piece(0, 0, 9, 0), piece(0, 9, 10, 1)));
  EXPECT_THAT(critical_path_of(runs, matches, TimesOf::kFree, kAll).pieces,
              ElementsAre(piece(1, 0, 5, 0), piece(0, 5, 6, 1)));
}

TEST(CriticalPath, OfNothingIsEmpty) {
  replay::Programs programs;
  const Runs runs = alone(programs.parse("ranks 2\n"));
  EXPECT_TRUE(critical_path_of(runs, match_operations(runs.observed), TimesOf::kObserved, kAll).pieces.empty());
}

// From the begin of the run to its end without a hole.
void expect_whole(const CriticalPath& path, Time begin, Time end) {
  Time at = begin;
  Duration by_call;
  for (const PathPiece& each : path.pieces) {
    ASSERT_EQ(each.begin, at);
    ASSERT_LT(each.begin, each.end);
    at = each.end;
  }
  EXPECT_EQ(at, end);
  for (const PathTime& time : path.by_call) by_call += time.time;
  EXPECT_EQ(by_call, end - begin);
}

TEST(CriticalPath, OfRandomRunsIsAsLongAsTheRunAlsoWhenTheShortestPiecesAreJoined) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 60; ++turn) {
    const Runs runs = alone(replay::random_program(random(), directory / "program"));
    const Span span = span_of(runs.observed);
    const Matches matches = match_operations(runs.observed);
    for (const std::size_t most : {kAll, std::size_t{10}, std::size_t{3}}) {
      const CriticalPath path = critical_path_of(runs, matches, TimesOf::kObserved, most);
      EXPECT_LE(path.pieces.size(), most);
      expect_whole(path, span.begin, span.begin + span.length);
    }
  }
}

}  // namespace
}  // namespace plumbline::viewer
