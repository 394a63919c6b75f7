#include "tracer/record/launch/launch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::record {
namespace {

const Preload kPreload{"/lib/p.so", "/tmp/spool"};
const std::string kAsan = "ASAN_OPTIONS=verify_asan_link_order=0";

TEST(WithPreload, OpenMpiGetsItForTheRanksOfEveryApplication) {
  EXPECT_EQ(
      with_preload(Launcher::kOpenMpi, {"mpirun", "-n", "1", "./a", ":", "-n", "2", "./b"}, kPreload),
      (Command{
          "mpirun", "-x", "LD_PRELOAD=/lib/p.so", "-x", "PLUMBLINE_SPOOL=/tmp/spool", "-x", kAsan, "-n", "1", "./a",
          ":",      "-x", "LD_PRELOAD=/lib/p.so", "-x", "PLUMBLINE_SPOOL=/tmp/spool", "-x", kAsan, "-n", "2", "./b"}));
}

TEST(WithPreload, HydraGetsItOnceForAllRanks) {
  EXPECT_EQ(with_preload(Launcher::kHydra, {"mpiexec", "-n", "1", "./a", ":", "-n", "2", "./b"}, kPreload),
            (Command{"mpiexec", "-genv", "LD_PRELOAD", "/lib/p.so", "-genv", "PLUMBLINE_SPOOL", "/tmp/spool", "-genv",
                     "ASAN_OPTIONS", "verify_asan_link_order=0", "-n", "1", "./a", ":", "-n", "2", "./b"}));
}

TEST(WithPreload, PatternsOfPathsGoTheSameWay) {
  const Preload preload{"/lib/p.so", "/tmp/spool", {.io_paths = "/data/**:!*.log"}};
  EXPECT_EQ(with_preload(Launcher::kOpenMpi, {"mpirun", "./a"}, preload),
            (Command{"mpirun", "-x", "LD_PRELOAD=/lib/p.so", "-x", "PLUMBLINE_SPOOL=/tmp/spool", "-x",
                     "PLUMBLINE_IO_PATHS=/data/**:!*.log", "-x", kAsan, "./a"}));
  EXPECT_EQ(
      with_preload(Launcher::kHydra, {"mpiexec", "./a"}, preload),
      (Command{"mpiexec", "-genv", "LD_PRELOAD", "/lib/p.so", "-genv", "PLUMBLINE_SPOOL", "/tmp/spool", "-genv",
               "PLUMBLINE_IO_PATHS", "/data/**:!*.log", "-genv", "ASAN_OPTIONS", "verify_asan_link_order=0", "./a"}));
}

TEST(WithPreload, AnInheritedPreloadStaysBehindOurs) {
  EXPECT_EQ(with_preload(Launcher::kHydra, {"mpiexec", "./a"}, kPreload, "/lib/q.so")[3], "/lib/p.so:/lib/q.so");
}

TEST(WithPreload, WhatTheUserTellsAddressSanitizerStays) {
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  EXPECT_EQ(with_preload(Launcher::kHydra, {"mpiexec", "./a"}, kPreload)[9], "detect_leaks=0:verify_asan_link_order=0");
  setenv("ASAN_OPTIONS", "verify_asan_link_order=1", 1);
  EXPECT_EQ(with_preload(Launcher::kHydra, {"mpiexec", "./a"}, kPreload)[9], "verify_asan_link_order=1");
  unsetenv("ASAN_OPTIONS");
}

// ld.so splits LD_PRELOAD at blanks and colons, and replaces what follows a $.
TEST(LoadablePath, IsALinkWherePreloadingWouldSplitTheLibrarysOwn) {
  const test::TemporaryDirectory directory;
  for (const std::string name : {"with blank", "with:colon", "with$LIB"}) {
    const std::filesystem::path library = directory / name / "libx.so";
    std::filesystem::create_directories(library.parent_path());
    std::ofstream(library) << "x";
    std::filesystem::path link;
    {
      const LoadablePath loadable(library);
      link = loadable.path();
      EXPECT_EQ(link.string().find_first_of(" :$"), std::string::npos) << link;
      EXPECT_TRUE(std::filesystem::equivalent(link, library));
    }
    EXPECT_FALSE(std::filesystem::exists(link.parent_path())) << link;
  }
  EXPECT_EQ(LoadablePath("/lib/plain.so").path(), "/lib/plain.so");
}

TEST(WithPreload, ASingletonIsStartedAsItStands) {
  EXPECT_EQ(with_preload(Launcher::kSingleton, {"./a", "x"}, kPreload), (Command{"./a", "x"}));
}

class FakeLauncher : public testing::Test {
 protected:
  // An executable script of that name.
  std::string script(const std::string& name, const std::string& text) {
    const auto path = directory_ / name;
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    chmod(path.c_str(), 0755);
    return path.string();
  }

  test::TemporaryDirectory directory_;
};

TEST_F(FakeLauncher, IsRecognisedByItsVersion) {
  EXPECT_EQ(recognise({script("mpirun", "echo 'mpirun (Open MPI) 4.1.4'")}).flavour, PL_FLAVOUR_OPENMPI);
  EXPECT_EQ(recognise({script("mpiexec", "echo 'HYDRA build details:'")}).launcher, Launcher::kHydra);
}

TEST_F(FakeLauncher, AnUnknownOneIsRefusedWithAnotherWay) {
  try {
    recognise({script("mpirun", "echo 'Some MPI 1.0'")});
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kCannotRunHere);
    EXPECT_NE(std::string(error.what()).find("record --rank"), std::string::npos) << error.what();
  }
}

TEST_F(FakeLauncher, AScriptThatIsNoLauncherIsRefusedAndNotRun) {
  const std::string touched = (directory_ / "touched").string();
  EXPECT_THROW(recognise({script("run.sh", "touch " + touched)}), Error);
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST_F(FakeLauncher, ItsExitStatusComesBack) {
  const std::string launcher = script("mpirun", "exit 7");
  EXPECT_EQ(run_recorded({launcher}, {Launcher::kOpenMpi, PL_FLAVOUR_OPENMPI}, kPreload).end.status, 7);
}

TEST_F(FakeLauncher, TheSignalThatEndedItComesBackAsAShellSaysIt) {
  const std::string launcher = script("mpirun", "kill -TERM $$");
  const ProgramEnd end = run_recorded({launcher}, {Launcher::kOpenMpi, PL_FLAVOUR_OPENMPI}, kPreload).end;
  EXPECT_EQ(end.status, 128 + SIGTERM);
  EXPECT_EQ(end.signal, SIGTERM);
}

TEST_F(FakeLauncher, AProgramThatCannotBeStartedIsAnErrorAndNoExitStatus) {
  EXPECT_THROW(run_recorded({"/nonexistent/mpirun"}, {Launcher::kOpenMpi, PL_FLAVOUR_OPENMPI}, kPreload), Error);
}

TEST(MpiOfProgram, AProgramWithoutMpiHasNone) { EXPECT_EQ(mpi_of_program("/bin/sh"), std::nullopt); }

TEST(MpiOfProgram, ATextFileHasNone) { EXPECT_EQ(mpi_of_program("/etc/passwd"), std::nullopt); }

}  // namespace
}  // namespace plumbline::record
