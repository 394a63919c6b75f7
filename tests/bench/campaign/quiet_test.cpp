#include "bench/campaign/quiet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bench/campaign/run_queue.hpp"
#include "bench/results/shared_cores.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Run quiet_run() {
  Run run;
  run.node_of = {0, 0};
  run.bindings = {"0", "1"};
  run.involuntary_switches = {0, 0};
  run.load_before = 0.3;
  return run;
}

// Eight nodes of one rank that are name spaces of one machine with two cores.
Run laboratory_run() {
  Run run;
  for (std::uint32_t node = 0; node < 8; ++node) {
    run.hosts.push_back("n" + std::to_string(node));
    run.node_of.push_back(node);
    run.bindings.push_back("0-1");
    run.boots.push_back("9adcc8d1");
    run.involuntary_switches.push_back(5000);
  }
  return run;
}

Cell cell_with(std::vector<double> seconds) {
  Cell cell{"bcast", "library", 8};
  cell.flags.assign(seconds.size(), 0);
  cell.seconds = std::move(seconds);
  return cell;
}

// What /proc/loadavg said while they ran.
HostLoad host_with(std::initializer_list<const char*> loadavgs) {
  RunQueue queue;
  for (const char* const loadavg : loadavgs) queue.add(loadavg);
  return {.run_queue = queue.mean(), .boot = "9adcc8d1"};
}

TEST(Contaminated, AQuietRunIsNot) {
  const std::vector<Cell> cells{cell_with({1e-6, 1e-6, 9e-4})};
  EXPECT_THAT(disturbances_of(quiet_run(), cells, {}), IsEmpty());
}

TEST(Contaminated, ByARepetitionOfMoreThanAThousandMedians) {
  const std::vector<Cell> cells{cell_with({1e-6, 1e-6, 2e-3}), cell_with({1e-6})};
  EXPECT_THAT(disturbances_of(quiet_run(), cells, {}),
              ElementsAre("the longest repetition took 2000 times the median (bcast of 8 B; 1 of 2 cells)"));
  Cell flagged = cell_with({1e-6, 1e-6, 2e-3});
  flagged.flags[2] = 1;
  EXPECT_THAT(disturbances_of(quiet_run(), std::vector{flagged}, {}), IsEmpty());
}

TEST(Contaminated, ByInvoluntarySwitchesAndStolenTime) {
  bench::Run run = quiet_run();
  run.involuntary_switches = {2, 1};
  run.stolen = 0.05;
  EXPECT_THAT(disturbances_of(run, {}, {}), ElementsAre("ranks were taken off their cores 3 times",
                                                        "5.0 % of the processor time went to other machines"));
}

TEST(Contaminated, ByTheLoadOfOthersNotByOurOwnOfTheRunBefore) {
  bench::Run run = quiet_run();
  run.load_before = 2.1;
  EXPECT_THAT(disturbances_of(run, {}, {}), ElementsAre("a load of 2.1 by others before the run"));
  EXPECT_THAT(disturbances_of(run, {}, {.own_before = 1.8}), IsEmpty());
}

TEST(Contaminated, NotByRanksThatWaitForEachOther) {
  const std::vector<Cell> cells{cell_with({1e-6, 1e-6, 4e-3})};
  const HostLoad host = host_with({"7.90 6.2 3.1 9/120 4711\n", "7.90 6.2 3.1 8/120 4711\n"});
  EXPECT_THAT(disturbances_of(laboratory_run(), cells, host), IsEmpty());
}

TEST(Contaminated, ByOthersBesideRanksThatShareCores) {
  const HostLoad host = host_with({"9.90 6.2 3.1 11/120 4711", "9.90 6.2 3.1 10/120 4711", "9.9 6.2 3.1 12/120 4711"});
  EXPECT_THAT(disturbances_of(laboratory_run(), {}, host),
              ElementsAre("a load of 2.0 by others while the ranks measured"));
  bench::Run stolen = laboratory_run();
  stolen.stolen = 0.02;
  EXPECT_THAT(disturbances_of(stolen, {}, {}), ElementsAre("2.0 % of the processor time went to other machines"));
}

TEST(Contaminated, ByTheRunQueueOnlyOfAMachineThatRanksWereOn) {
  HostLoad host = host_with({"9.90 6.2 3.1 12/120 4711"});
  host.boot = "another";
  EXPECT_THAT(disturbances_of(laboratory_run(), {}, host), IsEmpty());
  EXPECT_THAT(disturbances_of(quiet_run(), {}, host), IsEmpty()) << "a run that does not tell boots";
}

