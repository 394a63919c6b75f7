// `plumbline bench guidelines` as a user runs it: on campaigns whose truth is known, and a small one under each MPI.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "base/files/output.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/rules/table/table.hpp"
#include "tests/bench/rules/made_campaign.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using plumbline::test::run_command;
using test::MadeCampaign;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<std::string> kFlavours{PLUMBLINE_FLAVOURS};

class GuidelinesCommand : public testing::Test {
 protected:
  plumbline::test::CommandResult run(const std::string& options, int seconds = 300) const {
    return run_command(
        fmt::format("PLUMBLINE_RANKS_DIR={} {} bench guidelines {}", PLUMBLINE_PROGRAMS, PLUMBLINE, options),
        directory_.path().string(), seconds);
  }

  std::string written(MadeCampaign& made) const {
    const std::string path = directory_ / "made.h5";
    made.campaign().seed = 17;
    write_campaign(made.campaign(), path, Overwrite::kYes);
    return path;
  }

  // Where no MPI is installed.
  plumbline::test::CommandResult run_without_mpi(const std::string& options) const {
    return run_command(
        fmt::format("PLUMBLINE_RANKS_DIR={} {} bench guidelines {}", directory_.path().string(), PLUMBLINE, options),
        directory_.path().string(), 60);
  }

  std::string table(const std::string& text) const {
    const std::string path = directory_ / "my.toml";
    write_file(path, text, Overwrite::kYes);
    return path;
  }

  const plumbline::test::TemporaryDirectory directory_;
};

MadeCampaign violated_campaign() {
  MadeCampaign made(8);
  for (const std::uint64_t bytes : {8, 64, 512}) {
    made.add("gather", bytes, 30);
    made.add("allgather", bytes, 2);
    made.add("scatter", bytes, 1);
    made.add("bcast", 2 * bytes, 1.5);
  }
  for (Cell& cell : made.campaign().cells) cell.seconds[2] = cell.seconds[1];
  return made;
}

TEST_F(GuidelinesCommand, SaysOfEachGroupWhatDoesNotHold) {
  MadeCampaign made = violated_campaign();
  const auto ran = run(fmt::format("--from {} --csv out.csv --plots pictures --details", written(made)));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("8 runs at most, order by seed 17"));
  EXPECT_THAT(ran.out, HasSubstr("rooted collectives"));
  EXPECT_THAT(ran.out, HasSubstr("VIOLATED: 1 of"));
  EXPECT_THAT(ran.out, HasSubstr("gather 8 B takes 30.11 us [30.11 us .. 30.11 us], allgather 8 B 2.007 us"));
  EXPECT_THAT(ran.out, HasSubstr("OMPI_MCA_coll_tuned_dynamic_rules_filename="));
  EXPECT_TRUE(fs::exists(directory_ / "made-tuning-1.conf"));
  const std::string csv = contents_of(directory_ / "out.csv");
  EXPECT_THAT(csv, HasSubstr("rule.gather.allgather,,rooted collectives,openmpi,1,2,"));
  EXPECT_THAT(csv, HasSubstr(",violated,"));
  std::vector<std::string> pictures;
  for (const auto& entry : fs::directory_iterator(directory_ / "pictures")) pictures.push_back(entry.path().filename());
  std::ranges::sort(pictures);
  EXPECT_THAT(pictures, testing::ElementsAre("01-openmpi-rule.gather.allgather-focus.svg",
                                             "01-openmpi-rule.gather.allgather-overview.svg"));
  for (const std::string& picture : pictures)
    EXPECT_THAT(contents_of(directory_ / "pictures" / picture),
                AllOf(HasSubstr("<svg"), HasSubstr("</svg>"), Not(HasSubstr("nan"))));
}

TEST_F(GuidelinesCommand, BeginsWithTenLinesAtMost) {
  MadeCampaign made = violated_campaign();
  const std::string text = run("--from " + written(made)).out;
  const std::string verdict = text.substr(0, text.find("\n\n"));
  EXPECT_LE(std::ranges::count(verdict, '\n'), 10) << verdict;
}

TEST_F(GuidelinesCommand, EndsWithZeroWhereAllHolds) {
  MadeCampaign made(8);
  for (const std::uint64_t bytes : {8, 64, 512}) {
    made.add("gather", bytes, 1);
    made.add("allgather", bytes, 2);
  }
  const auto ran = run("--from " + written(made));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("No guideline is violated"));
}

