// What is read of the file of a comparison without scripts.

#include "viewer/report/compare_html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "compare_world.hpp"
#include "opened_world.hpp"
#include "viewer/report/compare_static.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><b>'\"& --> ]]> </style>\xff\x01";
constexpr const char* kEscaped = "&lt;/script&gt;&lt;b&gt;&#39;&quot;&amp; --&gt; ]]&gt; &lt;/style&gt;";

void expect_well_formed(const std::string& page) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(page.c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
}

TEST(CompareHtml, TellsVerdictFactsAndEveryFindingWithoutScripts) {
  const auto opened = opened_pair();
  const replay::Report report = report_of(*opened);
  ASSERT_FALSE(report.findings.empty());
  const std::string page = compare_html(*opened, report);
  expect_well_formed(page);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr(verdict_sentence(report)));
  for (const replay::Finding& finding : report.findings) {
    EXPECT_THAT(page, HasSubstr(finding.title));
    for (const std::string& advice : finding.advice) EXPECT_THAT(page, HasSubstr(advice));
  }
  for (const char* part : {"MPICH 4.0.2", "0123456789abcdef", "Plumbline 0.1.0", "of the time in calls judged",
                           "aria-label=\"Where the time of the run went\"", "class=\"bracket\"", "alpha (2 ranks)"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(CompareHtml, SaysThatTheTimelineIsLeftOutWhereThereIsNoPage) {
  const auto opened = opened_pair();
  EXPECT_THAT(compare_html(*opened, report_of(*opened)), HasSubstr("was built without the page of its viewer"));
}

TEST(CompareHtml, TellsAComparisonWithoutFindingsToo) {
  const auto opened = opened_pair();
  replay::Report report = report_of(*opened);
  report.findings.clear();
  report.rows.clear();
  const std::string page = compare_html(*opened, report);
  expect_well_formed(page);
  EXPECT_THAT(page, HasSubstr("As expected"));
}

TEST(CompareHtml, EscapesWhateverNamesHold) {
  const auto opened = opened_pair();
  replay::Report report = report_of(*opened);
  replay::RunFacts& facts = report.facts;
  facts.program = facts.library = facts.platform = facts.observed = facts.reference = facts.creator = kHostile;
  report.notes = facts.lacks = {kHostile};
  for (replay::NodeFact& node : facts.nodes) node.name = kHostile;
  for (replay::Row& row : report.rows) row.call = row.site = row.file = row.reason = kHostile;
  replay::Finding& first = report.findings.front();
  first.title = first.component = first.basis = first.call = first.site = kHostile;
  first.advice = {kHostile};
  first.evidence = {{kHostile, 1, kHostile}};
  report.withheld = {first};
  const std::string page = compare_html(*opened, report);
  expect_well_formed(page);
  EXPECT_THAT(page, HasSubstr(kEscaped));
  EXPECT_THAT(page, Not(HasSubstr("<b>'")));
  EXPECT_THAT(page, Not(HasSubstr("</script")));
}

TEST(CompareHtml, AllowsItsStyleAndNothingElseWithoutThePage) {
  const auto opened = opened_pair();
  const std::string page = compare_html(*opened, report_of(*opened));
  const std::vector<std::string> styles = all_between(page, "<style>", "</style>");
  ASSERT_EQ(styles.size(), 1U);
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src '" + policy_hash(styles[0]) + "'; base-uri"));
  EXPECT_THAT(page, Not(HasSubstr("style=\"")));
}

}  // namespace
}  // namespace plumbline::viewer
