#include "viewer/index/waits/causes.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/waits/cause_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/seed.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {
namespace {

using replay::Expected;
using replay::Program;
using testing::AllOf;
using testing::ElementsAre;

auto step(std::uint32_t rank, std::uint32_t operation, Why why, Duration explains) {
  return AllOf(testing::Field("operation", &CauseStep::operation, OperationId{rank, operation}),
               testing::Field("why", &CauseStep::why, why), testing::Field("explains", &CauseStep::explains, explains));
}

// Rank 2 writes for 5 s where 1 s was expected; rank 1 gets its message 4 s late, and rank 0 that of rank 1.
constexpr char kLateWrite[] = R"program(ranks 3
rank 0
  @0s recv 1 tag 1 8B +6s
rank 1
  @0s recv 2 tag 1 8B +5s ; send 0 tag 1 8B +1s
rank 2
  @0s posix_write 8B file /out +5s site "out (io.c:7)" ; send 1 tag 1 8B
)program";

class CausesTest : public testing::Test {
 protected:
  // Everything as observed, but the write of 4 s less, and so all that waits for it in the free run.
  Runs late_write() {
    Program program = programs_.parse(kLateWrite);
    Expected expected = replay::as_observed(program);
    expect(expected.ranks[2], 0, seconds(1), seconds(1));
    expected.ranks[2].free[1] = {{seconds(1).ps}, {seconds(1).ps}};
    expected.ranks[1].free[0].end = expected.ranks[1].free[1].begin = Time{seconds(1).ps};
    expected.ranks[1].free[1].end = expected.ranks[0].free[0].end = Time{seconds(2).ps};
    return compared(std::move(program), std::move(expected));
  }

  replay::Programs programs_;
};

TEST_F(CausesTest, LeadThroughRanksThatWaitedToTheOneThatIsLateByItself) {
  const Runs runs = late_write();
  const Causes causes = causes_of(runs, match_operations(runs.observed), {0, 0});
  EXPECT_EQ(causes.own, Duration{});
  EXPECT_EQ(causes.inherited, seconds(4));
  EXPECT_EQ(causes.explained, seconds(4));
  EXPECT_FALSE(causes.by_time);
  EXPECT_THAT(causes.steps, ElementsAre(step(1, 1, Why::kLateSender, {}), step(2, 1, Why::kLateSender, {}),
                                        step(2, 0, Why::kOwnExcess, seconds(4))));
  EXPECT_EQ(causes.sentence, "of 4 s: 4 s from rank 2, write at out (io.c:7)");
}

TEST_F(CausesTest, OfARecordingAloneTellWhatTheOthersDidMeanwhile) {
  const Runs runs = alone(programs_.parse(kLateWrite));
  const Causes causes = causes_of(runs, match_operations(runs.observed), {0, 0});
  EXPECT_TRUE(causes.by_time);
  EXPECT_EQ(causes.waited, seconds(5));  // until rank 1 began to send
  EXPECT_THAT(causes.steps, ElementsAre(step(1, 1, Why::kLateSender, {}), step(2, 1, Why::kLateSender, {}),
                                        step(2, 0, Why::kInCall, seconds(5))));
  EXPECT_EQ(causes.explained, seconds(5));
}

