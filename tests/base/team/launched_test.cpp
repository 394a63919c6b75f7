// Work that is shared among processes that a launcher of each MPI has started.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::test {
namespace {

using ::testing::HasSubstr;

constexpr char kLibraries[] = PLUMBLINE_TEAM_LIBRARIES;

struct Launcher {
  std::string name, command, mpi;
};

void PrintTo(const Launcher& launcher, std::ostream* out) { *out << launcher.name; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

class Launched : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (run_command("command -v mpirun." + GetParam().name).status != 0)
      GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  // `environment` goes in front of the program, as of a shell.
  CommandResult run(int processes, const std::string& works, const std::string& environment = "") {
    return run_script(processes, fmt::format("{} exec {} {} {}", environment, LAUNCHER_PROGRAM, kLibraries, works));
  }
  CommandResult run_script(int processes, const std::string& script) {
    return run_command(fmt::format("{} -n {} sh -c '{}'", GetParam().command, processes, script),
                       directory_.path().string(), 60);
  }
  // The number of a process, by whichever launcher.
  static std::string rank() { return "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; }

  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Launched,
                         testing::Values(Launcher{"openmpi", "mpirun.openmpi --allow-run-as-root --oversubscribe",
                                                  "Open MPI"},
                                         Launcher{"mpich", "mpirun.mpich", "MPICH"}),
                         [](const auto& launcher) { return launcher.param.name; });

std::string text_of(const CommandResult& done) {
  return fmt::format("status {}\nstdout:\n{}\nstderr:\n{}", done.status, done.out, done.err);
}

TEST_P(Launched, AllHearWhatEachBringsByRank) {
  for (const auto& [processes, heard] : {std::pair{1, "p0\n"},
                                         {2, "p0,p1,p0,p1\n"},
                                         {5,
                                          "p0,p1,p2,p3,p4,p0,p1,p2,p3,p4,p0,p1,p2,p3,p4,"
                                          "p0,p1,p2,p3,p4,p0,p1,p2,p3,p4\n"}}) {
    const CommandResult done = run(processes, "exchange:p");
    EXPECT_EQ(done.status, 0) << text_of(done);
    EXPECT_EQ(done.out, heard);
    EXPECT_EQ(done.err, "");
  }
}

TEST_P(Launched, LongTextsAreWholeAlsoInPieces) {
  for (const std::string piece : {"1000000000", "65536", "1000003"}) {
    SCOPED_TRACE(piece);
    const CommandResult done = run(3, "long:3000000 long:1 long:15", "LAUNCHER_TEST_PIECE=" + piece);
    EXPECT_EQ(done.status, 0) << text_of(done);
    EXPECT_EQ(done.out, "0 3000000 6000000 / 0 3000000 6000000 \n0 1 2 / 0 1 2 \n0 15 30 / 0 15 30 \n");
  }
}

TEST_P(Launched, AnErrorOfAnyProcessIsToldOnceWithItsStatus) {
  for (const std::string first : {"0", "1", "3"}) {
    SCOPED_TRACE(first);
    const CommandResult done = run(4, "fails:" + first);
    EXPECT_EQ(done.status, 4) << text_of(done);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(count(done.err, "error: "), 1U) << text_of(done);
    EXPECT_THAT(done.err, HasSubstr("error: spool " + first + ": is damaged; leave it out\n"));
  }
}

TEST_P(Launched, AnErrorBehindTheLastExchangeIsToldToo) {
  const CommandResult done = run(3, "late:2");
  EXPECT_EQ(done.status, 3) << text_of(done);
  EXPECT_EQ(count(done.err, "error: the disk is full\n"), 1U) << text_of(done);
}

TEST_P(Launched, AFailedCheckOfAnyProcessIsAFaultOfOurs) {
  const CommandResult done = run(3, "checks:2");
  EXPECT_EQ(done.status, 70) << text_of(done);
  EXPECT_EQ(count(done.err, "a check that fails"), 1U) << text_of(done);
}

TEST_P(Launched, WorkThatTheOthersDoNotKnowIsAFaultOfOurs) {
  const CommandResult done = run(3, "unheard-of");
  EXPECT_EQ(done.status, 70) << text_of(done);
  EXPECT_EQ(count(done.err, "no process knows the work 'unheard-of'"), 1U) << text_of(done);
}

TEST_P(Launched, WorkCanFollowWorkAlsoAfterAFailure) {
  const CommandResult done = run(3, "exchange:a fails:1 exchange:b memory:2 late:0 long:7 exchange:c");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_EQ(done.out,
            "a0,a1,a2,a0,a1,a2,a0,a1,a2\n"
            "spool 1: is damaged; leave it out\n"
            "b0,b1,b2,b0,b1,b2,b0,b1,b2\n"
            "there is not enough memory; share the work among fewer processes\n"
            "the disk is full\n"
            "0 7 14 / 0 7 14 \n"
            "c0,c1,c2,c0,c1,c2,c0,c1,c2\n");
}

// MPICH's launcher tells the signal, Open MPI's adds 128 to it.
TEST_P(Launched, AProcessThatIsKilledEndsAll) {
  for (const std::string rank : {"0", "2"}) {
    const CommandResult done = run(3, "killed:" + rank);
    EXPECT_THAT(done.status, testing::AnyOf(9, 137)) << text_of(done);
    EXPECT_EQ(count(done.out, "not to be seen"), 0U) << text_of(done);
  }
}

TEST_P(Launched, ProcessesThatLoseTheirStepAreAborted) {
  const CommandResult done = run(3, "step");
  EXPECT_EQ(done.status, 70) << text_of(done);
  EXPECT_EQ(count(done.err, "process 1 of 3: the processes that share the work are not at the same step"), 1U)
      << text_of(done);
}

TEST_P(Launched, WhoWaitsLeavesItsProcessorToOthers) {
  const CommandResult done = run(3, "idle:2");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_LE(std::stod(done.out), 0.2) << "of the time; MPI_Wait would take all of it";
}

TEST_P(Launched, OtherBuildsAreRefused) {
  const CommandResult done = run(3, "exchange", "LAUNCHER_TEST_VERSION=1.$((" + rank() + " / 2))");
  EXPECT_EQ(done.status, 6) << text_of(done);
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(count(done.err, "error: "), 1U) << text_of(done);
  EXPECT_THAT(done.err, HasSubstr("error: process 1 of 3 is plumbline 1.0 (build "));
  EXPECT_THAT(done.err, HasSubstr(", process 3 is plumbline 1.1 (build "));
}

TEST_P(Launched, ALibraryThatIsMissingIsNamed) {
  const CommandResult done = run_script(2, fmt::format("exec {} /nowhere exchange", LAUNCHER_PROGRAM));
  EXPECT_EQ(done.status, 6) << text_of(done);
  EXPECT_EQ(count(done.err, fmt::format("error: /nowhere/libplumbline-team-{}.so: this library, ", GetParam().name)),
            1U)
      << text_of(done);
}

TEST_P(Launched, AMissingLibraryOfOneProcessEndsAll) {
  for (const std::string without : {"0", "2"}) {
    const CommandResult done =
        run_script(3, fmt::format("libraries={}; [ {} = {} ] && libraries=/nowhere; exec {} $libraries exchange",
                                  kLibraries, rank(), without, LAUNCHER_PROGRAM));
    EXPECT_EQ(done.status, 6) << text_of(done);
    EXPECT_EQ(count(done.err, "error: /nowhere/"), 1U) << text_of(done);
  }
}

// The environment is that of the other launcher, as for a program whose MPI is not the launcher's.
TEST_P(Launched, TheLauncherOfAnotherMpiIsRefused) {
  const bool is_openmpi = GetParam().name == "openmpi";
  const std::string pretended = is_openmpi ? "PMI_SIZE=2 PMI_RANK=$OMPI_COMM_WORLD_RANK"
                                           : "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$PMI_RANK";
  const std::string hidden = is_openmpi ? "-u OMPI_COMM_WORLD_RANK -u OMPI_COMM_WORLD_SIZE" : "-u PMI_RANK -u PMI_SIZE";
  const CommandResult done =
      run_script(2, fmt::format("{} exec env {} {} {} exchange", pretended, hidden, LAUNCHER_PROGRAM, kLibraries));
  EXPECT_EQ(done.status, 6) << text_of(done);
  const std::string other = is_openmpi ? "MPICH" : "Open MPI";
  EXPECT_EQ(count(done.err, fmt::format("error: the launcher of {0} has started 2 processes, and the {0} of "
                                        "libplumbline-team-{1}.so finds 1: they are not of one MPI; ",
                                        other, is_openmpi ? "mpich" : "openmpi")),
            1U)
      << text_of(done);
}

TEST_P(Launched, WhoWaitsForProcessesThatDoNotComeSaysSo) {
  const CommandResult done =
      run_script(3, fmt::format("[ {} = 0 ] || sleep 2; LAUNCHER_TEST_PATIENCE=500 exec {} {} exchange:p", rank(),
                                LAUNCHER_PROGRAM, kLibraries));
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_EQ(done.err,
            "plumbline: waiting for the other 2 processes of the launcher; PLUMBLINE_TEAM=off runs this one alone\n");
}

TEST_P(Launched, WithoutATeamEachProcessWorksAlone) {
  const CommandResult done = run(3, "exchange:p", "PLUMBLINE_TEAM=off");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_EQ(done.out, "p0\np0\np0\n");
}

}  // namespace
}  // namespace plumbline::test