TEST_F(GuidelinesCommand, SaysThatThereAreTooFewRunsToTell) {
  MadeCampaign made(3);
  made.add("gather", 8, 30);
  made.add("allgather", 8, 2);
  const auto ran = run("--from " + written(made) + " --details");
  EXPECT_EQ(ran.status, 5) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("No guideline could be judged"));
  EXPECT_THAT(ran.out, HasSubstr("3 runs of one side that count, and 4 are needed"));
}

TEST_F(GuidelinesCommand, TellsAllFaultsOfATableWithTheirLines) {
  const auto ran =
      run(table("[[guideline]]\nid = \"my.one\"\nfast = \"gathr(b)\"\nslow = \"neighbor_allgather(b) size=3\"\n") +
          " --dry-run");
  EXPECT_EQ(ran.status, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("my.toml:3:8: there is no operation 'gathr' to measure; did you mean 'gather'"));
  EXPECT_THAT(ran.err, HasSubstr("my.toml:4:8: 'neighbor_allgather' has no parameter 'size'"));
}

TEST_F(GuidelinesCommand, HasATableThatItReadsItself) {
  const auto printed = run("--example");
  EXPECT_EQ(printed.status, 0);
  const auto ran = run(table("built_in = false\n" + printed.out) + " --list");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, run("--list").out);
}

TEST_F(GuidelinesCommand, RefusesWhatCannotBeAskedFor) {
  EXPECT_EQ(run("--only nothing --dry-run").status, 2);
  EXPECT_EQ(run("-n 3 --nodes 2 --dry-run").status, 2);
  EXPECT_EQ(run("--sizes 0,8 --dry-run").status, 2);
  EXPECT_EQ(run("--quick --full --dry-run").status, 2);
  EXPECT_EQ(run_without_mpi("").status, 6);
}

// One pattern that names something does not hide one that names nothing.
TEST_F(GuidelinesCommand, RefusesEachNameThatNothingHas) {
  const auto ran = run("--only GL1,GL44 --dry-run");
  EXPECT_EQ(ran.status, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("'GL44' names no guideline"));
}

TEST_F(GuidelinesCommand, NamesTheOptionThatGivesThemSomethingToMeasure) {
  const auto files = run("--only rule.collective-io --dry-run"), nodes = run("--only net.backplane --dry-run");
  EXPECT_EQ(files.status, 2) << files.out;
  EXPECT_THAT(files.err, AllOf(HasSubstr("nothing to measure here"), HasSubstr("--io DIR"), Not(HasSubstr("--nodes"))));
  EXPECT_EQ(nodes.status, 2) << nodes.out;
  EXPECT_THAT(nodes.err, AllOf(HasSubstr("nothing to measure here"), HasSubstr("--nodes 2"), Not(HasSubstr("--io"))));
  EXPECT_EQ(run("--only rule.collective-io --io . --dry-run").status, 0);
  EXPECT_EQ(run("--only net.backplane --nodes 2 --dry-run").status, 0);
}

TEST_F(GuidelinesCommand, MeasuresSizesWithNothingBesideThem) {
  for (const char* only : {"sizes", "rule.size.monotony", "rule.size.split"}) {
    const auto ran = run(fmt::format("--only {} --mpi {} --dry-run", only, kFlavours.front()));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, Not(HasSubstr(" 0 measurements")));
  }
  const std::string mine =
      table("built_in = false\n[[guideline]]\nid = \"my.size\"\nkind = \"monotony\"\noperations = [\"ibcast\"]\n");
  const auto ran = run(fmt::format("{} --mpi {} --runs 1 --sizes 8,1KiB --dry-run", mine, kFlavours.front()));
  EXPECT_THAT(ran.out, HasSubstr("1 runs of")) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(": 2 measurements")) << ran.err;
}

// Of 64 ranks blocks of 1 MiB are vectors of 64 MiB.
TEST_F(GuidelinesCommand, SaysWhichSizesItLeavesOut) {
  const std::string of_many = fmt::format("--mpi {} -n 64 --dry-run", kFlavours.front());
  EXPECT_THAT(run(of_many).err, HasSubstr("blocks from 1 MiB on are left out, because those of all ranks are more"));
  EXPECT_THAT(run(of_many + " --sizes 1KiB,1MiB").err, Not(HasSubstr("left out")));
  EXPECT_THAT(run(of_many + " --quick").err, Not(HasSubstr("left out")));
}