TEST_F(CausesTest, OfACollectiveEndAtTheComputationOfTheLastToArrive) {
  const Runs runs = alone(programs_.parse(R"program(ranks 2
rank 0
  @0s barrier ; barrier +7s
rank 1
  @0s barrier ; compute 7s ; barrier
)program"));
  const Matches matches = match_operations(runs.observed);
  const Causes causes = causes_of(runs, matches, {0, 1});
  EXPECT_THAT(causes.steps, ElementsAre(step(1, 1, Why::kLastToArrive, {}), step(1, 1, Why::kCompute, seconds(7))));
  ASSERT_EQ(causes.steps.size(), 2U);
  EXPECT_EQ(causes.steps[1].begin, Time{});
  EXPECT_EQ(causes.steps[1].end, Time{seconds(7).ps});
  EXPECT_THAT(causes_of(runs, matches, {1, 1}).steps, ElementsAre());
}

TEST_F(CausesTest, BeforeTheLastContactOfTwoRanksAreNotCounted) {
  Program program = programs_.parse(R"program(ranks 2
rank 0
  @0s barrier +3s ; recv 1 tag 1 8B +2s
rank 1
  @0s posix_write 8B file /out +3s ; barrier ; posix_write 8B file /out +2s ; send 0 tag 1 8B
)program");
  Expected expected = replay::as_observed(program);
  for (const std::uint32_t write : {0U, 2U}) expect(expected.ranks[1], write, seconds(1), seconds(1));
  expected.ranks[0].free[1].end = expected.ranks[0].free[1].begin + seconds(1);
  const Runs runs = compared(std::move(program), std::move(expected));
  const Causes causes = causes_of(runs, match_operations(runs.observed), {0, 1});
  EXPECT_THAT(causes.steps, ElementsAre(step(1, 3, Why::kLateSender, {}), step(1, 2, Why::kOwnExcess, seconds(1))));
}

TEST_F(CausesTest, CountHowMuchLaterARankLeftTheLastCollectiveByItself) {
  Program program = programs_.parse(R"(ranks 2
rank 0
  @0s barrier +2s ; barrier +4s
rank 1
  @0s barrier +5s ; barrier +1s
)");
  Expected expected = replay::as_observed(program);
  expect(expected.ranks[1], 0, seconds(1), seconds(1));
  expected.ranks[0].free[1].end = expected.ranks[0].free[1].begin + seconds(1);
  const Runs runs = compared(std::move(program), std::move(expected));
  const Causes causes = causes_of(runs, match_operations(runs.observed), {0, 1});
  EXPECT_EQ(causes.inherited, seconds(3));
  EXPECT_THAT(causes.steps, ElementsAre(step(1, 1, Why::kLastToArrive, {}), step(1, 0, Why::kOwnExcess, seconds(3))));
}

TEST_F(CausesTest, AreLookedForBeyondAMessageForWhichNobodyWaited) {
  Program program = programs_.parse(R"(ranks 2
rank 0
  @0s send 1 tag 9 8B ; recv 1 tag 1 8B +6s
rank 1
  @0s posix_write 8B file /out +5s ; recv 0 tag 9 8B ; send 0 tag 1 8B
)");
  Expected expected = replay::as_observed(program);
  expect(expected.ranks[1], 0, seconds(1), seconds(1));
  expected.ranks[0].free[1].end = expected.ranks[0].free[1].begin + seconds(2);
  const Runs runs = compared(std::move(program), std::move(expected));
  EXPECT_THAT(causes_of(runs, match_operations(runs.observed), {0, 1}).steps,
              ElementsAre(step(1, 2, Why::kLateSender, {}), step(1, 0, Why::kOwnExcess, seconds(4))));
}

TEST_F(CausesTest, OfAnExcessThatNothingExplainsTellWhatTheOthersDidMeanwhile) {
  Program program = programs_.parse(kLateWrite);
  Expected expected = replay::as_observed(program);
  expected.ranks[1].free[0].end = Time{seconds(1).ps};  // inherited, though the write was as expected
  const Runs runs = compared(std::move(program), std::move(expected));
  const Causes causes = causes_of(runs, match_operations(runs.observed), {1, 0});
  EXPECT_EQ(causes.inherited, seconds(4));
  EXPECT_TRUE(causes.by_time);
  EXPECT_THAT(causes.steps, ElementsAre(step(2, 1, Why::kLateSender, {}), step(2, 0, Why::kInCall, seconds(5))));
}

TEST_F(CausesTest, OfRandomRunsAddUpToWhatIsExplainedAndNeverToMoreThanWasWaited) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 20; ++turn) {
    const Runs runs =
        random_runs(directory / "program", {.ranks = 4, .operations = 100, .is_compared = turn % 2 == 0}, random);
    const Matches matches = match_operations(runs.observed);
    for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
      for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i) {
        const Causes causes = causes_of(runs, matches, {rank, i});
        Duration sum;
        for (const CauseStep& each : causes.steps) {
          sum += each.explains;
          EXPECT_LE(each.begin, each.end);
        }
        EXPECT_EQ(sum, causes.explained);
        EXPECT_LE(causes.explained, std::max(causes.waited, Duration{}));
        EXPECT_FALSE(causes.sentence.empty());
      }
  }
}

}  // namespace
}  // namespace plumbline::viewer
