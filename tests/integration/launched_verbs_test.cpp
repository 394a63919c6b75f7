// The command itself as what a launcher of MPI starts several times.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/integration/support.hpp"
#include "tests/perf/halo_archive.hpp"

namespace plumbline::test {
namespace {

class LaunchedVerbs : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }
  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }
  // `arguments` stand in a shell command of each process.
  CommandResult launched(const std::string& arguments, const std::string& environment = "") {
    return run_command(GetParam().run(3, "sh -c '" + environment + " exec " + kPlumbline + " " + arguments + "'"),
                       directory_.path(), 60);
  }
  void record() {
    const CommandResult done =
        plumbline("record -o obs --spool spools -- " + GetParam().run(2, GetParam().example("ring")));
    ASSERT_EQ(done.status, 0) << text_of(done);
  }

  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, LaunchedVerbs, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST_P(LaunchedVerbs, AVerbThatSharesItsWorkRunsOnce) {
  record();
  const CommandResult assembled = launched("assemble spools -o again");
  EXPECT_EQ(assembled.status, 0) << text_of(assembled);
  EXPECT_EQ(count(assembled.err, "2 ranks"), 1u) << text_of(assembled);

  const std::string compare = "compare again obs";
  const CommandResult compared = launched(compare), alone = plumbline(compare);
  EXPECT_EQ(compared.status, alone.status) << text_of(compared);
  EXPECT_EQ(compared.out, alone.out);
}

// Of so many events that each of the processes compiles some ranks, and writes what is expected of some.
TEST_P(LaunchedVerbs, ItsProcessesMakeTheSameProgramAndExpectedArchive) {
  perf::Halo halo;
  halo.px = halo.py = 4;
  halo.iterations = 2000;
  perf::write_halo_archive(directory_ / "obs", halo);
  const std::string replay = "replay obs -p " + kSource + "/hwmodels/platforms/fat-tree-256.xml --json";
  const CommandResult alone = plumbline(replay + " --jobs 1 -o alone");
  EXPECT_EQ(alone.status, 0) << text_of(alone);
  std::filesystem::rename(directory_ / "obs/plumbline.program", directory_ / "alone.program");
  const CommandResult shared = launched(replay + " -o shared");
  EXPECT_EQ(shared.status, 0) << text_of(shared);
  EXPECT_EQ(shared.out, alone.out);
  EXPECT_EQ(run_command("cmp alone.program obs/plumbline.program", directory_.path()).status, 0);
  EXPECT_EQ(run_command("diff -r alone shared", directory_.path()).status, 0);
  EXPECT_EQ(run_command("ls -A", directory_.path()).out, "alone\nalone.program\nobs\nshared\n");
  // And each replays some of what is tried.
  for (const std::string options :
       {" --samples 7", " --sweep node.n0.interface-rate=1GB/s,2GB/s,5GB/s", " --set node.n0.interface-rate=1GB/s"})
    EXPECT_EQ(launched(replay + options).out, plumbline(replay + options).out) << options;
}

// Points of a sweep, and runs of each.
TEST_P(LaunchedVerbs, ItsProcessesPredictTheSame) {
  const std::string predict = "predict " + kSource + "/examples/jacobi1d/jacobi1d.c -p " + kSource +
                              "/examples/jacobi1d/made-up.xml -n 2,4,8 --set iterations=20 --seeds 5";
  const CommandResult alone = plumbline(predict + " --json alone.json"),
                      shared = launched(predict + " --json shared.json");
  EXPECT_EQ(alone.status, 0) << text_of(alone);
  EXPECT_EQ(shared.status, 0) << text_of(shared);
  EXPECT_EQ(shared.out, alone.out);
  EXPECT_EQ(run_command("cmp alone.json shared.json", directory_.path()).status, 0);
}

TEST_P(LaunchedVerbs, ItsErrorIsToldOnceWithItsStatus) {
  const CommandResult done = launched("compare missing other");
  EXPECT_EQ(done.status, plumbline("compare missing other").status) << text_of(done);
  EXPECT_EQ(count(done.err, "plumbline: missing"), 1u) << text_of(done);
  const CommandResult misused = launched("compare --no-such-option");
  EXPECT_EQ(misused.status, 2) << text_of(misused);
  EXPECT_EQ(count(misused.err, "Try: plumbline compare --help"), 1u) << text_of(misused);
}

TEST_P(LaunchedVerbs, OtherArgumentsOfAProcessAreRefused) {
  const CommandResult done = launched("compare obs.$OMPI_COMM_WORLD_RANK$PMI_RANK other");
  EXPECT_EQ(done.status, 2) << text_of(done);
  EXPECT_EQ(count(done.err, "process 1 of 3 runs 'compare obs.0 other', process 2 runs 'compare obs.1 other'"), 1u)
      << text_of(done);
}

TEST_P(LaunchedVerbs, ItsHelpIsShownOnce) {
  const CommandResult done = launched("replay --help");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_EQ(count(done.out, "Usage: "), 1u) << text_of(done);
}

TEST_P(LaunchedVerbs, OtherVerbsRunInEachProcess) {
  EXPECT_EQ(count(launched("explain --help").out, "Usage: "), 3u);
  EXPECT_EQ(count(launched("--version").out, "OTF2 "), 3u);
}

TEST_P(LaunchedVerbs, WithoutATeamEachProcessRunsTheVerb) {
  EXPECT_EQ(count(launched("replay --help", "PLUMBLINE_TEAM=off").out, "Usage: "), 3u);
  const CommandResult misspelt = launched("replay --help", "PLUMBLINE_TEAM=no");
  EXPECT_EQ(misspelt.status, 2) << text_of(misspelt);
}

TEST_P(LaunchedVerbs, ALibraryThatIsNotInstalledIsNamed) {
  const CommandResult done = launched("replay --help", "PLUMBLINE_PRELOAD_DIR=/nowhere");
  EXPECT_EQ(done.status, 6) << text_of(done);
  EXPECT_EQ(count(done.err, "plumbline: /nowhere/libplumbline-team-" + GetParam().name + ".so: "), 1u) << text_of(done);
}

}  // namespace
}  // namespace plumbline::test