TEST_F(GuidelinesCommand, JudgesWithoutAnMpiAndSaysWhatItDoesNotKnow) {
  MadeCampaign made = violated_campaign();
  const auto ran = run_without_mpi("--from " + written(made));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("VIOLATED: 1 of"));
  EXPECT_THAT(ran.err, HasSubstr("no MPI is installed here"));
  EXPECT_THAT(run("--from " + written(made)).err, Not(HasSubstr("no MPI is installed")));
}

TEST_F(GuidelinesCommand, ReplacesNoOutputThatItIsNotToldTo) {
  MadeCampaign made = violated_campaign();
  const std::string from = "--from " + written(made);
  ASSERT_EQ(run(from + " --csv out.csv --plots pictures").status, 1);
  const std::string csv = contents_of(directory_ / "out.csv"), samples = contents_of(directory_ / "made.h5");
  for (const char* again : {" --csv out.csv", " --plots pictures", " --csv made.h5", " --csv made.h5 --force"}) {
    const auto ran = run(from + " --ratio 5" + again);
    EXPECT_TRUE(ran.status == 2 || ran.status == 3) << again << ran.err;
    EXPECT_EQ(ran.out, "") << "before anything is judged";
  }
  EXPECT_EQ(run("--mpi none_is_asked -o new.h5 --csv new.h5").status, 2);
  EXPECT_EQ(contents_of(directory_ / "out.csv"), csv);
  EXPECT_EQ(contents_of(directory_ / "made.h5"), samples);
  EXPECT_EQ(run(from + " --csv out.csv --plots pictures --force").status, 1);
}

// The same tuning file is not written under another number, and one of a user's own is left as it is.
TEST_F(GuidelinesCommand, LeavesTuningFilesThatAreThere) {
  MadeCampaign made = violated_campaign();
  const std::string from = "--from " + written(made);
  write_file(directory_ / "made-tuning-1.conf", "mine", Overwrite::kYes);
  for (int i = 0; i < 2; ++i) EXPECT_THAT(run(from).out, HasSubstr("made-tuning-2.conf"));
  EXPECT_EQ(contents_of(directory_ / "made-tuning-1.conf"), "mine");
  EXPECT_FALSE(fs::exists(directory_ / "made-tuning-3.conf"));
  EXPECT_THAT(run(from + " --force").out, HasSubstr("made-tuning-1.conf"));
  EXPECT_THAT(contents_of(directory_ / "made-tuning-1.conf"), HasSubstr("coll/tuned"));
}

// In the order of the table the 26 guidelines that are slower by a little come first, and what is worst last.
TEST_F(GuidelinesCommand, DrawsTheWorstFirstAndSaysHowManyMore) {
  MadeCampaign made(8);
  made.add("allgather", 8, 1);
  std::string own = "built_in = false\n";
  for (int i = 0; i < 26; ++i) {
    const std::string operation = i == 25 ? "gather" : i == 24 ? "gatherv" : "scatter";
    own += fmt::format("[[guideline]]\nid = \"my.{}\"\nfast = \"{}(b)\"\nslow = \"allgather(b)\"\n", i, operation);
  }
  made.add("scatter", 8, 3);
  made.add("gather", 8, 30);
  made.add("gatherv", 8, 1.5);
  for (Cell& cell : made.campaign().cells)  // an artefact: repetitions of gatherv are as short as those of allgather
    cell.seconds[2] = cell.operation == "gatherv" ? cell.seconds[1] : cell.seconds[2];
  for (Cell& cell : made.campaign().cells)
    if (cell.operation == "gatherv") cell.seconds[0] = 1e-7;
  const auto ran = run(fmt::format("{} --from {} --plots pictures", table(own), written(made)));
  EXPECT_THAT(ran.out, HasSubstr("pictures are in pictures, of the 24 worst; and 2 more")) << ran.err;
  EXPECT_TRUE(fs::exists(directory_ / "pictures" / "01-openmpi-my.25-overview.svg"));
  EXPECT_TRUE(fs::exists(directory_ / "pictures" / "02-openmpi-my.0-overview.svg"));
  EXPECT_FALSE(fs::exists(directory_ / "pictures" / "25-openmpi-my.24-overview.svg"));
}

