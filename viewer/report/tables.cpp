#include "viewer/report/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/quantity.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"
#include "replay/validate/report/verdict.hpp"
#include "viewer/report/html.hpp"

namespace plumbline::viewer {
namespace {

using replay::validate::CheckState;

// Told by a sign and a word, never by colour alone.
std::string_view sign(CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      return "✓";
    case CheckState::kFound:
      return "✗";
    case CheckState::kCouldNotRun:
      return "–";
    case CheckState::kNotJudged:
      return "?";
    case CheckState::kSuppressed:
      return "○";
  }
  return "";
}

std::string_view style(CheckState state) {
  return state == CheckState::kFound    ? "class=\"bad\""
         : state == CheckState::kPassed ? "class=\"good\""
                                        : "class=\"soft\"";
}

const replay::Report* report_of(std::span<const NamedReport> runs, const replay::validate::SuiteRun& run) {
  const auto fits = [&](const NamedReport& named) {
    return named.first == run.name || named.first == fmt::format("{} ({})", run.name, run.mpi) ||
           (!run.report.empty() && named.first == run.report) || (!run.archive.empty() && named.first == run.archive);
  };
  const auto found = std::ranges::find_if(runs, fits);
  return found == runs.end() ? nullptr : found->second;
}

// "4: n0, n1, n2, n3"; of a large machine not all.
std::string nodes_text(const std::vector<std::string>& nodes) {
  constexpr std::size_t kMost = 64;
  if (nodes.empty()) return {};
  const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), kMost));
  std::string text = fmt::format("{}: {}", nodes.size(), fmt::join(nodes.begin(), end, ", "));
  return nodes.size() > kMost ? text + ", .." : text;
}

std::string ratio_text(const replay::validate::SuiteRun& run) {
  return run.expected_s > 0 && run.observed_s > 0 ? fmt::format("{:.2f}", run.observed_s / run.expected_s) : "";
}

}  // namespace

std::string machine_facts(const replay::validate::Validation& validation) {
  const replay::validate::Machine& machine = validation.machine;
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += element("dt", name) + element("dd", value) + "\n";
  };
  add("nodes", nodes_text(machine.nodes));
  add("ranks", machine.ranks == 0 ? "" : fmt::format("{}", machine.ranks));
  add("cores a node", machine.cores_per_node == 0 ? "" : fmt::format("{}", machine.cores_per_node));
  add("MPI", fmt::format("{}", fmt::join(machine.mpis, ", ")));
  add("kernel", machine.kernel);
  add("level", validation.level);
  add("made", validation.created);
  add("by", validation.version.empty() ? "" : "Plumbline " + validation.version);
  add("command", validation.command);
  add("platform", validation.platform);
  return wrap("dl", "\n" + text) + "\n";
}

std::string check_table(const replay::validate::Validation& validation) {
  std::vector<const replay::validate::CheckResult*> results;
  for (const replay::validate::CheckResult& result : validation.checks) results.push_back(&result);
  std::ranges::stable_partition(results, [](const auto* result) { return result->state != CheckState::kPassed; });
  Table table(
      {text_cell("check"), text_cell("what holds where it is passed"), text_cell("state"), text_cell("reason")});
  for (const replay::validate::CheckResult* result : results) {
    const replay::validate::Check* check = replay::validate::find_check(result->id);
    const std::string state = fmt::format("{} {}", sign(result->state), word(result->state));
    table.add({{element("code", result->id)},
               text_cell(check == nullptr ? "" : check->title),
               {element("span", state, style(result->state))},
               text_cell(result->reason)});
  }
  return table.markup();
}

std::string suite_table(const replay::validate::Validation& validation, std::span<const NamedReport> runs) {
  Table table({text_cell("run"), text_cell("MPI"), number_cell("observed"), number_cell("expected"),
               number_cell("ratio"), number_cell("judged"), text_cell("verdict")});
  for (const replay::validate::SuiteRun& run : validation.suite) {
    const bool ran = run.observed_s > 0;
    const replay::Report* report = report_of(runs, run);
    const std::string verdict = !run.fault.empty() ? run.fault : report != nullptr ? verdict_sentence(*report) : "";
    std::string name = escaped(run.name);
    if (!run.archive.empty()) name += "<br/>" + element("small", run.archive);
    table.add({{name},
               text_cell(run.mpi),
               number_cell(ran ? replay::validate::seconds_text(run.observed_s) : ""),
               number_cell(ran ? replay::validate::seconds_text(run.expected_s) : ""),
               number_cell(ratio_text(run)),
               number_cell(ran ? replay::validate::share_text(run.judged_share) : ""),
               text_cell(verdict)});
  }
  return table.markup();
}

std::string not_judged_table(std::span<const NamedReport> runs) {
  struct Sum {
    std::uint64_t operations = 0;
    TimeSum time;
  };
  std::map<std::string, Sum> sums;
  for (const auto& [name, report] : runs)
    for (const replay::NotJudgedTime& each : report->not_judged) {
      Sum& sum = sums[each.set_up ? each.reason + " (set-up)" : each.reason];
      sum.operations += each.operations;
      sum.time += each.observed;
    }
  std::vector<std::pair<std::string, Sum>> ordered(sums.begin(), sums.end());
  std::ranges::stable_sort(ordered, [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  Table table({text_cell("reason"), number_cell("operations"), number_cell("time, all ranks")});
  for (const auto& [reason, sum] : ordered)
    table.add({text_cell(reason), number_cell(fmt::format("{}", sum.operations)), number_cell(format(sum.time))});
  return table.markup();
}

std::string withheld_table(std::span<const NamedReport> runs) {
  Table table({text_cell("run"), text_cell("what looks slower"), text_cell("why it is not stated")});
  for (const auto& [name, report] : runs)
    for (const replay::Finding& finding : report->withheld)
      table.add({text_cell(name), text_cell(finding.title), text_cell(finding.withheld)});
  return table.markup();
}

std::string stage_table(const replay::validate::Validation& validation) {
  Table table({text_cell("stage"), number_cell("time"), text_cell("")});
  for (const replay::validate::StageTime& stage : validation.stages)
    table.add({text_cell(stage.name), number_cell(replay::validate::seconds_text(stage.seconds)),
               text_cell(stage.complete ? "complete" : "incomplete")});
  return table.markup();
}

std::string note_list(const replay::validate::Validation& validation, std::span<const NamedReport> runs) {
  std::vector<std::string> notes = validation.notes;
  for (const auto& [name, report] : runs)
    for (const std::string& note : report->notes)
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  std::string text;
  for (const std::string& note : notes) text += element("li", note) + "\n";
  return text.empty() ? "" : wrap("ul", "\n" + text) + "\n";
}

}  // namespace plumbline::viewer
