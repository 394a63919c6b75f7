// The answer in ten lines, and how much of the run it is about.
#include "replay/report/text_summary.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/report.hpp"
#include "schema_check.hpp"

namespace plumbline::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Answer : public testing::Test {
 protected:
  static Finding finding(const std::string& title, Duration cost) {
    Finding one;
    one.title = title;
    one.cost = cost;
    one.share = cost.seconds() / 10;
    one.confidence = Confidence::kCertain;
    one.advice = {"set the hint", "or another one"};
    return one;
  }

  // 10 s on 2 ranks: 6 s in calls that are judged, 2 s in others, 4 s for start-up.
  static Report report(std::vector<Finding> findings) {
    Report made;
    made.totals.ranks = 2;
    made.totals.run = seconds(10);
    made.totals.judged = seconds(6);
    made.totals.not_judged = seconds(2);
    made.totals.set_up = seconds(4);
    made.totals.compute = seconds(8);
    made.totals.operations = 15;
    made.totals.judged_operations = 8;
    made.totals.set_up_operations = 4;
    made.findings = std::move(findings);
    return made;
  }

  Programs programs_;
};

TEST_F(Answer, NamesWhatAVerdictThatIsNoneHangsOn) {
  const Program program = programs_.parse("ranks 1\nrank 0\npwrite 0..100 file /f +9s site \"save (a.c:3)\"\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  EXPECT_THAT(summary_lines(make_report(program, expected), {}),
              testing::Contains(HasSubstr("Unclear above all: pwrite at save (a.c:3), 8 s beyond what is expected")));
}

TEST_F(Answer, HasTheVerdictEachFindingWithItsCostAndAdviceTheShareJudgedAndWhereTheRestIs) {
  TextOptions options;
  options.elsewhere = "Full report: r.json";
  EXPECT_THAT(summary_lines(report({finding("a write was split", milliseconds(2500))}), options),
              ElementsAre("1 finding: it costs 2.5 s of 10 s (25.0 %).", " 1. a write was split",
                          "    costs the busiest rank 2.5 s (25.0 % of the run); confidence certain",
                          "    advice: set the hint",
                          "Judged: 75.0 % of the time in calls (not judged: 2 s in 3 operations); besides, 2 s a rank "
                          "for start-up,",
                          "  shutdown and creation of handles", "Full report: r.json"));
}

TEST_F(Answer, KeepsToTenLinesAndCountsWhatDoesNotFit) {
  for (std::size_t findings = 1; findings <= 12; ++findings) {
    std::vector<Finding> all;
    for (std::size_t i = 0; i < findings; ++i)
      all.push_back(finding(fmt::format("finding {} with a title of {}", i, std::string(100, 'x')), seconds(1)));
    Report made = report(all);
    made.withheld = {all.front()};
    made.withheld.front().withheld = "ranks share cores";
    TextOptions options;
    options.elsewhere = "Full report: r.json";
    const std::vector<std::string> lines = summary_lines(made, options);
    EXPECT_LE(lines.size(), kSummaryLines) << findings;
    const auto shown =
        std::ranges::count_if(lines, [](const std::string& line) { return line.find("advice") != std::string::npos; });
    EXPECT_GE(shown, 1);
    if (static_cast<std::size_t>(shown) < findings) {
      EXPECT_THAT(
          lines,
          testing::Contains(HasSubstr(fmt::format("and {} more finding", findings - static_cast<std::size_t>(shown)))));
    }
  }
}

TEST_F(Answer, DoesNotHideThatRecordsWereLost) {
  Report made = report({});
  made.facts.lost_records = 3;
  EXPECT_THAT(to_text(made), HasSubstr("The tracer lost 3 records"));
}

TEST_F(Answer, IsAllThatIsPrintedUnlessDetailsAreAskedFor) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..52000000 file /s/a +2s\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report made = make_report(program, expected);
  EXPECT_THAT(to_text(made), Not(HasSubstr("Where the time went")));
  EXPECT_THAT(to_text(made, {.details = true}),
              testing::AllOf(testing::StartsWith(to_text(made)), HasSubstr("Where the time went")));
}

// Of 1 s in calls that could be understood, all is; 9 s of start-up, shutdown and creation say nothing of that.
TEST_F(Answer, SetUpIsOneLineAndNoPartOfWhatIsNotJudged) {
  const Program program = programs_.parse(
      "ranks 1\nwindow 0 = comm 0 create\nrank 0\ncomm_create MPI_Init +4s not-judged \"start-up and "
      "shutdown\"\ncomm_create MPI_Comm_dup +2s\n"
      "win_create 0 +1s\nopen /f collective +1s not-judged \"opens a file\"\npwrite 0..9 file /g +1s\n"
      "unmodelled MPI_Finalize +1s\n");
  const Report made = make_report(program, as_observed(program));
  EXPECT_EQ(judged_share(made), 1.0);
  EXPECT_EQ(made.totals.set_up, seconds(9));
  EXPECT_EQ(made.totals.not_judged, Duration{});
  EXPECT_EQ(made.totals.set_up_operations, 5U);
  const std::string text = to_text(made, {.details = true, .width = 200});
  EXPECT_THAT(text, HasSubstr("Judged: 100 % of the time in calls; besides, 9 s a rank for start-up"));
  EXPECT_THAT(text, HasSubstr("Not judged\n  - start-up, shutdown and creation of communicators, windows and file "
                              "handles: 5 operations, 9 s\n"));
  EXPECT_EQ(schema_faults(nlohmann::json::parse(json_text(made)), PLUMBLINE_REPORT_SCHEMA), "");
}

TEST_F(Answer, WhatIsNotModelledLowersTheShareThatIsJudged) {
  const Program program =
      programs_.parse("ranks 1\nrank 0\ncomm_create MPI_Init +4s\npwrite 0..9 file /g +3s\nunmodelled MPI_Put +1s\n");
  EXPECT_EQ(judged_share(make_report(program, as_observed(program))), 0.75);
}

}  // namespace
}  // namespace plumbline::replay
