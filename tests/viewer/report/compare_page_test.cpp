// What the page finds in the file of a comparison.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compare_world.hpp"
#include "decoded_strips.hpp"
#include "opened_world.hpp"
#include "viewer/report/compare_html.hpp"
#include "viewer/report/compare_static.hpp"
#include "viewer/server/api.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/encoding/sha256.hpp"
#include "viewer/web/page_data.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// The page where it was built, and else one that has the same places.
std::string page_to_fill() {
  static const std::string embedded(reinterpret_cast<const char*>(page_gzip().data()), page_gzip().size());
  if (!embedded.empty()) return embedded;
  return gzip(
      "<html><head><meta http-equiv=\"Content-Security-Policy\" content=\"none\"><title>t</title><style>b{}</style>"
      "</head><body><div id=\"page\"><noscript>n</noscript><!--plumbline-static--></div><!--plumbline-data-->"
      "<script>1</script></body></html>",
      9);
}

std::string html_of(Opened& opened, const replay::Report& report, std::size_t most = 5'000'000) {
  const std::string page = page_to_fill();
  return compare_html(opened, report, {.page = std::as_bytes(std::span<const char>(page)), .most_bytes = most});
}

// RFC 4648.
std::string from_base64(const std::string& text) {
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8));
  }
  return bytes;
}

std::vector<std::string> batches_of(const Json& data) {
  std::vector<std::string> batches;
  for (const Json& each : data["strips"])
    batches.push_back(gunzip(from_base64(each.get<std::string>()), 1 << 28).value_or(""));
  return batches;
}

TEST(ComparePage, HoldsTheReadableHalfAndIsReplacedByTheTimeline) {
  const auto opened = opened_pair();
  const replay::Report report = report_of(*opened);
  const std::string page = html_of(*opened, report);
  const std::size_t begin = page.find("<div id=\"page\">"), at = page.find("<main>"),
                    data = page.find("plumbline-data");
  EXPECT_LT(begin, at);
  EXPECT_LT(at, data);
  EXPECT_THAT(page, HasSubstr("<title>" + comparison_title(report) + "</title>"));
  EXPECT_THAT(page, HasSubstr(report.findings.front().title));
  EXPECT_THAT(page, Not(HasSubstr("<!--plumbline-")));
}

TEST(ComparePage, MayRunWhatStandsInItAndReachNothing) {
  const auto opened = opened_pair();
  const std::string page = html_of(*opened, report_of(*opened));
  const std::vector<std::string> policies =
      all_between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\">");
  ASSERT_EQ(policies.size(), 1U);
  const std::size_t behind_data = page.find("</script>", page.find("id=\"plumbline-data\""));
  const std::vector<std::string> scripts = all_between(page.substr(behind_data + 1), "<script>", "</script>");
  ASSERT_GE(scripts.size(), 1U);
  const std::vector<std::string> styles = all_between(page.substr(0, behind_data), "<style>", "</style>");
  ASSERT_EQ(styles.size(), 2U);
  EXPECT_EQ(policies.front(), "default-src 'none'; script-src '" + policy_hash(scripts.front()) + "'; style-src '" +
                                  policy_hash(styles[0]) + "' '" + policy_hash(styles[1]) +
                                  "'; img-src data: blob:; base-uri 'none'; form-action 'none'");
}

TEST(ComparePage, ItsDataIsWhatTheServerAnswers) {
  const auto opened = opened_pair();
  const Json data = data_of(html_of(*opened, report_of(*opened)));
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["format"], "plumbline-inlined");
  EXPECT_EQ(data["version"], 1);
  const auto answer = [&](const std::string& path) {
    return Json::parse(handle(*opened, {.method = "GET", .target = "/api/v1/" + path}).body);
  };
  for (const char* path : {"report", "lanes", "aggregate/waterfall", "phases"})
    EXPECT_EQ(data["answers"][path], answer(path)) << path;
  EXPECT_EQ(data["answers"]["meta"]["base_ps"], answer("meta")["base_ps"]);
  const Json worst = opened->report["findings"][0]["instances"][0];
  const std::string name = worst["rank"].dump() + "/" + worst["operation"].dump();
  EXPECT_EQ(data["answers"]["operation/" + name], answer("operation/" + name));
  EXPECT_EQ(data["answers"]["causes/" + name], answer("causes/" + name));
  EXPECT_EQ(data["operations"][0]["rank"], worst["rank"]);
  std::set<std::pair<int, int>> listed;
  for (const Json& each : data["operations"]) EXPECT_TRUE(listed.emplace(each["rank"], each["operation"]).second);
}

