#include "tracer/record/launch/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/record/launch/ends.hpp"

namespace plumbline::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Command kKeeper{"plumbline", "record", "--rank", "--gather", "/shared", "--"};

// Takes variables away for the length of a test: the one who runs it may sit in a batch job.
class MayLeaveThisNode : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"SLURM_JOB_NODELIST", "PBS_NODEFILE", "LSB_HOSTS", "LSB_DJOB_HOSTFILE", "COBALT_NODEFILE",
                             "HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile"})
      unsetenv(name);
  }
  void TearDown() override { unsetenv("PBS_NODEFILE"); }
};

TEST_F(MayLeaveThisNode, ACommandWithoutHostsStays) {
  EXPECT_FALSE(may_leave_this_node(Launcher::kOpenMpi, {"mpirun", "-n", "4", "./app"}));
  EXPECT_FALSE(may_leave_this_node(Launcher::kHydra, {"mpiexec", "-ppn", "4", "./app"}));
}

TEST_F(MayLeaveThisNode, NamedHostsAndHostFilesMayBeElsewhere) {
  EXPECT_TRUE(may_leave_this_node(Launcher::kOpenMpi, {"mpirun", "--host", "n0,n1", "./app"}));
  EXPECT_TRUE(may_leave_this_node(Launcher::kOpenMpi, {"mpirun", "-H", "n0,n1", "./app"}));
  EXPECT_TRUE(may_leave_this_node(Launcher::kHydra, {"mpiexec", "-f", "hosts", "./app"}));
  EXPECT_TRUE(may_leave_this_node(Launcher::kHydra, {"mpiexec", "-hosts=n0,n1", "./app"}));
}

TEST_F(MayLeaveThisNode, ABatchSystemMayHaveGivenOthers) {
  setenv("PBS_NODEFILE", "/var/spool/nodes", 1);
  EXPECT_TRUE(may_leave_this_node(Launcher::kOpenMpi, {"mpirun", "./app"}));
}

TEST_F(MayLeaveThisNode, AProgramOnItsOwnStays) {
  setenv("PBS_NODEFILE", "/var/spool/nodes", 1);
  EXPECT_FALSE(may_leave_this_node(Launcher::kSingleton, {"./app", "-f", "x"}));
}

TEST(WithKeeper, OpenMpiStartsAllProgramsThroughIt) {
  EXPECT_EQ(with_keeper(Launcher::kOpenMpi, {"mpirun", "-n", "1", "./a", ":", "-n", "2", "./b"}, kKeeper),
            (Command{"mpirun", "--mca", "orte_fork_agent", "plumbline record --rank --gather /shared --", "-n", "1",
                     "./a", ":", "-n", "2", "./b"}));
}

TEST(WithKeeper, OpenMpiCannotStartOneWhosePathHasASpace) {
  EXPECT_EQ(with_keeper(Launcher::kOpenMpi, {"mpirun", "./a"}, {"/my programs/plumbline"}), std::nullopt);
}

TEST(WithKeeper, HydraGetsItBeforeTheProgramOfEveryApplication) {
  EXPECT_EQ(with_keeper(Launcher::kHydra, {"mpiexec", "-n", "1", "./a", "-n", ":", "-n", "2", "./b", "x"}, {"keep"}),
            (Command{"mpiexec", "-n", "1", "keep", "./a", "-n", ":", "-n", "2", "keep", "./b", "x"}));
}

TEST(WithKeeper, HydrasOptionsTakeTheirArgumentsWithThem) {
  EXPECT_EQ(
      with_keeper(Launcher::kHydra,
                  {"mpiexec", "-genv", "A", "1", "-genv", "B=2", "-ppn=4", "-l", "--hosts", "n0", "./a"}, {"keep"}),
      (Command{"mpiexec", "-genv", "A", "1", "-genv", "B=2", "-ppn=4", "-l", "--hosts", "n0", "keep", "./a"}));
}

TEST(WithKeeper, WhereHydraStartsProgramsIsNotGuessed) {
  EXPECT_EQ(with_keeper(Launcher::kHydra, {"mpiexec", "-no-such-option", "./a"}, {"keep"}), std::nullopt);
  EXPECT_EQ(with_keeper(Launcher::kHydra, {"mpiexec", "-configfile", "f"}, {"keep"}), std::nullopt);
  EXPECT_EQ(with_keeper(Launcher::kHydra, {"mpiexec", "-n", "4"}, {"keep"}), std::nullopt);
}

