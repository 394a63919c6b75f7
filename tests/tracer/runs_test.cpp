#include "tracer/record/launch/runs.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"

namespace plumbline::record {
namespace {

using test::SpoolBuilder;
using testing::ElementsAre;

class FindRuns : public testing::Test {
 protected:
  // A spool of a process that was through MPI_Init at `from` and through MPI_Finalize at `to`, in ns.
  std::string spool(std::int32_t rank, std::int32_t size, std::uint64_t from, std::uint64_t to,
                    const std::string& job = "job", pl_end end = PL_END_FINALIZED, const std::string& node = "boot-1") {
    SpoolBuilder builder(rank, size);
    builder.header.pid = ++processes_;
    builder.header.initialized = {from, from, SpoolBuilder::kRealtime + from};
    builder.header.last = {to, to, SpoolBuilder::kRealtime + to};
    builder.header.end = end;
    std::strcpy(builder.header.job, job.c_str());
    std::strcpy(builder.header.boot_id, node.c_str());
    const std::string name = "s" + std::to_string(processes_);
    std::ofstream(directory_ / name, std::ios::binary) << builder.bytes();
    paths_.push_back(directory_ / name);
    return name;
  }

  // "s1 s2" of each run.
  std::vector<std::string> runs() const {
    std::vector<std::string> texts;
    for (const auto& run : find_runs(paths_)) {
      std::string text;
      for (const auto& path : run.spools) text += (text.empty() ? "" : " ") + path.filename().string();
      texts.push_back(text);
    }
    return texts;
  }

  plumbline::test::TemporaryDirectory directory_;
  std::vector<std::filesystem::path> paths_;
  std::uint32_t processes_ = 0;
};

TEST_F(FindRuns, TheRanksOfOneWorldAreOneRun) {
  spool(1, 3, 210, 900);
  spool(0, 3, 200, 910);
  spool(2, 3, 220, 905);
  EXPECT_THAT(runs(), ElementsAre("s2 s1 s3"));
}

TEST_F(FindRuns, ProgramsOneAfterTheOtherAreRunsInTheirOrder) {
  spool(0, 2, 1200, 1900);
  spool(1, 2, 1210, 1900);
  spool(1, 2, 210, 900);
  spool(0, 2, 200, 910);
  EXPECT_THAT(runs(), ElementsAre("s4 s3", "s1 s2"));
}

TEST_F(FindRuns, WhereASpoolIsMissingTheNextProgramsDoesNotTakeItsPlace) {
  spool(0, 2, 200, 910);  // of the first program; rank 1 was lost
  spool(0, 2, 1200, 1900);
  spool(1, 2, 1210, 1900);
  EXPECT_THAT(runs(), ElementsAre("s1", "s2 s3"));
  spool(1, 2, 2200, 2900);  // of a third one; rank 0 was lost
  EXPECT_THAT(runs(), ElementsAre("s1", "s2 s3", "s4"));
}

TEST_F(FindRuns, ARankThatWasKilledEarlyIsOfTheSameRun) {
  spool(0, 2, 200, 201, "job", PL_END_RUNNING);
  spool(1, 2, 210, 900);
  EXPECT_THAT(runs(), ElementsAre("s1 s2"));
}

TEST_F(FindRuns, ClocksOfOtherNodesAreNotCompared) {
  spool(0, 2, 200, 900, "job", PL_END_FINALIZED, "boot-1");
  spool(1, 2, 5200, 5900, "job", PL_END_FINALIZED, "boot-2");
  EXPECT_THAT(runs(), ElementsAre("s1 s2"));
}

TEST_F(FindRuns, ASpawnedWorldIsARunOfItsOwnEvenIfItHasTheSameSize) {
  spool(0, 2, 200, 900, "job");
  spool(1, 2, 210, 900, "job");
  spool(0, 2, 400, 800, "job spawned");
  spool(1, 2, 410, 800, "job spawned");
  EXPECT_THAT(runs(), ElementsAre("s1 s2", "s3 s4"));
}

TEST_F(FindRuns, WorldsOfOtherSizesAreOtherRuns) {
  spool(0, 1, 300, 400);
  spool(0, 2, 200, 900);
  spool(1, 2, 210, 900);
  EXPECT_THAT(runs(), ElementsAre("s2 s3", "s1"));
}

TEST_F(FindRuns, ACopyOfASpoolCountsOnce) {
  spool(0, 1, 200, 900);
  std::filesystem::copy_file(directory_ / "s1", directory_ / "copy");
  paths_.push_back(directory_ / "copy");
  EXPECT_THAT(runs(), ElementsAre("s1"));
}

TEST_F(FindRuns, WhatIsOfNoRunGoesWithTheFirst) {
  spool(0, 1, 200, 900);
  spool(0, 1, 1200, 1900);
  std::ofstream(directory_ / "damaged") << "PLUM";
  paths_.push_back(directory_ / "damaged");
  EXPECT_THAT(runs(), ElementsAre("s1 damaged", "s2"));
}

TEST(ArchiveOfRun, TheFirstHasTheNameTheNextANumber) {
  EXPECT_EQ(archive_of_run("obs", 0), "obs");
  EXPECT_EQ(archive_of_run("obs", 1), "obs.2");
  EXPECT_EQ(archive_of_run("dir/obs/", 2), "dir/obs.3");
}

}  // namespace
}  // namespace plumbline::record
