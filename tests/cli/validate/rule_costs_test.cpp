// What a broken rule costs a suite whose calls are made by hand.

#include "cli/workflows/validate/causes/rule_costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumbline::cli::validate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::UnorderedElementsAre;

constexpr double kMicro = 1e-6;

// `calls` broadcasts of each of `ranks` ranks, all of one size, each of `each_us` microseconds.
replay::Row broadcasts(std::uint64_t bytes, std::uint64_t calls, double each_us, std::uint32_t ranks = 1) {
  replay::Row row;
  row.call = "MPI_Bcast";
  row.collective = true;
  row.judged = row.operations = calls * ranks;
  row.bytes = bytes * row.judged;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    replay::RankPart& part = row.parts.emplace_back();
    part.rank = rank;
    part.operations = calls;
    part.observed += duration_from_seconds(static_cast<double>(calls) * each_us * kMicro);
  }
  return row;
}

class RuleCosts : public testing::Test {
 protected:
  SuiteResult& run_of(std::vector<replay::Row> rows) {
    SuiteResult& run = runs_.emplace_back();
    run.mpi = &mpi_;
    run.judged.report.rows = std::move(rows);
    return run;
  }
  double cost_us(const std::vector<LossOfCall>& losses) const { return cost_in_suite(runs_, mpi_, losses) / kMicro; }

  Mpi mpi_, other_;
  std::vector<SuiteResult> runs_;
};

// A broadcast of 32 KiB takes 80 us where 16 of 2 KiB take 30.
const std::vector<LossOfCall> kOneSize = {{"bcast", 2048, 0, 0, false},
                                          {"bcast", 32768, 50 * kMicro, 30 * kMicro, false}};

TEST_F(RuleCosts, ACallOfTheSizeLosesWhatTheRuleTells) {
  run_of({broadcasts(32768, 10, 100)});
  EXPECT_NEAR(cost_us(kOneSize), 10 * 50, 1e-6);
}

TEST_F(RuleCosts, ACallNearASizeAtWhichTheRuleHoldsLosesNothing) {
  run_of({broadcasts(8, 1000, 100), broadcasts(2048, 1000, 100), broadcasts(4096, 1000, 100)});
  EXPECT_EQ(cost_us(kOneSize), 0);
}

TEST_F(RuleCosts, ACallThatIsNotSlowerThanTheOtherWayLosesNothing) {
  run_of({broadcasts(32768, 10, 29)});
  EXPECT_EQ(cost_us(kOneSize), 0);
  run_of({broadcasts(32768, 10, 36)});
  EXPECT_NEAR(cost_us(kOneSize), 10 * 6, 1e-6);
}

TEST_F(RuleCosts, TheOtherWayTakesLessWithFewerBytesAndNotMoreWithMore) {
  run_of({broadcasts(16384, 10, 36)});  // the other way: 15 us
  EXPECT_NEAR(cost_us(kOneSize), 10 * 21, 1e-6);
  runs_.clear();
  run_of({broadcasts(65536, 10, 36)});  // 30 us
  EXPECT_NEAR(cost_us(kOneSize), 10 * 6, 1e-6);
}

TEST_F(RuleCosts, WhatWasMeasuredWithThreadsIsNoLossOfRanksWithoutThem) {
  const std::vector<LossOfCall> losses = {{"bcast", 32768, 50 * kMicro, 30 * kMicro, true}};
  run_of({broadcasts(32768, 10, 100)});
  EXPECT_EQ(cost_us(losses), 0);
  runs_.front().judged.thread_multiple = true;
  EXPECT_NEAR(cost_us(losses), 10 * 50, 1e-6);
}

TEST_F(RuleCosts, RanksWithThreadsLoseWhatWasMeasuredWithoutWhereNothingElseWas) {
  run_of({broadcasts(32768, 10, 100)}).judged.thread_multiple = true;
  EXPECT_NEAR(cost_us(kOneSize), 10 * 50, 1e-6);
}

TEST_F(RuleCosts, OfTwoThingsHeldAgainstACallTheGreaterLossCounts) {
  const std::vector<LossOfCall> losses = {{"bcast", 32768, 0, 0, false},
                                          {"bcast", 32768, 50 * kMicro, 30 * kMicro, false},
                                          {"bcast", 32768, 20 * kMicro, 60 * kMicro, false}};
  run_of({broadcasts(32768, 10, 100)});
  EXPECT_NEAR(cost_us(losses), 10 * 50, 1e-6);
}

