// `plumbline bench` with ranks that only seem to measure (fake_ranks.cpp): order, failures, resuming, bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "bench/results/campaign_file.hpp"
#include "tests/support/background.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using plumbline::test::Background;
using plumbline::test::CommandResult;
using plumbline::test::run_command;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLayout[] = "[[layout]]\nper_node = 2\nlauncher = \"env {program}\"\n";

class BenchCommand : public testing::Test {
 protected:
  BenchCommand() {
    fs::create_directory(directory_ / "ranks");
    for (const char* flavour : {"openmpi", "mpich"})
      fs::create_symlink(FAKE_RANKS, directory_ / (std::string("ranks/plumbline-bench-ranks-") + flavour));
    write("c.toml", std::string("[campaign]\nruns = 3\n") + kLayout +
                        "[[measure]]\noperation = [\"bcast\", \"round_trip\"]\nsizes = \"0..9+1\"\n");
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }

  std::string command(const std::string& arguments) const { return std::string(PLUMBLINE) + " bench " + arguments; }

  // `settings`: "FAKE_HANG=bcast".
  CommandResult bench(const std::string& arguments, const std::string& settings = "") const {
    return run_command(
        "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " " + settings + " " + command(arguments),
        directory_.path());
  }

  Campaign result(const std::string& name = "r.h5") const { return read_campaign(directory_ / name); }
  bool has_parts() const { return fs::exists(directory_ / "r.h5.parts"); }

  plumbline::test::TemporaryDirectory directory_;
};

std::string told(const CommandResult& result) {
  return "status " + std::to_string(result.status) + "\n" + result.out + result.err;
}

// What was measured how often: (mpi, operation, size).
std::map<std::tuple<std::string, std::string, std::uint64_t>, int> counts_of(const Campaign& campaign) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, int> counts;
  for (const Cell& cell : campaign.cells) ++counts[{campaign.runs[cell.run].mpi, cell.operation, cell.bytes}];
  return counts;
}

void expect_each_three_times(const Campaign& campaign) {
  const auto counts = counts_of(campaign);
  EXPECT_EQ(counts.size(), 2U * 2U * 10U);
  for (const auto& [what, count] : counts)
    EXPECT_EQ(count, 3) << std::get<0>(what) << " " << std::get<1>(what) << " " << std::get<2>(what);
}

TEST_F(BenchCommand, TellsRanksOfALoopbackLayoutToShareNoMemory) {
  write("c.toml", std::string("[campaign]\nruns = 2\nmpi = \"mpich\"\n") + kLayout + kLayout + "loopback = true\n" +
                      "only = \"bcast\"\n[[measure]]\noperation = [\"bcast\", \"round_trip\"]\nsizes = 1\n");
  const CommandResult told_result = bench("c.toml -o r.h5");
  ASSERT_EQ(told_result.status, 0) << told(told_result);
  int through = 0;
  for (const Cell& cell : result().cells) {
    through += cell.words.contains(kWay);
    EXPECT_TRUE(!cell.words.contains(kWay) || cell.operation == "bcast");
  }
  EXPECT_EQ(result().cells.size(), 6U);
  EXPECT_EQ(through, 2);
}

TEST_F(BenchCommand, TellsRanksWhichLevelOfThreadsToAskFor) {
  write("c.toml", std::string("[campaign]\nruns = 1\nmpi = \"mpich\"\n") + kLayout + kLayout +
                      "threads = \"multiple\"\n[[measure]]\noperation = \"bcast\"\nsizes = 1\n");
  const CommandResult told_result = bench("c.toml -o r.h5");
  ASSERT_EQ(told_result.status, 0) << told(told_result);
  std::multiset<std::string> levels;
  for (const Cell& cell : result().cells) levels.insert(cell.words.contains(kThreads) ? cell.words.at(kThreads) : "");
  EXPECT_EQ(levels, (std::multiset<std::string>{"", "multiple"}));
}

// The variable makes the ranks of that layout refuse one of both operations.
TEST_F(BenchCommand, GivesALayoutItsVariablesAndItsCellsItsName) {
  write("c.toml", std::string("[campaign]\nruns = 1\nmpi = \"mpich\"\n") + kLayout + kLayout +
                      "variant = \"tuned\"\nenvironment = \"FAKE_FAULT=round_trip\"\n" +
                      "[[measure]]\noperation = [\"bcast\", \"round_trip\"]\nsizes = 1\n");
  const CommandResult told_result = bench("c.toml -o r.h5");
  std::multiset<std::string> measured;
  for (const Cell& cell : result().cells)
    measured.insert(cell.operation + (cell.words.contains(kVariant) ? " " + cell.words.at(kVariant) : ""));
  EXPECT_EQ(measured, (std::multiset<std::string>{"bcast", "bcast tuned", "round_trip"})) << told(told_result);
}

