// The same command with one job and with several prints and writes the same bytes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/support.hpp"
#include "tests/perf/halo_archive.hpp"

namespace plumbline::test {
namespace {

class ManyJobs : public testing::Test {
 protected:
  // Four ranks that exchange and reduce.
  void SetUp() override {
    perf::Halo halo;
    halo.px = halo.py = 2;
    halo.iterations = 200;
    perf::write_halo_archive(directory_ / "observed", halo);
  }

  // In a directory of its own, beside the recording.
  CommandResult run(const std::string& arguments, int jobs) {
    const std::filesystem::path own = directory_ / ("jobs-" + std::to_string(jobs));
    std::filesystem::create_directory(own);
    return run_command(kPlumbline + " " + arguments + " --jobs " + std::to_string(jobs), own);
  }

  void expect_same(const std::string& arguments, int status = 0) {
    SCOPED_TRACE(arguments);
    const CommandResult alone = run(arguments, 1);
    EXPECT_EQ(alone.status, status) << text_of(alone);
    for (const int jobs : {2, 5}) {
      const CommandResult together = run(arguments, jobs);
      EXPECT_EQ(together.status, alone.status);
      EXPECT_EQ(together.out, alone.out) << jobs;
      EXPECT_EQ(together.err, alone.err) << jobs;
      const CommandResult written = run_command("diff -r jobs-1 jobs-" + std::to_string(jobs), directory_.path());
      EXPECT_EQ(written.status, 0) << text_of(written);
    }
  }

  TemporaryDirectory directory_;
  const std::string kFatTree = kSource + "/hwmodels/platforms/fat-tree-256.xml",
                    kMadeUp = kSource + "/examples/jacobi1d/made-up.xml",
                    kJacobi = kSource + "/examples/jacobi1d/jacobi1d.c";
};

TEST_F(ManyJobs, OfAReplayPrintAndWriteTheSame) {
  const std::string replay = "replay ../observed -p " + kFatTree;
  expect_same(replay + " --details");
  expect_same(replay + " --json");
  expect_same(replay + " -o expected");
  expect_same(replay + " --sweep node.n0.interface-rate=1GB/s,2GB/s,5GB/s --json");
}

TEST_F(ManyJobs, OfSamplesPrintTheSame) {
  ASSERT_EQ(run("predict " + kJacobi + " -p " + kMadeUp + " -n 4 --set iterations=20 --to-program ../jacobi", 1).status,
            0);
  expect_same("replay ../jacobi -p " + kMadeUp + " --samples 12");
  expect_same("replay ../jacobi -p " + kMadeUp + " --json");
}

TEST_F(ManyJobs, OfAPredictionPrintAndWriteTheSame) {
  expect_same("predict " + kJacobi + " -p " + kMadeUp +
              " -n 1..8 --set iterations=20 --set xsize=128,256 --seeds 6 --by-averages --json a.json --csv a.csv");
}

// With 2, 4, 8 and 16 processes. Told is the first of them, as without jobs.
TEST_F(ManyJobs, OfModelsThatHangTellTheFirst) {
  std::ofstream(directory_ / "hang.pevpm")
      << "Message type = MPI_Recv size = 8 from = procnum^1\nMessage type = MPI_Send size = 8 to = procnum^1\n";
  expect_same("predict ../hang.pevpm -p " + kMadeUp + " -n 2..16", 3);
  EXPECT_NE(run("predict ../hang.pevpm -p " + kMadeUp + " -n 2..16", 5).err.find("with 2 processes"),
            std::string::npos);
}

TEST_F(ManyJobs, EndWhenTheCommandIsInterrupted) {
  const CommandResult interrupted = run_command("timeout --preserve-status -s INT 1 " + kPlumbline +
                                                    " replay observed -p " + kFatTree + " --samples 1000000 --jobs 3",
                                                directory_.path());
  EXPECT_EQ(interrupted.status, 130) << text_of(interrupted);
}

TEST_F(ManyJobs, AreANumber) {
  EXPECT_EQ(run_command(kPlumbline + " replay observed -p " + kFatTree + " --jobs 0", directory_.path()).status, 2);
  EXPECT_EQ(run_command(kPlumbline + " replay observed -p " + kFatTree + " --jobs -1", directory_.path()).status, 2);
}

}  // namespace
}  // namespace plumbline::test