class GuidelinesUnder : public GuidelinesCommand, public testing::WithParamInterface<const char*> {};

// Each operation and parameter of the table is one that these ranks know.
TEST_P(GuidelinesUnder, NameOnlyWhatThereIs) {
  const Catalogue catalogue =
      ask_for_catalogue(fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam()));
  EXPECT_NO_THROW(guidelines_of("", "", &catalogue));
}

constexpr char kUnkept[] = R"toml([[guideline]]
id = "rule.allgather.alltoall"
group = "rooted collectives"
fast = "allgather(b)"
slow = "reduce_local(b)"
)toml";

// In the place of a built-in guideline, whose proposal it has, one of our own that nothing can keep: all ranks together
// are to be as fast as one by itself. What is proposed is run.
TEST_P(GuidelinesUnder, AreMeasuredJudgedAndTried) {
  const std::string only = table(kUnkept) + " --only GL1,GL4,GL9,rule.allgather.alltoall --quick";
  const auto ran =
      run(fmt::format("{} --mpi {} -n 2 --runs 8 --sizes 8,1KiB -o own.h5 --csv own.csv --try", only, GetParam()), 600);
  EXPECT_THAT(ran.err, HasSubstr("order by seed 1"));
  const Campaign campaign = read_campaign(directory_ / "own.h5");
  EXPECT_EQ(campaign.runs.size(), 8U);
  EXPECT_THAT(campaign.notes, testing::IsEmpty());
  const std::string csv = contents_of(directory_ / "own.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 1 + 2 * 2 + 2 * 5 + 2) << csv;
  const auto again = run("--from own.h5 " + only);
  EXPECT_THAT(ran.out, HasSubstr(again.out)) << "the same samples, the same verdict";
  if (ran.out.find("ranks share") != std::string::npos) GTEST_SKIP() << ran.out;
  ASSERT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Tried, each against the same operation"));
  const Campaign tried = read_campaign(directory_ / fmt::format("own-try-{}-1x2.h5", GetParam()));
  std::map<std::pair<std::string, std::string>, int> cells;
  for (const Cell& cell : tried.cells)
    ++cells[{cell.operation, cell.words.contains(kVariant) ? cell.words.at(kVariant) : ""}];
  EXPECT_THAT(cells, testing::ElementsAre(testing::Pair(testing::Pair("allgather", ""), 16),
                                          testing::Pair(testing::Pair("allgather", "proposal-1"), 16),
                                          testing::Pair(testing::Pair("reduce_local", ""), 16)));
}

TEST_P(GuidelinesUnder, RefuseASizeOnOneSideAlone) {
  EXPECT_EQ(
      run(table("[[guideline]]\nid = \"my.one\"\nfast = \"allgather(b)\"\nslow = \"barrier\"\n") + " --dry-run").status,
      3);
}

// Parameters, phases and data of these operations are not as others have them.
TEST_P(GuidelinesUnder, MeasureOperationsWithoutFreshDataAndOfSeveralPhases) {
  const std::string own = table(R"toml(built_in = false
[[guideline]]
id = "my.put"
fast = "put(b)"
slow = "round_trip(b)"
[[guideline]]
id = "my.overlap"
fast = "ibcast(b) phase=together"
slow = ["ibcast(b) phase=alone", "ibcast(b) phase=compute"]
[[guideline]]
id = "my.sizes"
kind = "monotony"
operations = ["iallreduce"]
)toml");
  const auto ran =
      run(fmt::format("{} --mpi {} -n 2 --runs 4 --sizes 8,1KiB -o own.h5 --csv own.csv", own, GetParam()));
  EXPECT_TRUE(ran.status == 0 || ran.status == 1 || ran.status == 5) << ran.out << ran.err;
  const std::string csv = contents_of(directory_ / "own.csv");
  for (const char* rule : {"my.put", "my.overlap", "my.sizes"}) EXPECT_THAT(csv, HasSubstr(fmt::format("\n{},", rule)));
  EXPECT_THAT(csv, HasSubstr("\"ibcast 8 B, together\",\"ibcast 8 B, alone + ibcast 8 B, compute\",8,4,4,"));
}

INSTANTIATE_TEST_SUITE_P(OfBoth, GuidelinesUnder, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