TEST_F(BenchCommand, MeasuresEverythingInEveryRunInARandomOrder) {
  const CommandResult done = bench("c.toml -o r.h5");
  EXPECT_EQ(done.status, 0) << told(done);
  EXPECT_EQ(done.out, "r.h5\n");
  EXPECT_FALSE(has_parts());
  const Campaign campaign = result();
  ASSERT_EQ(campaign.runs.size(), 6U);
  expect_each_three_times(campaign);
  std::map<std::uint32_t, std::string> orders;
  for (const Cell& cell : campaign.cells) orders[cell.run] += cell.operation + std::to_string(cell.bytes) + " ";
  std::set<std::string> different;
  for (const auto& [run, order] : orders) different.insert(order);
  EXPECT_EQ(different.size(), 6U);
  for (const bench::Run& run : campaign.runs) {
    EXPECT_TRUE(run.finished);
    EXPECT_EQ(run.per_node, 2U);
    EXPECT_NE(run.created, "");
  }
  EXPECT_NE(campaign.environment.host, "");
  EXPECT_THAT(campaign.text, HasSubstr("runs = 3"));
}

TEST_F(BenchCommand, TheSameSeedGivesTheSameOrder) {
  ASSERT_EQ(bench("c.toml -o r.h5").status, 0);
  ASSERT_EQ(bench("c.toml -o again.h5").status, 0);
  const Campaign first = result(), again = result("again.h5");
  ASSERT_EQ(first.cells.size(), again.cells.size());
  for (std::size_t i = 0; i < first.cells.size(); ++i) EXPECT_EQ(first.cells[i], again.cells[i]);
}