// A "rank": a shell script that leaves what a tracer would leave, a file in PLUMBLINE_SPOOL.
class KeepRank : public testing::Test {
 protected:
  KeepRank() {
    setenv("PMI_SIZE", "1", 1);
    setenv("PLUMBLINE_PRELOAD_DIR", directory_.path().c_str(), 1);
    setenv("TMPDIR", (directory_ / "local").c_str(), 1);
    std::filesystem::create_directory(directory_ / "local");
    std::filesystem::create_directories(gather_);
    std::ofstream(directory_ / "libplumbline-preload-mpich.so");
  }
  ~KeepRank() override {
    for (const char* name : {"PMI_SIZE", "PLUMBLINE_PRELOAD_DIR", "TMPDIR"}) unsetenv(name);
  }

  // The shell itself is told of a preload that is no library and says so on stderr; it goes on.
  ProgramEnd keep(const std::string& script) { return keep_rank({"/bin/sh", "-c", script}, gather_); }

  std::size_t files_in(const std::filesystem::path& where) const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(where), {}));
  }

  test::TemporaryDirectory directory_;
  const std::filesystem::path gather_ = directory_ / "shared/spools";
};

TEST_F(KeepRank, MovesTheSpoolOfAProgramThatEnded) {
  EXPECT_EQ(keep("echo spool > $PLUMBLINE_SPOOL/n0.1.spool").status, 0);
  EXPECT_TRUE(std::filesystem::exists(gather_ / "n0.1.spool"));
  EXPECT_THAT(not_gathered(gather_), IsEmpty());
  EXPECT_EQ(files_in(gather_), 1u);
  EXPECT_EQ(files_in(directory_ / "local"), 0u);
}

TEST_F(KeepRank, GivesTheStatusOfItsProgram) { EXPECT_EQ(keep("exit 7").status, 7); }

TEST_F(KeepRank, MovesTheSpoolOfAProgramThatWasKilled) {
  const ProgramEnd end = keep("echo spool > $PLUMBLINE_SPOOL/n0.1.spool; kill -KILL $$");
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(gather_ / "n0.1.spool"));
}

TEST_F(KeepRank, NotesHowItsProgramEndedBesideTheSpool) {
  keep("echo spool > $PLUMBLINE_SPOOL/$(uname -n).$$.spool; kill -SEGV $$");
  for (const auto& entry : std::filesystem::directory_iterator(gather_)) {
    if (entry.path().extension() != ".spool") continue;
    const auto note = read_end_note(entry.path());
    ASSERT_TRUE(note);
    EXPECT_EQ(note->signal, SIGSEGV);
  }
  EXPECT_EQ(files_in(gather_), 2u);
}

TEST_F(KeepRank, LeavesTheSpoolWhereItWasToldTo) {
  const std::filesystem::path spools = directory_ / "here";
  EXPECT_EQ(keep_rank_at({"/bin/sh", "-c", "mkdir $PLUMBLINE_SPOOL; echo x > $PLUMBLINE_SPOOL/a.spool; exit 7"}, spools)
                .status,
            7);
  EXPECT_TRUE(std::filesystem::exists(spools / "a.spool"));
}

TEST_F(KeepRank, WhileTheProgramRunsANoteSaysWhereItsSpoolIs) {
  keep("cat " + gather_.string() + "/*.not-gathered > $PLUMBLINE_SPOOL/note");
  std::string place;
  std::ifstream file(gather_ / "note");
  std::getline(file, place);
  EXPECT_THAT(place, testing::HasSubstr((directory_ / "local/plumbline-").string()));
}

TEST_F(KeepRank, ASpoolThatCannotBeMovedStaysAndIsListed) {
  keep("echo spool > $PLUMBLINE_SPOOL/n0.1.spool; mkdir " + (gather_ / "n0.1.spool.part").string());
  EXPECT_EQ(not_gathered(gather_).size(), 1u);
  EXPECT_EQ(files_in(directory_ / "local"), 1u);
}

TEST_F(KeepRank, WithoutAPlaceForTheSpoolTheProgramIsNotStarted) {
  std::filesystem::remove(gather_);
  const std::filesystem::path touched = directory_ / "touched";
  EXPECT_THROW(keep("touch " + touched.string()), Error);
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST(WithKeeper, BlanksInItsWordsAreCodedWhereTheLauncherWouldSplitThem) {
  const Command keeper{"plumbline", "record", "--rank", "--gather", "/a b%20c", "--"};
  EXPECT_EQ(*with_keeper(Launcher::kOpenMpi, {"mpirun", "./a b"}, keeper),
            (Command{"mpirun", "--mca", "orte_fork_agent",
                     "plumbline record --rank --without-blanks --gather /a%20b%2520c --", "./a b"}));
  EXPECT_EQ(*with_keeper(Launcher::kHydra, {"mpiexec", "./a b"}, keeper),
            (Command{"mpiexec", "plumbline", "record", "--rank", "--gather", "/a b%20c", "--", "./a b"}));
  for (const std::string word : {"", "%", "%2", "a b", "%20", "100 % of it", "%2520"})
    EXPECT_EQ(with_blanks(without_blanks(word)), word);
}

}  // namespace
}  // namespace plumbline::record
