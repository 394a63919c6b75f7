// What one rank of each node copies of it, beside its spool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/tracer/on_both_mpis.hpp"
#include "tracer/spool/node_readings.hpp"

namespace plumbline::spool::test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

class NodeReading : public OnBothMpis {
 protected:
  Outcome run_with(Job job) {
    job.flavour = GetParam();
    return outcome_ = run(job);
  }
  std::vector<fs::path> with_extension(const char* extension) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(outcome_.spools))
      if (entry.path().extension() == extension) files.push_back(entry.path());
    return files;
  }
  std::vector<fs::path> copies() const { return with_extension(PL_NODE_SUFFIX); }
  NodeReadings only() const {
    const auto found = copies();
    EXPECT_THAT(found, SizeIs(1));
    return found.empty() ? NodeReadings{} : node_readings_beside(fs::path(found[0]).replace_extension(".spool"));
  }
};

TEST_P(NodeReading, IsMadeByOneRankWhenItBeginsAndWhenItEnds) {
  run_with({.program = "consensus", .ranks = 4});
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  const NodeReadings readings = only();
  ASSERT_TRUE(readings.begin && readings.end);
  EXPECT_TRUE(readings.begin->is_whole && readings.end->is_whole);
  EXPECT_LT(readings.begin->realtime_ns, readings.end->realtime_ns);
  EXPECT_THAT(readings.begin->copy.files, Contains(Key("/proc/net/snmp")));
  EXPECT_TRUE(fs::exists(copies()[0].replace_extension(".spool")));
  EXPECT_THAT(with_extension(".node-first"), IsEmpty());
}

// Without a launcher nobody has numbered the processes of the node.
TEST_P(NodeReading, IsMadeOfEachOfTwoProgramsThatRunOneAfterTheOther) {
  outcome_ = run_shell("for i in 1 2; do PLUMBLINE_SPOOL=spools LD_PRELOAD=" + preload_library(GetParam()).string() +
                           " " + program_path(GetParam(), "ends").string() + "; done",
                       fresh_directory());
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_THAT(copies(), SizeIs(2));
}

TEST_P(NodeReading, OfARankThatIsKilledHasItsBeginning) {
  run_with({.program = "ends", .ranks = 1, .arguments = {"kill"}});
  const NodeReadings readings = only();
  ASSERT_TRUE(readings.begin);
  EXPECT_TRUE(readings.begin->is_whole);
  EXPECT_FALSE(readings.end);
}

TEST_P(NodeReading, IsLeftOutWhereItIsSwitchedOff) {
  run_with({.program = "ends", .environment = "PLUMBLINE_NODE_FACTS=off "});
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_THAT(copies(), IsEmpty());
}

TEST_P(NodeReading, IsMadeBelowTheDirectoryThatWasNamed) {
  const fs::path host = fresh_directory();
  fs::create_directories(host / "proc/net");
  std::ofstream(host / "proc/net/snmp") << "Tcp: OutSegs\nTcp: 5\n";
  run_with({.program = "ends", .environment = "PLUMBLINE_NODE_FACTS=" + host.string() + "/ "});
  const NodeReadings readings = only();
  fs::remove_all(host);
  ASSERT_TRUE(readings.begin);
  EXPECT_THAT(readings.begin->copy.files, ElementsAre(Key("/proc/net/snmp")));
}

TEST_P(NodeReading, IsMadeAlthoughTheSettingCannotBeUnderstoodWhichIsSaid) {
  run_with({.program = "ends", .environment = "PLUMBLINE_NODE_FACTS=maybe "});
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_THAT(outcome_.errors, HasSubstr("PLUMBLINE_NODE_FACTS is neither off nor a directory"));
  EXPECT_THAT(copies(), SizeIs(1));
}

TEST_P(NodeReading, IsMadeByARankThatIsNotRecorded) {
  run_with({.program = "consensus", .ranks = 3, .environment = "PLUMBLINE_RANKS=1- "});
  const NodeReadings readings = only();
  ASSERT_TRUE(readings.begin && readings.end);
  EXPECT_GT(readings.end->realtime_ns, readings.begin->realtime_ns);
}

TEST_P(NodeReading, ChangesNothingThatTheProgramSees) {
  const Outcome with = run_with({.program = "files", .ranks = 2, .arguments = {"WORK"}});
  fs::remove_all(with.work);
  const Outcome without =
      run_with({.program = "files", .ranks = 2, .arguments = {"WORK"}, .environment = "PLUMBLINE_NODE_FACTS=off "});
  EXPECT_EQ(with.status, without.status) << with.errors;
  EXPECT_EQ(with.output, without.output);
  EXPECT_EQ(with.errors, without.errors);
}

INSTANTIATE_TEST_SUITE_P(BothMpis, NodeReading, kBothMpis, name_of_mpi);

// Without MPI, whose libraries make files themselves. Beyond the limit of a file's size a program ends by SIGXFSZ; in
// blocks of 512 B or 1 KiB, by the shell.
TEST(NodeReadingOfAProgramWithoutMpi, IsMadeUnlessAFileMayNotBeSoLong) {
  const std::string tool = "PLUMBLINE_SPOOL=spools LD_PRELOAD=" + preload_library("posix").string() + " cat /dev/null";
  const Outcome free = run_shell(tool, fresh_directory());
  EXPECT_EQ(free.status, 0) << free.errors;
  std::size_t copies = 0, longest = 0;
  for (const auto& entry : fs::directory_iterator(free.spools))
    if (entry.path().extension() == PL_NODE_SUFFIX) {
      ++copies;
      longest = fs::file_size(entry);
    }
  EXPECT_EQ(copies, 1u);
  EXPECT_GT(longest, 16384u);
  fs::remove_all(free.work);
  const Outcome limited = run_shell("ulimit -f 16; " + tool, fresh_directory());
  EXPECT_EQ(limited.status, 0) << limited.errors;
  for (const auto& entry : fs::directory_iterator(limited.spools)) EXPECT_LE(fs::file_size(entry), 16384u);
  fs::remove_all(limited.work);
}

}  // namespace
}  // namespace plumbline::spool::test