TEST_F(BenchCommand, WhatWasMeasuredWhenItIsKilledIsKeptAndTheRestAskedAgain) {
  const std::string settings = "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " FAKE_DELAY_MS=10 ";
  Background killed("env " + settings + command("c.toml -o r.h5"), directory_.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ASSERT_FALSE(killed.has_ended());
  ::kill(killed.pid(), SIGKILL);
  killed.result();
  ASSERT_TRUE(has_parts());
  const CommandResult refused = bench("c.toml -o r.h5");
  EXPECT_EQ(refused.status, 3) << told(refused);
  EXPECT_THAT(refused.err, HasSubstr("--resume"));
  const CommandResult done = bench("c.toml -o r.h5 --resume");
  EXPECT_EQ(done.status, 0) << told(done);
  const Campaign campaign = result();
  EXPECT_GE(campaign.runs.size(), 6U);  // a run that was cut off is two
  EXPECT_LE(campaign.runs.size(), 7U);
  expect_each_three_times(campaign);
  EXPECT_FALSE(has_parts());
}

TEST_F(BenchCommand, IsKilledOftenAndStillMeasuresEachOnce) {
  const std::string settings = "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " FAKE_DELAY_MS=8 ";
  for (int times = 0; times < 5; ++times) {
    Background killed("env " + settings + command(times == 0 ? "c.toml -o r.h5" : "c.toml -o r.h5 --resume"),
                      directory_.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(150 + 60 * times));
    ::kill(killed.pid(), SIGKILL);
    killed.result();
    if (!has_parts()) break;
  }
  const CommandResult done = bench(has_parts() ? "c.toml -o r.h5 --resume" : "c.toml -o r.h5 --force");
  EXPECT_EQ(done.status, 0) << told(done);
  expect_each_three_times(result());
}

// Killed when the directory beside the result had been made, and nothing in it yet.
TEST_F(BenchCommand, IsResumedWhereItHadHardlyBegun) {
  fs::create_directory(directory_ / "r.h5.parts");
  const CommandResult done = bench("c.toml -o r.h5 --resume");
  EXPECT_EQ(done.status, 0) << told(done);
  expect_each_three_times(result());
}

TEST_F(BenchCommand, RanksEndWithTheCommandThatIsKilled) {
  if (run_command("command -v setpriv").status != 0) GTEST_SKIP() << "setpriv is not installed";
  const std::string settings = "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " FAKE_HANG=bcast ";
  Background killed("env " + settings + command("c.toml -o r.h5"), directory_.path());
  const std::string of_ours = "pgrep -f " + (directory_ / "r.h5.parts").string();
  constexpr int kPatience = 1500;  // looks; half a minute and more where the machine is in use
  bool seen = false;
  for (int i = 0; i < kPatience && !seen; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seen = run_command(of_ours + " | wc -l").out > "1\n";  // the shell that asks is one
  }
  ::kill(killed.pid(), SIGKILL);
  killed.result();
  bool gone = false;
  for (int i = 0; i < kPatience && !gone; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gone = run_command("ps -eo args | grep -c '[r]anks-.*" + (directory_ / "r.h5.parts").string() + "'").out == "0\n";
  }
  EXPECT_TRUE(seen && gone);
}

TEST_F(BenchCommand, CtrlCEndsItInOrder) {
  const std::string settings = "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " FAKE_DELAY_MS=20 ";
  Background stopped("env " + settings + command("c.toml -o r.h5"), directory_.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ::kill(stopped.pid(), SIGINT);
  const CommandResult ended = stopped.result();
  EXPECT_EQ(ended.status, 5) << told(ended);
  EXPECT_THAT(ended.err, HasSubstr("it was stopped; --resume"));
  EXPECT_GT(result().cells.size(), 0U);
  EXPECT_EQ(bench("c.toml -o r.h5 --resume").status, 0);
  expect_each_three_times(result());
}

TEST_F(BenchCommand, AHangIsEndedNotedAndLeftOut) {
  write("c.toml", std::string("[campaign]\nruns = 1\nmpi = \"mpich\"\npatience = \"2s\"\n") + kLayout +
                      "[[measure]]\noperation = \"bcast\"\nsizes = 7\n[[measure]]\noperation = \"round_trip\"\nsizes = "
                      "\"0..5+1\"\n");
  const CommandResult done = bench("c.toml -o r.h5", "FAKE_HANG=bcast");
  EXPECT_EQ(done.status, 5) << told(done);
  EXPECT_THAT(done.err, HasSubstr("run 1 of mpich, 1 x 2: bcast of 7 B gave no sign of life for "));
  EXPECT_EQ(result().cells.size(), 6U);
  EXPECT_EQ(bench("c.toml -o r.h5 --resume").status, 0);  // when the fault is mended
  EXPECT_EQ(result().cells.size(), 7U);
  EXPECT_FALSE(has_parts());
}

// Each request tells nothing for longer than the patience: a slow network is no hang.
TEST_F(BenchCommand, IsWaitedForAsLongAsTheRanksSayThatItTakes) {
  write("c.toml", std::string("[campaign]\nruns = 1\nmpi = \"mpich\"\npatience = \"500ms\"\n") + kLayout +
                      "[[measure]]\noperation = \"bcast\"\nsizes = [7, 8]\n");
  const CommandResult impatient = bench("c.toml -o r.h5", "FAKE_DELAY_MS=1500");
  EXPECT_EQ(impatient.status, 5) << told(impatient);
  EXPECT_THAT(impatient.err, HasSubstr("gave no sign of life for "));
  const CommandResult patient = bench("c.toml -o s.h5", "FAKE_DELAY_MS=1500 FAKE_EXPECT_S=60");
  EXPECT_EQ(patient.status, 0) << told(patient);
}

TEST_F(BenchCommand, ACrashCostsOneMeasurementAndIsToldWithItsLastWords) {
  write("c.toml", std::string("[campaign]\nruns = 1\nmpi = \"mpich\"\n") + kLayout +
                      "[[measure]]\noperation = \"bcast\"\nsizes = [7, 8]\n[[measure]]\noperation = "
                      "\"round_trip\"\nsizes = \"0..5+1\"\n");
  const CommandResult done = bench("c.toml -o r.h5", "FAKE_CRASH=bcast");
  EXPECT_EQ(done.status, 5) << told(done);
  EXPECT_THAT(done.err, HasSubstr("bcast of 7 B ended with status 9: fake crash"));
  EXPECT_THAT(done.err, HasSubstr("2 of 8 measurements are missing"));
  EXPECT_EQ(result().cells.size(), 6U);
}

TEST_F(BenchCommand, WhatRanksCannotMeasureIsToldAndNotAskedAgain) {
  const CommandResult done = bench("c.toml -o r.h5", "FAKE_FAULT=bcast");
  EXPECT_EQ(done.status, 5) << told(done);
  EXPECT_THAT(done.err, HasSubstr("(bcast): is not to be had"));
  EXPECT_THAT(done.err, HasSubstr("60 measurements failed"));
  EXPECT_FALSE(has_parts());
}

TEST_F(BenchCommand, RanksThatNeverBeginAreAFaultOfTheSurroundings) {
  const CommandResult done = bench("c.toml -o r.h5", "FAKE_NO_START=1");
  EXPECT_EQ(done.status, 6) << told(done);
  EXPECT_THAT(done.err, HasSubstr("no such network"));
  EXPECT_FALSE(has_parts());
  EXPECT_FALSE(fs::exists(directory_ / "r.h5"));
}

TEST_F(BenchCommand, ALauncherThatFailsOnceIsTriedAgain) {
  write("c.toml", std::string("[campaign]\nruns = 3\nmpi = \"mpich\"\n") + kLayout +
                      "[[measure]]\noperation = \"bcast\"\nsizes = [7, 8]\n");
  const CommandResult done = bench("c.toml -o r.h5", "FAKE_SECOND_FAILS=count");
  EXPECT_EQ(done.status, 0) << told(done);
  EXPECT_THAT(done.err, HasSubstr("run 2 of mpich, 1 x 2: did not begin to measure: ended with status 1"));
  EXPECT_EQ(result().cells.size(), 6U);
}

TEST_F(BenchCommand, ResumingNeedsTheSameCampaign) {
  EXPECT_THAT(bench("c.toml -o r.h5 --resume").err, HasSubstr("there is nothing to resume"));
  ASSERT_EQ(bench("c.toml -o r.h5").status, 0);
  EXPECT_EQ(bench("c.toml -o r.h5 --resume").status, 0);  // it is whole
  write("other.toml", "# other\n");
  EXPECT_EQ(bench("other.toml -o r.h5 --resume").status, 3);
}

TEST_F(BenchCommand, FaultsAreToldBeforeAnythingRuns) {
  const auto refused = [&](const std::string& arguments, int status, const std::string& what) {
    const CommandResult told_so = bench(arguments, "FAKE_NO_START=1");
    EXPECT_EQ(told_so.status, status) << told(told_so);
    EXPECT_THAT(told_so.err, HasSubstr(what));
    EXPECT_THAT(told_so.err, Not(HasSubstr("no such network")));
    EXPECT_FALSE(has_parts());
  };
  write("unknown.toml", "[[measure]]\noperation = \"bcat\"\n");
  refused("unknown.toml -o r.h5", 3, "unknown.toml:2:13: there is no operation 'bcat'; did you mean 'bcast'?");
  write("large.toml", "[[measure]]\noperation = \"bcast\"\nsizes = \"1..1TiB*2\"\n");
  refused("large.toml -o r.h5", 3, "large.toml:3:9: '1TiB' is too large");
  refused("c.toml -o nowhere/r.h5", 3, "directory 'nowhere' does not exist");
  refused("missing.toml -o r.h5", 3, "missing.toml: cannot be read");
  refused("", 2, "no campaign is named");
  refused("c.toml -o c.toml", 3, "is an input as well");
  write("r.h5", "somebody's");
  refused("c.toml -o r.h5", 3, "already exists");
  EXPECT_EQ(run_command("PLUMBLINE_RANKS_DIR=/nonexistent " + command("c.toml"), directory_.path()).status, 6);
}

TEST_F(BenchCommand, MoreRanksThanCoresAreWarnedOf) {
  write("many.toml",
        "[campaign]\nruns = 1\nmpi = \"mpich\"\n[[layout]]\nper_node = 5000\nlauncher = \"env {program}\"\n"
        "[[measure]]\noperation = \"bcast\"\nsizes = 1\n");
  const CommandResult done = bench("many.toml -o r.h5");
  EXPECT_EQ(done.status, 0) << told(done);
  EXPECT_THAT(done.err, HasSubstr("many.toml:4:1: 5000 ranks on a node"));
}

TEST_F(BenchCommand, RanksThatShareCoresAreNotedOnceAndAreNoReason) {
  ASSERT_EQ(bench("c.toml -o r.h5", "FAKE_SHARED=1").status, 0);
  const Campaign campaign = result();
  EXPECT_EQ(campaign.runs.size(), 6U);
  EXPECT_THAT(campaign.notes,
              testing::ElementsAre("layout 1 x 2: 2 ranks share 1 core: their times hold that they wait "
                                   "for each other"));
  for (const bench::Run& run : campaign.runs)
    EXPECT_THAT(run.disturbances, testing::Each(HasSubstr("by others"))) << "of this machine, now";
}

TEST_F(BenchCommand, TwoAtOnceDoNotWorkOnOneResult) {
  const std::string settings = "PLUMBLINE_RANKS_DIR=" + (directory_ / "ranks").string() + " FAKE_DELAY_MS=20 ";
  Background first("env " + settings + command("c.toml -o r.h5"), directory_.path());
  for (int i = 0; i < 200 && !has_parts(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const CommandResult second = bench("c.toml -o r.h5 --resume");
  EXPECT_EQ(second.status, 3) << told(second);
  EXPECT_THAT(second.err, HasSubstr("another plumbline bench is at work"));
}

TEST_F(BenchCommand, SaysWhatWouldRunAndPrintsACampaignToBeginWith) {
  const CommandResult dry = bench("c.toml --dry-run");
  EXPECT_EQ(dry.status, 0) << told(dry);
  EXPECT_THAT(dry.out, HasSubstr("6 runs of openmpi, mpich: 120 measurements"));
  const CommandResult list = bench("--list");
  EXPECT_THAT(list.out,
              HasSubstr("bcast: MPI_Bcast\n  size: the message\n  implementations: library, binomial, chain\n"));
  EXPECT_THAT(bench("--example").out, HasSubstr("[[measure]]"));
}

TEST_F(BenchCommand, ShowsTablesCellsAndRawValues) {
  ASSERT_EQ(bench("c.toml -o r.h5").status, 0);
  const CommandResult table = bench("show r.h5 --operation bcast --mpi mpich --size 9");
  EXPECT_EQ(table.status, 0) << told(table);
  EXPECT_THAT(table.out, HasSubstr("bcast, library; mpich, 1 x 2; max behind barrier\n"));
  EXPECT_THAT(table.out,
              HasSubstr(" 9 B     3           90   10 ns  (10 ns .. 10 ns)  10 ns  10 ns  10 ns  10 ns    0.0 %"));
  EXPECT_THAT(bench("show r.h5 --csv --size 9").out,
              ContainsRegex("bcast,library,openmpi,1,2,,max,barrier,9,3,[03],90,0,1e-08,,,1e-08,1e-08,1e-08,1e-08\n"));
  EXPECT_THAT(bench("show r.h5 --json --size 9").out, HasSubstr("\"median_s\": 1e-08"));
  EXPECT_THAT(bench("show r.h5 --cells --size 9").out, HasSubstr("run 1: "));
  const std::string raw = bench("show r.h5 --raw").out;
  EXPECT_EQ(std::ranges::count(raw, '\n'), 1 + 120 * 30);
  EXPECT_EQ(bench("show --operation bcast r.h5").status, 0);  // the file is no second operation
  EXPECT_EQ(bench("show r.h5 --operation nothing").status, 2);
  EXPECT_EQ(bench("show c.toml").status, 3);
  EXPECT_THAT(run_command(std::string(PLUMBLINE) + " info r.h5", directory_.path()).out,
              HasSubstr("6 runs, 120 cells\n"));
}

TEST_F(BenchCommand, DrawsWellFormedPictures) {
  ASSERT_EQ(bench("c.toml -o r.h5").status, 0);
  for (const std::string kind : {"lines", "box", "histogram"}) {
    const CommandResult drawn = bench("plot r.h5 --kind " + kind + " --size 3,4 --title '<\"&' -o " + kind + ".svg");
    EXPECT_EQ(drawn.status, 0) << told(drawn);
    EXPECT_EQ(run_command("xmllint --noout " + kind + ".svg", directory_.path()).status, 0);
  }
  EXPECT_EQ(bench("plot r.h5 --over ranks --size 3,4 -o ranks.svg").status, 0);
  EXPECT_EQ(bench("plot r.h5 --over ranks --kind box -o box2.svg").status, 2);
  EXPECT_EQ(bench("plot r.h5 -o lines.svg").status, 3);
  EXPECT_EQ(bench("plot r.h5 --kind histogram -o many.svg").status, 2);  // 40 curves
}

}  // namespace
}  // namespace plumbline::bench