// Of two machines one has a core for each rank: what happens there is not explained by sharing.
TEST(Contaminated, ByWhatRanksWithACoreOfTheirOwnLose) {
  bench::Run run = laboratory_run();
  run.node_of.push_back(8);
  run.hosts.push_back("m0");
  run.bindings.push_back("0");
  run.boots.push_back("3fe01ab2");
  run.involuntary_switches.push_back(7);
  Cell there = cell_with({1e-6, 1e-6, 4e-3});
  there.ranks = {8};
  EXPECT_THAT(disturbances_of(run, std::vector{there}, {}),
              ElementsAre("the longest repetition took 4000 times the median (bcast of 8 B; 1 of 1 cells)",
                          "ranks were taken off their cores 7 times"));
}

TEST(SharedCores, AreToldByTheCpusThatRanksOfAMachineMayUse) {
  bench::Run run = quiet_run();
  EXPECT_EQ(sharing_of(run), "");
  run.node_of = {0, 0, 0, 1};
  run.hosts = {"a", "a", "a", "b"};
  run.bindings = {"0-1", "0-1", "0-1", "0-1"};
  EXPECT_EQ(sharing_of(run), "3 ranks share 2 cores");
  run.bindings = {"0-2", "0-2", "0-2", "0"};
  EXPECT_EQ(sharing_of(run), "");
  run.bindings = {"0", "0", "1", "0"};  // bound beside each other: two of them on one core
  EXPECT_EQ(sharing_of(run), "3 ranks share 2 cores");
  run.bindings = {"0", "", "1", "0"};
  EXPECT_EQ(sharing_of(run), "") << "not known";
}

TEST(SharedCores, AreToldOfNodesOfOneBootWhateverTheirNames) {
  EXPECT_EQ(sharing_of(laboratory_run()), "8 ranks share 2 cores of one machine (n0, n1, n2 and 5 more)");
  bench::Run apart = laboratory_run();
  for (std::uint32_t rank = 0; rank < 8; ++rank) apart.boots[rank] += std::to_string(rank);
  EXPECT_EQ(sharing_of(apart), "");
  EXPECT_THAT(machines_of(apart), SizeIs(8));
  bench::Run bound = laboratory_run();  // a launcher that thinks each node its own binds all ranks to the first core
  for (std::string& binding : bound.bindings) binding = "0";
  EXPECT_EQ(sharing_of(bound), "8 ranks share 1 core of one machine (n0, n1, n2 and 5 more)");
}

TEST(RunQueueOfAMachine, IsWhatLoadavgSaysWithoutWhoReadsIt) {
  RunQueue queue;
  EXPECT_EQ(queue.mean(), 0);
  queue.add("0.20 0.18 0.12 3/80 11206\n");
  queue.add("0.20 0.18 0.12 1/80 11206\n");
  queue.add("0.20 0.18 0.12 0/80 11206\n");  // of a system that does not count who reads
  EXPECT_NEAR(queue.mean(), 2.0 / 3, 1e-12);
  for (const char* const wrong : {"", "0.20", "0.20 0.18 0.12", "0.20 0.18 0.12 ", "0.20 0.18 0.12 x/80", "1 2 3 4"})
    queue.add(wrong);
  EXPECT_NEAR(queue.mean(), 2.0 / 3, 1e-12);
}

TEST(IsUseByOthers, LeavesOutThatRanksLoseTheirCores) {
  bench::Run run = laboratory_run();
  run.stolen = 0.02;
  run.load_before = 2.1;
  for (const std::string& each : disturbances_of(run, {}, host_with({"9.90 6.2 3.1 12/120 4711"})))
    EXPECT_TRUE(is_use_by_others(each)) << each;
  run = quiet_run();
  run.involuntary_switches = {2, 1};
  for (const std::string& each : disturbances_of(run, std::vector{cell_with({1e-6, 1e-6, 2e-3})}, {}))
    EXPECT_FALSE(is_use_by_others(each)) << each;
}

TEST(OwnLoadOfRuns, BeginsWithWhatWasDoneBefore) {
  OwnLoad load(1.264241);
  load.rested(60);
  EXPECT_NEAR(load.value(), 0.465088, 1e-6);
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
