// The report of a validation with the timeline of one of its runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare_world.hpp"
#include "opened_world.hpp"
#include "tests/replay/validate/sample.hpp"
#include "viewer/report/compare_html.hpp"
#include "viewer/report/html_report.hpp"
#include "viewer/web/page_data.hpp"

namespace plumbline::viewer {
namespace {

using testing::HasSubstr;

TEST(WithTimeline, KeepsTheTextOfTheReportAndWaitsForAButton) {
  if (page_gzip().empty()) GTEST_SKIP() << "the page of the viewer is not built";
  const auto opened = opened_pair();
  const std::string report = html_report(replay::validate::sample_validation());
  const std::string page = with_timeline(report, *opened, "strided/<b>\"mpich", {.page = page_gzip()});
  EXPECT_LE(page.size(), 5'000'000U);
  const std::vector<std::string> body = all_between(report, "<body>", "</body>");
  ASSERT_EQ(body.size(), 1U);
  EXPECT_THAT(page, HasSubstr(body.front()));
  EXPECT_THAT(page,
              HasSubstr("id=\"plumbline-data\" data-later=\"Show the timeline of strided/&lt;b&gt;&quot;mpich\">"));
  const std::vector<std::string> data = all_between(page, "&quot;mpich\">", "</script>");
  ASSERT_EQ(data.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(data.front())["format"], "plumbline-inlined");
}

TEST(WithTimeline, ShowsARecordingThatNothingIsHeldAgainst) {
  if (page_gzip().empty()) GTEST_SKIP() << "the page of the viewer is not built";
  const auto opened = opened_alone();
  ASSERT_TRUE(opened->report.is_null());
  const std::string page = with_timeline(html_report(replay::validate::sample_validation()), *opened,
                                         "messages/openmpi", {.page = page_gzip()});
  EXPECT_THAT(page, HasSubstr("data-later=\"Show the timeline of messages/openmpi\">"));
}

TEST(WithTimeline, LeavesTheReportAsItIsWithoutThePageOrRoom) {
  const auto opened = opened_pair();
  const std::string report = html_report(replay::validate::sample_validation());
  EXPECT_EQ(with_timeline(report, *opened, "strided/mpich"), report);
  EXPECT_EQ(with_timeline(report, *opened, "strided/mpich", {.page = page_gzip(), .most_bytes = 1000}), report);
}

}  // namespace
}  // namespace plumbline::viewer
