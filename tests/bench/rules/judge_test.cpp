// What is violated, and what is not, on campaigns whose truth is known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;
using test::outcomes_of;
using test::summary_of;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kGather[] = "rule.gather.allgather";

// Gather against allgather at these sizes, in microseconds.
struct Times {
  std::uint64_t bytes;
  double gather, allgather;
};

MadeCampaign gathers(const std::vector<Times>& times, std::uint32_t runs = 8) {
  MadeCampaign made(runs);
  for (const Times& each : times) {
    made.add("gather", each.bytes, each.gather);
    made.add("allgather", each.bytes, each.allgather);
  }
  return made;
}

TEST(Judge, FindsWhatIsSlowerAtTwoNeighbouringSizes) {
  const RulesVerdict verdict = judge_rules(gathers({{8, 1, 2}, {64, 6, 4}, {512, 12, 8}}).campaign());
  const std::vector<RuleOutcome> outcomes = outcomes_of(verdict, kGather);
  ASSERT_THAT(outcomes, SizeIs(3));
  EXPECT_FALSE(outcomes[0].violated);
  EXPECT_TRUE(outcomes[1].violated);
  EXPECT_TRUE(outcomes[2].violated);
  EXPECT_THAT(outcomes[1].ratio, DoubleNear(1.5, 1e-9));
  EXPECT_NEAR(lost_s(outcomes[1]), 2.007e-6, 1e-9);  // of the median run, 0.35 % above the first
  EXPECT_EQ(outcomes[1].of_fast, "gather 64 B");
  EXPECT_EQ(outcomes[1].of_slow, "allgather 64 B");
  const RuleSummary& summary = *summary_of(verdict, kGather);
  EXPECT_TRUE(summary.violated);
  EXPECT_EQ(summary.judged, 3U);
  EXPECT_EQ(summary.violations, 2U);
  EXPECT_TRUE(verdict.outcomes[*summary.worst].violated);
}

TEST(Judge, TakesOneSizeAloneForChanceUnlessItIsTwiceAsSlow) {
  const RulesVerdict once = judge_rules(gathers({{8, 1, 2}, {64, 6, 4}, {512, 8, 9}}).campaign());
  EXPECT_EQ(summary_of(once, kGather)->violations, 1U);
  EXPECT_FALSE(summary_of(once, kGather)->violated);
  const RulesVerdict twice = judge_rules(gathers({{8, 1, 2}, {64, 9, 4}, {512, 8, 9}}).campaign());
  EXPECT_TRUE(summary_of(twice, kGather)->violated);
}

// Beside each other are sizes, not places in the list: 8 B and 512 B have one between them.
TEST(Judge, TakesSizesWithOneBetweenThemForSingleOnes) {
  const RulesVerdict verdict = judge_rules(gathers({{8, 3, 2}, {64, 3, 4}, {512, 12, 8}}).campaign());
  EXPECT_EQ(summary_of(verdict, kGather)->violations, 2U);
  EXPECT_FALSE(summary_of(verdict, kGather)->violated);
}

TEST(Judge, SaysNothingOfRatiosThatAreNotWorthAWord) {
  const MadeCampaign made = gathers({{8, 1.05, 1}, {64, 4.2, 4}});
  MadeCampaign copy = made;
  EXPECT_EQ(summary_of(judge_rules(copy.campaign()), kGather)->violations, 0U);
  RuleOptions options;
  options.least_ratio = 1.03;
  EXPECT_EQ(summary_of(judge_rules(copy.campaign(), options), kGather)->violations, 2U);
}

TEST(Judge, SaysNothingWhereQuartilesMeet) {
  MadeCampaign made;
  made.add_runs("gather", 8, {1, 1.1, 1.2, 1.3, 9, 9.1, 9.2, 9.3});
  made.add_runs("allgather", 8, {0.9, 1, 1.1, 1.2, 3, 3.1, 3.2, 3.3});
  const std::vector<RuleOutcome> outcomes = outcomes_of(judge_rules(made.campaign()), kGather);
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_GT(outcomes[0].ratio, 2);
  EXPECT_TRUE(outcomes[0].overlapping);
  EXPECT_FALSE(outcomes[0].violated);
}

TEST(Judge, SaysNothingOfDifferencesThatTheClockDoesNotSee) {
  MadeCampaign made = gathers({{8, 0.3, 0.1}, {64, 0.3, 0.1}});
  EXPECT_TRUE(summary_of(judge_rules(made.campaign()), kGather)->violated);
  for (Cell& cell : made.campaign().cells) cell.clock_bound_s = 1e-6;
  EXPECT_FALSE(summary_of(judge_rules(made.campaign()), kGather)->violated);
}

TEST(Judge, LeavesDisturbedRunsOutWhereThereAreEnoughOthers) {
  MadeCampaign made(8);
  made.add_runs("gather", 8, {100, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6});
  made.add_runs("allgather", 8, {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7});
  made.campaign().runs[0].disturbances = {"a load of 3 by others"};
  const RulesVerdict verdict = judge_rules(made.campaign());
  EXPECT_THAT(outcomes_of(verdict, kGather)[0].fast, SizeIs(7));
  EXPECT_FALSE(outcomes_of(verdict, kGather)[0].disturbed);
  ASSERT_THAT(verdict.notes, SizeIs(1));
  EXPECT_THAT(verdict.notes[0], HasSubstr("1 of 8 runs of openmpi were disturbed and are left out; the first: a load"));
}

