#include "viewer/report/compare_static.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_failures.hpp"
#include "viewer/report/compare_findings.hpp"
#include "viewer/report/html.hpp"
#include "viewer/report/style.hpp"
#include "viewer/report/tables.hpp"
#include "viewer/report/waterfall.hpp"
#include "viewer/report/worst_rows.hpp"

namespace plumbline::viewer {
namespace {

using replay::Report;

constexpr std::size_t kComponentsTold = 20, kMostFailures = 20, kMostNodes = 64;

bool is_against_expected(const Report& report) { return report.reference == replay::ReferenceRun::kExpected; }

struct Tone {
  std::string_view style, sign;
};

Tone tone(const Report& report) {
  const ExitCode code = exit_code(report);
  if (code == ExitCode::kAsExpected) return {"is-good", "✓ "};
  return code == ExitCode::kTooNoisy ? Tone{"is-warn", "? "} : Tone{"is-bad", "✗ "};
}

// How much is judged, and what a difference has to exceed to mean something.
std::string badges(const Report& report, const ComparisonFacts& facts) {
  const double judged = judged_share(report);
  std::string text = element("span", fmt::format("{} of the time in calls judged", replay::percent(judged)),
                             judged < 0.5 ? "class=\"badge bad\"" : "class=\"badge\"");
  if (is_against_expected(report))
    text +=
        " " + element("span", fmt::format("parameters of the platform spread by {}", replay::percent(facts.band_share)),
                      "class=\"badge\"");
  if (is_incomplete(report)) text += " " + element("span", "incomplete recording", "class=\"badge bad\"");
  return wrap("p", text) + "\n";
}

std::string head(const Report& report, const ComparisonFacts& facts) {
  const Tone how = tone(report);
  std::string text = "<p class=\"brand\">Plumbline comparison</p>\n";
  text += wrap("h1", fmt::format("<span aria-hidden=\"true\">{}</span>", how.sign) + escaped(verdict_sentence(report)));
  text += "\n" + badges(report, facts);
  text += element("p", fmt::format("{} of {} on {}: {} observed, {} {}.", report.facts.observed,
                                   replay::plural(report.facts.ranks, "rank"),
                                   replay::plural(report.facts.nodes.size(), "node"), format(report.totals.run),
                                   format(report.totals.reference_run),
                                   is_against_expected(report) ? "expected" : "in the reference")) +
          "\n";
  return wrap("div", "\n" + text, fmt::format("class=\"verdict {}\"", how.style)) + "\n";
}

std::string node_names(const Report& report) {
  std::vector<std::string> names;
  for (const replay::NodeFact& node : report.facts.nodes)
    if (names.size() < kMostNodes)
      names.push_back(fmt::format("{} ({})", node.name, replay::plural(node.ranks, "rank")));
  if (names.size() < report.facts.nodes.size()) names.emplace_back("..");
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string run_facts(const Report& report, const ComparisonFacts& facts) {
  const replay::RunFacts& run = report.facts;
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += element("dt", name) + element("dd", value) + "\n";
  };
  add("program", run.program);
  add("library", run.library);
  add("platform", run.platform);
  add("schedules", run.schedules);
  add("observed", run.observed);
  add(is_against_expected(report) ? "expected" : "reference", run.reference);
  add("program of the reference", run.reference_program);
  add("library of the reference", run.reference_library);
  add("nodes", node_names(report));
  add("recorded by", run.creator);
  add("the recording lacks", fmt::format("{}", fmt::join(run.lacks, "; ")));
  if (run.lost_records > 0) add("lost by the tracer", replay::plural(run.lost_records, "record"));
  add("hash of what was compared", facts.key);
  add("compared by", facts.version.empty() ? "" : "Plumbline " + facts.version);
  return wrap("dl", "\n" + text) + "\n";
}

std::string waterfall_part(const Report& report) {
  if (!is_against_expected(report)) return {};
  const replay::Totals* const totals[]{&report.totals};
  const std::string figure =
      waterfall_figure(waterfall_of(totals), {.title = "Where the time of the run went", .all = "all ranks"});
  if (figure.empty()) return {};
  return "<p>Time of all ranks; each part begins where the last one ended.</p>\n" + figure;
}

std::string component_table(const Report& report) {
  Table table({text_cell("component"), text_cell("kind"), number_cell("busy"), number_cell("of the expected run")});
  for (const replay::ComponentTotals& each : report.components) {
    if (each.busy.ps <= 0) break;
    table.add({text_cell(each.name), text_cell(each.kind), number_cell(format(each.busy)),
               number_cell(replay::percent(busy_share(report, each)))});
    if (&each - report.components.data() + 1 == kComponentsTold) break;
  }
  return table.markup();
}

std::string list(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += element("li", line) + "\n";
  return text.empty() ? "" : wrap("ul", "\n" + text) + "\n";
}

struct Part {
  std::string_view id, heading;
  std::string markup;
};

std::vector<Part> parts_of(const Report& report, const ComparisonFacts& facts, std::span<const std::string> about) {
  const std::vector<NamedReport> runs{{"", &report}};
  std::string cards = comparison_cards(report);
  if (cards.empty()) cards = "<p>None.</p>\n";
  return {{"findings", "Findings", cards},
          {"withheld", "Withheld", comparison_withheld(report)},
          {"time", "Where the time of the run went", waterfall_part(report)},
          {"rows", "Calls that lost most", worst_rows_table(runs)},
          {"run", "The run", run_facts(report, facts)},
          {"platform", "What the platform did in the expected run", component_table(report)},
          {"failed", "Calls that failed", list(replay::failed_call_lines(report.failed_calls, kMostFailures))},
          {"not-judged", "Not judged", not_judged_table(runs)},
          {"notes", "Notes", list(report.notes)},
          {"file", "This file", list({about.begin(), about.end()})}};
}

}  // namespace

std::string comparison_title(const Report& report) { return escaped("Plumbline: " + verdict_sentence(report)); }

std::string comparison_style() {
  return style_sheet() +
         ".card table{max-width:40rem}@media print{#time p{break-after:avoid}}\n"
         ".badge{display:inline-block;border:1px solid var(--line);border-radius:1em;padding:0 .7em;margin:.1rem .2rem "
         ".1rem 0;font-size:.9em}\n";
}

std::string comparison_markup(const Report& report, const ComparisonFacts& facts,
                              std::span<const std::string> about_file) {
  std::string contents, body;
  for (const Part& part : parts_of(report, facts, about_file)) {
    if (part.markup.empty()) continue;
    contents += wrap("li", element("a", part.heading, fmt::format("href=\"#{}\"", part.id))) + "\n";
    body += section(part.id, part.heading, part.markup);
  }
  return wrap("main",
              "\n" + head(report, facts) +
                  fmt::format("<div role=\"navigation\" aria-label=\"Contents\"><ul class=\"parts\">\n{}</ul></div>\n",
                              contents) +
                  body) +
         "\n";
}

}  // namespace plumbline::viewer
