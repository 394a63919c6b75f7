// What adds up in totals and rows, and how the text tells it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "fixture.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"

namespace plumbline::replay {
namespace {

using testing::HasSubstr;

class Totaling : public testing::Test {
 protected:
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  Programs programs_;
};

TEST_F(Totaling, OwnIsStackAndStructureWhateverIsExpected) {
  const std::string rank = repeated("write_at_all 0..8192 +1s\n  inner write 64B +1ms\npwrite 0..9 file /f +1s\n", 20);
  const Program program =
      programs_.parse("ranks 2\nrank 0\nopen /f collective\n" + rank + "rank 1\nopen /f collective\n" + rank);
  std::mt19937 random(1);  // the same on every machine
  const auto upto = [&](std::uint32_t most) { return milliseconds(static_cast<std::int64_t>(random() % most)); };
  for (int round = 0; round < 20; ++round) {
    Expected expected = as_observed(program);
    for (ExpectedRank& columns : expected.ranks)
      for (std::size_t i = 1; i < columns.lower.size(); ++i) {
        const Duration lower = upto(1500);
        expect(columns, i, lower, lower + upto(500), upto(100));
        if (i % 2 == 0) continue;
        columns.as_run[i] = upto(2000);
        columns.as_run_upper[i] = columns.as_run[i] + upto(1000);
        columns.ideal_io[i] = 1;
      }
    const Report report = make_report(program, expected);
    const Totals& totals = report.totals;
    EXPECT_EQ(totals.own, totals.stack + totals.structure);
    EXPECT_EQ(totals.own, totals.lost_to_stack() + totals.structure - totals.gained);
    EXPECT_GE(totals.lost_to_stack(), seconds(0));
    TimeSum rows;
    for (const Row& row : report.rows) {
      EXPECT_EQ(row.own.total, row.stack.total + row.structure);
      rows += row.own.total;
      for (const RankPart& part : row.parts) EXPECT_EQ(part.own, part.stack + part.structure);
    }
    EXPECT_EQ(totals.own, rows);
    for (const Finding& finding : report.findings) EXPECT_LE(finding.share_of_excess, 1);
  }
}

TEST_F(Totaling, TheTextTellsTheSum) {
  const Program program = programs_.parse("ranks 1\nrank 0\npwrite 0..9 file /f +5s ; pread 0..9 file /f +1s\n");
  Expected expected = as_observed(program);
  expect(expected.ranks[0], 0, seconds(2), seconds(2));
  expect(expected.ranks[0], 1, seconds(3), seconds(3));
  EXPECT_THAT(
      to_text(make_report(program, expected), {.details = true, .width = 200}),
      HasSubstr("Own excess 1 s = 3 s lost to hardware and stack + 0 s to algorithm and hints - 2 s in operations "
                "faster than expected; inherited"));
}

TEST_F(Totaling, RowsNotJudgedShowTheirTimeAndComeLast) {
  const Program program = programs_.parse("ranks 1\nrank 0\nunmodelled MPI_Put +7s\npwrite 0..9 file /f +1s\n");
  Expected expected = as_observed(program);
  expect(expected.ranks[0], 1, seconds(2), seconds(2));  // a gain
  const Report report = make_report(program, expected);
  EXPECT_EQ(report.rows.back().call, "MPI_Put");
  EXPECT_EQ(report.rows.back().not_judged, seconds(7));
  EXPECT_THAT(to_text(report, {.details = true}), testing::ContainsRegex("MPI_Put +1 +7 s +not judged"));
}

TEST_F(Totaling, OneReasonIsToldOnceForAllThatItWithholds) {
  const std::string rank = "open /f collective\n" + repeated("barrier +1s\nwrite_at_all 0..100 +1s\n", 10);
  const Program program = programs_.parse("ranks 2\nnode n ranks 0-1 cores 1\nrank 0\n" + rank + "rank 1\n" + rank);
  Expected expected = as_observed(program);
  expect_all(program, expected, "MPI_Barrier", milliseconds(1));
  expect_all(program, expected, "MPI_File_write_at_all", milliseconds(1));
  const Report report = make_report(program, expected);
  EXPECT_THAT(report.withheld, testing::SizeIs(2));
  const std::string text = to_text(report, {.details = true, .width = 200});
  const std::string reason = "ranks share cores: 2 ranks on 1 core; waiting cannot be told from being descheduled\n";
  EXPECT_EQ(count(text, "Withheld: " + reason), 1U);
  EXPECT_EQ(count(text, "* " + reason), 1U);
  EXPECT_EQ(count(text, "waiting cannot be told from being descheduled"), 4U) << "with the answer and the note";
  EXPECT_EQ(count(text, "too noisy*\n"), 2U);
}

TEST_F(Totaling, LocalCallsAreInTheTableOnlyWhereTwoRunsDiffer) {
  const auto run = [&](const std::string& time) {
    return programs_.parse("ranks 1\nrank 0\npwrite 0..9 file /f +1s\n" +
                           repeated("local MPI_Pack +" + time + "\n", 10));
  };
  const Program slow = run("2s"), fast = run("1s");
  EXPECT_THAT(to_text(make_report(fast, fast), {.details = true}), testing::Not(HasSubstr("MPI_Pack")));
  const Report report = make_report(slow, fast);
  EXPECT_THAT(to_text(report, {.details = true}), testing::ContainsRegex("MPI_Pack .*slower"));
  ASSERT_THAT(report.findings, testing::SizeIs(1));
  EXPECT_EQ(report.findings[0].component, "the library's local calls");
}

TEST_F(Totaling, TheHeadCountsTheRowsThatTheTableShows) {
  const Program program = programs_.parse("ranks 1\nrank 0\nlocal MPI_Comm_rank +1ms\n" +
                                          repeated("pwrite 0..9 file /f +1s\n", 19) + "pwrite 0..9 file /f +9s\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  EXPECT_THAT(to_text(make_report(program, expected), {.details = true}),
              testing::AllOf(HasSubstr("in 1 of 1 row a relevant"), HasSubstr("(1 row, by own excess")));
}

TEST_F(Totaling, AReasonIsNotCutHoweverLongTheFileName) {
  const std::string file = "/scratch/" + std::string(100, 'x');
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..9 file " + file + " +1s\n", 19) +
                                          "pwrite 0..9 file " + file + " +9s\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  EXPECT_THAT(to_text(make_report(program, expected), {.details = true}),
              HasSubstr("xx; 1 of 20 operations beyond the band; 1 of 20 operations carries 90 % of it\n"));
}

TEST_F(Totaling, FewSamplesAreSaidToBeTooFewForATest) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..9 file /f +5s\n", 2));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report report = make_report(program, expected);
  ASSERT_THAT(report.withheld, testing::SizeIs(1));
  EXPECT_EQ(report.withheld[0].basis, "2 samples, too few for a test, all far beyond the platform's error bar");
  EXPECT_EQ(report.withheld[0].confidence, Confidence::kLow);
  EXPECT_THAT(to_text(report, {.details = true}), HasSubstr("; rank 0;"));
}

}  // namespace
}  // namespace plumbline::replay