TEST(Judge, TakesDisturbedRunsWhereThereAreTooFewOthersAndSaysSo) {
  MadeCampaign made = gathers({{8, 3, 1}, {64, 3, 1}});
  for (std::size_t i = 0; i < 6; ++i) made.campaign().runs[i].disturbances = {"others"};
  const RulesVerdict verdict = judge_rules(made.campaign());
  EXPECT_TRUE(outcomes_of(verdict, kGather)[0].disturbed);
  EXPECT_TRUE(summary_of(verdict, kGather)->violated);
  EXPECT_THAT(verdict.notes.at(0), HasSubstr("and count"));
  RuleOptions strict;
  strict.disturbed = DisturbedRuns::kLeaveOut;
  const RulesVerdict left_out = judge_rules(made.campaign(), strict);
  EXPECT_EQ(summary_of(left_out, kGather)->judged, 0U);
  EXPECT_EQ(summary_of(left_out, kGather)->not_judged, "2 runs of one side that count, and 4 are needed");
}

TEST(Judge, DoesNotJudgeRanksThatShareCores) {
  MadeCampaign made = gathers({{8, 9, 1}, {64, 9, 1}});
  for (bench::Run& run : made.campaign().runs) run.bindings = {"0", "0"};
  const RuleSummary summary = *summary_of(judge_rules(made.campaign()), kGather);
  EXPECT_FALSE(summary.violated);
  EXPECT_THAT(summary.not_judged, HasSubstr("2 ranks share 1 core"));
}

TEST(Judge, SaysWhatWasNotMeasured) {
  const RulesVerdict verdict = judge_rules(gathers({{8, 1, 2}}).campaign());
  EXPECT_EQ(summary_of(verdict, "rule.collective-io")->not_judged.substr(0, 17), "file_write_at_all");
  EXPECT_THAT(summary_of(verdict, "rule.loopback.network")->not_judged, HasSubstr("round_trip through the loopback"));
  EXPECT_THAT(summary_of(verdict, "net.backplane")->not_judged, HasSubstr("bisection between nodes was not measured"));
}

TEST(Judge, DoesNotMixTwoFormsOfAnOperation) {
  MadeCampaign made = gathers({{8, 3, 1}});
  const Campaign other = gathers({{8, 3, 1}}).campaign();
  for (Cell cell : other.cells) {
    cell.timing = "global";
    made.campaign().cells.push_back(cell);
  }
  const RulesVerdict verdict = judge_rules(made.campaign());
  EXPECT_THAT(outcomes_of(verdict, kGather), IsEmpty());
  EXPECT_THAT(summary_of(verdict, kGather)->not_judged, HasSubstr("in several forms"));
}

TEST(Judge, KeepsMpisApart) {
  MadeCampaign made = gathers({{8, 3, 1}, {64, 3, 1}});
  made.add_layout(1, 2, "mpich");
  for (const std::uint64_t bytes : {8, 64}) {
    made.add("gather", bytes, 1);
    made.add("allgather", bytes, 3);
  }
  const RulesVerdict verdict = judge_rules(made.campaign());
  EXPECT_TRUE(summary_of(verdict, kGather, "openmpi")->violated);
  EXPECT_FALSE(summary_of(verdict, kGather, "mpich")->violated);
}

// Shared memory that is no faster than the loopback is not in use, though it is not slower.
TEST(Judge, SeesThatSharedMemoryIsNotInUse) {
  const auto verdict_of = [](double memory_us) {
    MadeCampaign made;
    for (const std::uint64_t bytes : {8, 1024}) {
      made.add("round_trip", bytes, memory_us, {}, true);
      made.add("round_trip", bytes, 15, {{kWay, kLoopback}}, true);
    }
    return judge_rules(made.campaign());
  };
  const RulesVerdict off = verdict_of(14.5);
  EXPECT_TRUE(summary_of(off, "rule.shared-memory.loopback")->violated);
  for (const RuleOutcome& outcome : outcomes_of(off, "rule.shared-memory.loopback"))
    EXPECT_EQ(outcome.violated, outcome.allowed < 1) << text_of(outcome);
  EXPECT_FALSE(summary_of(verdict_of(0.9), "rule.shared-memory.loopback")->violated);
}

TEST(Judge, SeesThatALargerSizeIsFasterAndThatPartsAre) {
  MadeCampaign made;
  made.add("bcast", 8, 1);
  made.add("bcast", 64, 50);
  made.add("bcast", 512, 9);
  const RulesVerdict verdict = judge_rules(made.campaign());
  const std::vector<RuleOutcome> monotony = outcomes_of(verdict, "rule.size.monotony"),
                                 split = outcomes_of(verdict, "rule.size.split");
  ASSERT_THAT(monotony, SizeIs(2));
  EXPECT_FALSE(monotony[0].violated);
  EXPECT_TRUE(monotony[1].violated);
  EXPECT_EQ(monotony[1].of_fast, "bcast 64 B");
  EXPECT_TRUE(summary_of(verdict, "rule.size.monotony")->violated);
  ASSERT_THAT(split, SizeIs(2));
  EXPECT_TRUE(split[0].violated) << "50 us, and 8 times 1 us";
  EXPECT_EQ(split[0].of_slow, "8 times bcast 8 B");
  EXPECT_FALSE(split[1].violated);
}

}  // namespace
}  // namespace plumbline::bench