TEST(ComparePage, ItsStripsAreThoseOfTheServer) {
  const auto opened = opened_pair();
  const Json data = data_of(html_of(*opened, report_of(*opened)));
  std::map<std::pair<unsigned, unsigned>, std::size_t> strips;  // by source and level
  for (const std::string& batch : batches_of(data)) {
    const DecodedBatch in_file = decoded(batch);
    EXPECT_EQ(in_file.key, 0x0123456789abcdefULL);
    for (const DecodedStrip& strip : in_file.strips) {
      ++strips[{in_file.source, in_file.level}];
      const std::string x = std::to_string(strip.x);
      const Response response =
          handle(*opened,
                 {.method = "GET",
                  .target = "/api/v1/strips?k=0123456789abcdef&s=" + std::string(in_file.source == 0 ? "obs" : "free") +
                            "&l=" + std::to_string(in_file.level) + "&x=" + x + ".." + x +
                            "&r=" + std::to_string(strip.lane)});
      ASSERT_EQ(response.status, 200U);
      const DecodedBatch served = decoded(response.body);
      ASSERT_EQ(served.strips.size(), 1U);
      EXPECT_EQ(served.strips[0].kind, strip.kind);
      EXPECT_EQ(served.strips[0].own, strip.own);
      EXPECT_EQ(served.strips[0].boxes.size(), strip.boxes.size());
    }
  }
  for (const unsigned source : {0U, 1U})
    for (unsigned level = 0; level < 7; ++level)
      EXPECT_EQ((strips[{source, level}]), std::size_t{4} << level) << "source " << source << ", level " << level;
}

TEST(ComparePage, EscapesTheEndOfItsElementInData) {
  const auto opened = opened_pair();
  const std::string hostile = "</script><b>'\"<!-- \\u003c";
  opened->report["findings"][0]["title"] = hostile;
  opened->runs.observed_name = hostile;
  const std::string page = html_of(*opened, report_of(*opened));
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  const Json data = data_of(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["answers"]["report"]["findings"][0]["title"], hostile);
  EXPECT_EQ(data["answers"]["meta"]["observed"], hostile);
}

TEST(ComparePage, FoldsManyRanksAndStaysWithinItsSize) {
  const auto opened = opened_many(300, 200);
  const replay::Report report = report_of(*opened);
  const std::string page = html_of(*opened, report);
  EXPECT_LE(page.size(), 5'000'000U);
  EXPECT_GT(page.size(), 500'000U);
  const Json data = data_of(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_LE(data["answers"]["lanes"]["lanes"].size(), 256U);
  EXPECT_TRUE(
      std::ranges::any_of(data["answers"]["lanes"]["lanes"], [](const Json& l) { return l["kind"] == "fold"; }));
  std::set<std::uint32_t> lanes;
  for (const std::string& batch : batches_of(data)) {
    const DecodedBatch in_file = decoded(batch);
    if (in_file.level == 0)
      for (const DecodedStrip& strip : in_file.strips) lanes.insert(strip.lane);
  }
  for (const Json& lane : data["answers"]["lanes"]["lanes"]) EXPECT_TRUE(lanes.contains(lane["lane"])) << lane;
}

TEST(ComparePage, SaysWhatWasLeftOutOfASmallFile) {
  const auto opened = opened_many(40, 200);
  const replay::Report report = report_of(*opened);
  const std::size_t readable = html_of(*opened, report, 0).size();
  EXPECT_THAT(html_of(*opened, report, 0), HasSubstr("the timeline is left out"));
  const std::size_t page_size = gunzip(page_to_fill(), 1 << 26)->size(), most = readable + page_size + 600'000;
  const std::string page = html_of(*opened, report, most);
  EXPECT_LE(page.size(), most);
  EXPECT_THAT(page, HasSubstr("Not the whole recording: the timeline has columns of "));
  const Json data = data_of(page);
  ASSERT_TRUE(data.is_object());
  EXPECT_FALSE(data["strips"].empty());
  EXPECT_THAT(data["answers"]["meta"]["notes"].dump(), HasSubstr("this file is not the whole recording"));
}

TEST(ComparePage, AroundTheWorstOperationsEveryOperationIsThere) {
  const auto opened = opened_many(8, 3000);
  const replay::Report report = report_of(*opened);
  ASSERT_FALSE(report.findings.empty());
  const Json data = data_of(html_of(*opened, report));
  ASSERT_TRUE(data.is_object());
  std::set<std::pair<std::uint32_t, std::uint32_t>> boxes;
  for (const std::string& batch : batches_of(data)) {
    const DecodedBatch in_file = decoded(batch);
    if (in_file.source != 0) continue;
    for (const DecodedStrip& strip : in_file.strips)
      for (const DecodedBox& box : strip.boxes) boxes.emplace(box.rank, box.operation);
  }
  for (const replay::Finding& finding : report.findings)
    for (const replay::Instance& each : finding.instances)
      EXPECT_TRUE(boxes.contains({each.rank, each.operation})) << each.rank << "/" << each.operation;
}

}  // namespace
}  // namespace plumbline::viewer
