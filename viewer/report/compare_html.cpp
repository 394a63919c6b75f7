#include "viewer/report/compare_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "viewer/report/answers.hpp"
#include "viewer/report/compare_static.hpp"
#include "viewer/report/html.hpp"
#include "viewer/report/inlined.hpp"
#include "viewer/report/page_parts.hpp"
#include "viewer/server/encoding/gzip.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::size_t kAround = 8192;  // bytes, of what is said of the file and of what joins the parts

ComparisonFacts facts_of(Opened& opened) {
  const nlohmann::ordered_json meta = answer_of(opened, "meta");
  return {opened.key, opened.version, meta.value("band_share", 0.0)};
}

PageParts readable(const replay::Report& report, const ComparisonFacts& facts,
                   const std::vector<std::string>& about_file) {
  return {.title = comparison_title(report),
          .style = comparison_style(),
          .markup = comparison_markup(report, facts, about_file),
          .data = {}};
}

std::string page_of(const CompareHtml& options) {
  const std::string_view compressed(reinterpret_cast<const char*>(options.page.data()), options.page.size());
  const std::optional<std::string> page = gunzip(compressed, kMostPageBytes);
  PLUMBLINE_CHECK(page.has_value(), "the page of the viewer is no gzip");
  return *page;
}

// Bytes, for data.
std::size_t room_in(const std::string& page, const PageParts& parts, const CompareHtml& options) {
  const std::size_t around = page.size() + parts.markup.size() + parts.style.size() + kAround;
  return options.most_bytes - std::min(around, options.most_bytes);
}

std::vector<std::string> sentences(const Inlined& data) {
  std::vector<std::string> sentences;
  for (const std::string& each : data.left_out) sentences.push_back("Not the whole recording: " + each + ".");
  return sentences;
}

// What html_report() wrote between two tags that are there once.
std::string part_of(const std::string& report, std::string_view before, std::string_view after) {
  const std::size_t at = report.find(before), end = report.find(after);
  PLUMBLINE_CHECK(at != report.npos && end != report.npos && at < end, "a report has a title, a style and a body");
  return report.substr(at + before.size(), end - at - before.size());
}

// What a reader of the file can do to see the rest.
std::string command(const replay::Report& report) {
  return "plumbline view " + report.facts.observed + " " + report.facts.reference;
}

}  // namespace

std::string compare_html(Opened& opened, const replay::Report& report, const CompareHtml& options) {
  const ComparisonFacts facts = facts_of(opened);
  if (options.page.empty())
    return plain_page(readable(report, facts,
                               {"The timeline is left out: this plumbline was built without the page of its viewer."}));
  const std::string page = page_of(options);
  PageParts parts = readable(report, facts, {});
  Inlined data = inlined_data(opened, room_in(page, parts, options));
  std::vector<std::string> about_file = sentences(data);
  about_file.push_back("All of it is shown by: " + command(report));
  parts = readable(report, facts, about_file);
  if (data.json.empty()) return plain_page(parts);
  parts.data = std::move(data.json);
  return filled_page(page, parts);
}

std::string with_timeline(const std::string& report, Opened& opened, const std::string& run,
                          const CompareHtml& options) {
  if (options.page.empty()) return report;
  const std::string page = page_of(options);
  PageParts parts{.title = part_of(report, "<title>", "</title>"),
                  .style = part_of(report, "<style>", "</style>"),
                  .markup = part_of(report, "<body>", "</body>"),
                  .data = {},
                  .later = escaped("Show the timeline of " + run)};
  Inlined data = inlined_data(opened, room_in(page, parts, options));
  if (data.json.empty()) return report;
  std::string about = fmt::format("This file has the timeline of {}.", run);
  for (const std::string& each : sentences(data)) about += " " + each;
  parts.markup += element("p", about, "class=\"legend\"") + "\n";
  parts.data = std::move(data.json);
  return filled_page(page, parts);
}

}  // namespace plumbline::viewer
