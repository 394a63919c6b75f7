// `plumbline bench guidelines` as a user runs it: on campaigns whose truth is known, and a small one under each MPI.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/output.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/rules/table.hpp"
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
  EXPECT_THAT(csv, HasSubstr("rule.gather.allgather,,\"rooted collectives\",openmpi,1,2,"));
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
  EXPECT_EQ(
      run_command(fmt::format("PLUMBLINE_RANKS_DIR={} {} bench guidelines", directory_.path().string(), PLUMBLINE),
                  directory_.path().string(), 60)
          .status,
      6);
}

class GuidelinesUnder : public GuidelinesCommand, public testing::WithParamInterface<const char*> {};

// Each operation and parameter of the table is one that these ranks know.
TEST_P(GuidelinesUnder, NameOnlyWhatThereIs) {
  const Catalogue catalogue =
      ask_for_catalogue(fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam()));
  EXPECT_NO_THROW(guidelines_of("", "", &catalogue));
}

// A guideline of our own that nothing can keep: 64 KiB are to be as fast as 8 B. What is proposed is run.
TEST_P(GuidelinesUnder, AreMeasuredJudgedAndTried) {
  const std::string own = table(R"toml([[guideline]]
id = "my.unkept"
fast = "allgather(b)"
slow = "barrier"
)toml");
  EXPECT_EQ(run(own + " --dry-run").status, 3) << "a size on one side alone";
  const auto ran = run(
      fmt::format("--mpi {} -n 2 --runs 4 --sizes 8,1KiB --only GL1,GL4,GL9,rule.allgather.alltoall --quick -o own.h5 "
                  "--csv own.csv --try",
                  GetParam()));
  ASSERT_TRUE(ran.status == 0 || ran.status == 1 || ran.status == 5) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("order by seed 1"));
  const Campaign campaign = read_campaign(directory_ / "own.h5");
  EXPECT_EQ(campaign.runs.size(), 4U);
  EXPECT_THAT(campaign.notes, testing::IsEmpty());
  const std::string csv = contents_of(directory_ / "own.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 1 + 2 * 2 + 2 * 5 + 2) << csv;
  const auto again = run(fmt::format("--from own.h5 --only GL1,GL4,GL9,rule.allgather.alltoall --quick"));
  EXPECT_THAT(ran.out, HasSubstr(again.out)) << "the same samples, the same verdict";
}

INSTANTIATE_TEST_SUITE_P(OfBoth, GuidelinesUnder, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