TEST_F(RuleCosts, TheBusiestRankOfEachRunOfThisMpiCounts) {
  replay::Row row = broadcasts(32768, 10, 100, 2);
  row.parts[1].operations = 4;
  row.parts[1].observed = {};
  row.parts[1].observed += duration_from_seconds(4 * 100 * kMicro);
  run_of({row});
  run_of({row});
  run_of({row}).mpi = &other_;
  EXPECT_NEAR(cost_us(kOneSize), 2 * 10 * 50, 1e-6);
}

// --- Losses of a verdict

bench::RuleCell cell(std::uint64_t bytes, const char* threads = nullptr) {
  bench::RuleCell made{"bcast", {}, bench::Place::kOfLayout, bytes};
  if (threads != nullptr) made.settings[bench::kThreads] = threads;
  return made;
}

bench::RuleOutcome outcome(const bench::Rule& rule, const bench::RuleCell& fast, double fast_us,
                           const bench::RuleCell& slow, double slow_us, bool violated) {
  bench::RuleOutcome made;
  made.rule = &rule;
  made.mpi = "mpich";
  made.operation = fast.operation;
  made.bytes = fast.bytes;
  made.cells = {fast, slow};
  made.fast_cells = 1;
  made.fast_s = fast_us * kMicro;
  made.slow_s = slow_us * kMicro;
  made.violated = violated;
  return made;
}

auto loss(std::uint64_t bytes, double lost_us, bool threads = false) {
  return AllOf(Field(&LossOfCall::bytes, bytes),
               Field(&LossOfCall::seconds, testing::DoubleNear(lost_us * kMicro, 1e-12)),
               Field(&LossOfCall::thread_multiple, threads));
}

TEST(LossesOfARule, AreOfTheSizesAtWhichItHoldsToo) {
  const bench::Rule rule{.id = "rule.size.split", .text = "", .kind = bench::Rule::Kind::kSplit};
  const bench::Rule another{.id = "rule.size.monotony", .text = "", .kind = bench::Rule::Kind::kMonotony};
  bench::RulesVerdict verdict;
  verdict.outcomes = {outcome(rule, cell(2048), 5, cell(128), 30, false),
                      outcome(rule, cell(32768), 80, cell(2048), 30, true),
                      outcome(rule, cell(16384, "multiple"), 80, cell(1024, "multiple"), 20, true),
                      outcome(another, cell(64), 9, cell(128), 3, true)};
  EXPECT_THAT(losses_of(verdict, rule, "mpich"),
              UnorderedElementsAre(loss(2048, 0), loss(128, 0), loss(32768, 50), loss(2048, 0), loss(16384, 60, true),
                                   loss(1024, 0, true)));
  EXPECT_THAT(losses_of(verdict, another, "mpich"), UnorderedElementsAre(loss(64, 6), loss(128, 0)));
  EXPECT_THAT(losses_of(verdict, rule, "openmpi"), testing::IsEmpty());
}

TEST(LossesOfARule, SayNothingOfASizeThatIsNotJudged) {
  const bench::Rule rule{.id = "rule.size.split", .text = "", .kind = bench::Rule::Kind::kSplit};
  bench::RulesVerdict verdict;
  verdict.outcomes = {outcome(rule, cell(2048), 5, cell(128), 30, false)};
  verdict.outcomes[0].not_judged = "only 2 samples";
  EXPECT_THAT(losses_of(verdict, rule, "mpich"), testing::IsEmpty());
}

TEST(LossesOfARule, AreOfTheOperationThatIsToBeFasterAlone) {
  const bench::Rule rule{.id = "rule.thread-single", .text = ""};
  bench::RulesVerdict verdict;
  verdict.outcomes = {outcome(rule, cell(1024), 12, cell(1024, "multiple"), 4, true)};
  EXPECT_THAT(losses_of(verdict, rule, "mpich"), ElementsAre(loss(1024, 8)));
}

}  // namespace
}  // namespace plumbline::cli::validate
