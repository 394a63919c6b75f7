#include "bench/campaign/quiet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Run quiet_run() {
  Run run;
  run.node_of = {0, 0};
  run.bindings = {"0", "1"};
  run.involuntary_switches = {0, 0};
  run.load_before = 0.3;
  return run;
}

Cell cell_with(std::vector<double> seconds) {
  Cell cell{"bcast", "library", 8};
  cell.flags.assign(seconds.size(), 0);
  cell.seconds = std::move(seconds);
  return cell;
}

TEST(Contaminated, AQuietRunIsNot) {
  const std::vector<Cell> cells{cell_with({1e-6, 1e-6, 9e-4})};
  EXPECT_THAT(disturbances_of(quiet_run(), cells, 0), IsEmpty());
}

TEST(Contaminated, ByARepetitionOfMoreThanAThousandMedians) {
  const std::vector<Cell> cells{cell_with({1e-6, 1e-6, 2e-3}), cell_with({1e-6})};
  EXPECT_THAT(disturbances_of(quiet_run(), cells, 0),
              ElementsAre("the longest repetition took 2000 times the median (bcast of 8 B; 1 of 2 cells)"));
  Cell flagged = cell_with({1e-6, 1e-6, 2e-3});
  flagged.flags[2] = 1;
  EXPECT_THAT(disturbances_of(quiet_run(), std::vector{flagged}, 0), IsEmpty());
}

TEST(Contaminated, ByInvoluntarySwitchesAndStolenTime) {
  bench::Run run = quiet_run();
  run.involuntary_switches = {2, 1};
  run.stolen = 0.05;
  EXPECT_THAT(disturbances_of(run, {}, 0), ElementsAre("ranks were taken off their cores 3 times",
                                                       "5.0 % of the processor time went to other machines"));
}

TEST(Contaminated, ByTheLoadOfOthersNotByOurOwnOfTheRunBefore) {
  bench::Run run = quiet_run();
  run.load_before = 2.1;
  EXPECT_THAT(disturbances_of(run, {}, 0), ElementsAre("a load of 2.1 by others before the run"));
  EXPECT_THAT(disturbances_of(run, {}, 1.8), IsEmpty());
}

TEST(Contaminated, ByMoreRanksThanCoresOnANode) {
  bench::Run run = quiet_run();
  run.node_of = {0, 0, 0, 1};
  run.bindings = {"0-1", "0-1", "0-1", "0-1"};
  EXPECT_THAT(disturbances_of(run, {}, 0), ElementsAre("3 ranks share 2 cores"));
  run.bindings = {"0-2", "0-2", "0-2", "0"};
  EXPECT_THAT(disturbances_of(run, {}, 0), IsEmpty());
  run.bindings = {"0", "0", "1", "0"};  // bound beside each other: two of them on one core
  EXPECT_THAT(disturbances_of(run, {}, 0), ElementsAre("3 ranks share 2 cores"));
}

// Two ranks spin for a minute: 2 (1 - 1/e); a minute later 1/e of that.
TEST(OwnLoadOfRuns, ForgetsOneInEAMinute) {
  OwnLoad load;
  load.ran(60, 2);
  EXPECT_NEAR(load.value(), 1.264241, 1e-6);
  load.rested(60);
  EXPECT_NEAR(load.value(), 0.465088, 1e-6);
}

TEST(CpuLists, AreCountedAndJoined) {
  std::vector<bool> cpus;
  EXPECT_EQ(cpus_in("0-1,4", cpus), 3U);
  EXPECT_EQ(cpus_in("1-2", cpus), 2U);
  EXPECT_THAT(cpus, ElementsAre(true, true, true, false, true));
  EXPECT_EQ(cpus_in("x", cpus), 0U);
  EXPECT_EQ(cpus_in("", cpus), 0U);
  EXPECT_EQ(cpus_in("4000000000", cpus), 0U);
}

}  // namespace
}  // namespace plumbline::bench
