#include "viewer/report/compare_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "base/units.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_paint.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/report/html.hpp"

namespace plumbline::viewer {
namespace {

using replay::Evidence;
using replay::Finding;

std::string value_text(const Evidence& evidence) {
  if (evidence.unit == "s") return format(time_sum_from_seconds(evidence.value));
  if (evidence.unit == "B") return format(Bytes{static_cast<std::uint64_t>(evidence.value)});
  if (evidence.unit == "B/s") return format(BytesPerSecond{static_cast<std::uint64_t>(evidence.value)});
  return fmt::format("{:.4g}", evidence.value);
}

// "0-3,7" of 5; of very many the first ones.
std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kMost = 200;  // characters
  std::string text = rank_list(ranks);
  if (text.size() > kMost) text = text.substr(0, text.rfind(',', kMost)) + ", ..";
  return fmt::format("{} ({})", text, ranks.size());
}

std::string fact(std::string_view name, std::string_view text) {
  return text.empty() ? "" : element("dt", name) + element("dd", text) + "\n";
}

std::string facts(const Finding& finding) {
  std::string text = fact("component", finding.component);
  text +=
      fact("call", finding.call.empty() || finding.site.empty() ? finding.call : finding.call + " at " + finding.site);
  if (finding.operations > 0) text += fact("operations", fmt::format("{}", finding.operations));
  if (!finding.ranks.empty()) text += fact("ranks", ranks_text(finding.ranks));
  if (!finding.instances.empty()) {
    const replay::Instance& worst = finding.instances.front();
    text += fact("worst operation", fmt::format("number {} of rank {}", worst.operation, worst.rank));
  }
  return text.empty() ? "" : wrap("dl", "\n" + text) + "\n";
}

std::string evidence(const Finding& finding) {
  Table table({text_cell("evidence"), number_cell("value")});
  for (const Evidence& each : finding.evidence) {
    std::string name = each.name;
    std::ranges::replace(name, '_', ' ');
    table.add({text_cell(name), number_cell(value_text(each))});
  }
  return table.markup();
}

std::string advice(const Finding& finding) {
  std::string text;
  for (const std::string& each : finding.advice) text += element("li", each) + "\n";
  return text.empty() ? "" : "<h4>Advice</h4>\n" + wrap("ul", "\n" + text) + "\n";
}

std::string cost_bar(const Finding& finding) {
  const double share = std::clamp(finding.share, 0.0, 1.0);
  return fmt::format(
      "<svg class=\"cost\" role=\"img\" aria-label=\"{} of the run\"><rect class=\"track\" width=\"100%\" "
      "height=\"100%\"/><rect class=\"stack\" width=\"{:.2f}%\" height=\"100%\"/></svg>",
      escaped(replay::percent(share)), 100 * share);
}

std::string card(const Finding& finding, std::size_t number) {
  std::string stands_on = fmt::format("By {}, confidence {}", word(finding.reference), word(finding.confidence));
  stands_on += finding.basis.empty() ? "." : ": " + finding.basis + ".";
  return fmt::format(
      "<article class=\"card\" id=\"finding-{0}\">\n<h3><span class=\"sign\">{0}</span> {1}</h3>\n"
      "<p class=\"price\">{2}</p>{3}\n<p>{4}</p>\n{5}{6}{7}</article>\n",
      number, escaped(finding.title), escaped(replay::cost_text(finding)), cost_bar(finding), escaped(stands_on),
      facts(finding), evidence(finding), advice(finding));
}

}  // namespace

std::string comparison_cards(const replay::Report& report) {
  std::string text;
  std::size_t number = 0;
  for (const Finding& finding : report.findings) text += card(finding, ++number);
  return text;
}

std::string comparison_withheld(const replay::Report& report) {
  Table table({text_cell("what looks slower"), text_cell("cost"), text_cell("why it is not stated")});
  for (const Finding& finding : report.withheld)
    table.add({text_cell(finding.title), text_cell(replay::cost_text(finding)), text_cell(finding.withheld)});
  return table.markup();
}

}  // namespace plumbline::viewer
