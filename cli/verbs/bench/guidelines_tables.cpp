// Everything that a campaign of guidelines measured, and what was tried.

#include <fmt/format.h>

#include <algorithm>

#include "base/text/csv_field.hpp"
#include "base/text/text_table.hpp"
#include "bench/report/axis.hpp"
#include "cli/verbs/bench/guidelines_text.hpp"

namespace plumbline::cli {
namespace {

using bench::GuidelineTrack;
using bench::RuleOutcome;
using bench::text_of_seconds;

// --- CSV

std::string csv_line(const GuidelinesReport& report, const RuleOutcome& outcome) {
  const bool pattern = outcome.rule->kind == bench::Rule::Kind::kPattern;
  const bench::Comparison none, &comparison = pattern ? outcome.rule->comparisons[outcome.comparison] : none;
  std::string text =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{}", outcome.rule->id, comparison.name, csv_field(outcome.rule->group),
                  outcome.mpi, outcome.nodes, outcome.per_node, csv_field(comparison.text), csv_field(comparison.form),
                  csv_field(outcome.of_fast), csv_field(outcome.of_slow), outcome.bytes);
  text += fmt::format(",{},{},{:.9g},{:.9g},{:g},{:.6g},{:.6g},{:.6g}", outcome.fast.size(), outcome.slow.size(),
                      outcome.fast_s, outcome.slow_s, outcome.allowed, outcome.ratio, outcome.p, outcome.q);
  for (const bench::Spread* spread :
       {&outcome.fast_runs, &outcome.slow_runs, &outcome.fast_within, &outcome.slow_within})
    text += fmt::format(",{:.9g},{:.9g}", spread->low, spread->high);
  return text + fmt::format(",{},{},{}\n", outcome.disturbed ? 1 : 0,
                            word(verdict_of(outcome, report.options.least_ratio)), csv_field(outcome.not_judged));
}

// --- Trials

std::string text_of(const bench::TrialSize& size) {
  if (!size.judged) return "was not measured, or in too few runs";
  const double change = size.after_s > 0 ? size.before_s / size.after_s : 0;
  const char* what = !size.violated ? (size.slower ? "made slower" : "")
                     : !size.seen ? (size.slower ? "not violated this time, and made slower" : "not violated this time")
                     : size.healed ? "healed"
                     : size.faster ? "faster, and still not as it should be"
                     : size.slower ? "made slower"
                                   : "not healed";
  return fmt::format("{} without, {} with it ({:.3g} times as fast), the other side {}{}{}",
                     text_of_seconds(size.before_s), text_of_seconds(size.after_s), change,
                     text_of_seconds(size.mock_s), *what == 0 ? "" : ": ", what);
}

}  // namespace

std::string guidelines_details(const GuidelinesReport& report) {
  std::string text;
  for (const GuidelineTrack& track : report.tracks) {
    std::vector<std::vector<std::string>> table{
        {"ratio", "q", "fast", "quartiles", "slow", "quartiles", "verdict", "of"}};
    for (const std::size_t i : track.of_it) {
      const RuleOutcome& outcome = report.verdict.outcomes[i];
      const std::string of = outcome.of_fast + " | " + outcome.of_slow;
      if (!outcome.not_judged.empty()) {
        table.push_back({"", "", "", "", "", "", "not judged", of + ": " + outcome.not_judged});
        continue;
      }
      table.push_back({fmt::format("{:.3f}", outcome.ratio), fmt::format("{:.2g}", outcome.q),
                       text_of_seconds(outcome.fast_s), text_of_spread(outcome.fast_within),
                       text_of_seconds(outcome.slow_s), text_of_spread(outcome.slow_within),
                       std::string(word(verdict_of(outcome, report.options.least_ratio))), of});
    }
    text += fmt::format("\n{} ({}, {} x {}): {}{}\n{}", track.title, track.mpi, track.nodes, track.per_node,
                        track.rule->id, track.violated ? ", VIOLATED" : "", aligned(table));
  }
  return text;
}

std::string guidelines_csv(const GuidelinesReport& report) {
  std::string text =
      "guideline,name,group,mpi,nodes,per_node,text,form,fast,slow,bytes,fast_runs,slow_runs,fast_s,slow_s,allowed,"
      "ratio,p,q,fast_q1_s,fast_q3_s,slow_q1_s,slow_q3_s,fast_within_q1_s,fast_within_q3_s,slow_within_q1_s,"
      "slow_within_q3_s,disturbed,verdict,not_judged\n";
  for (const RuleOutcome& outcome : report.verdict.outcomes) text += csv_line(report, outcome);
  return text;
}

std::string trials_text(const std::vector<bench::Trial>& trials) {
  std::string text = "\nTried, each against the same operation without it, run by run in random order:\n";
  for (const bench::Trial& trial : trials) {
    const char* verdict = trial.judged() == 0              ? "not judged"
                          : trial.seen() == 0              ? "not violated this time"
                          : trial.healed() == trial.seen() ? "healed"
                          : trial.healed() > 0             ? "healed in part"
                                                           : "not healed";
    text += fmt::format(
        "  {} ({}, {} x {}): {} ({} of {}, seen again at {}{})\n", trial.title, trial.mpi, trial.nodes, trial.per_node,
        verdict, trial.healed(), count_of_things(trial.violated(), "violated size"), trial.seen(),
        trial.harmed() == 0 ? "" : fmt::format("; slower at {}", count_of_things(trial.harmed(), "size")));
    for (const std::string& line : trial.proposal.lines) text += fmt::format("    {}\n", line);
    for (const bench::TrialSize& size : trial.sizes)
      text += fmt::format("    {:>9}  {}\n", bench::text_of_bytes(size.bytes), text_of(size));
  }
  return text;
}

std::string guidelines_list(const std::vector<bench::Rule>& table) {
  std::string text, group;
  for (const bench::Rule& rule : table) {
    if (rule.group != group) text += fmt::format("{}{}\n", text.empty() ? "" : "\n", rule.group);
    group = rule.group;
    std::vector<std::string> names;
    for (const bench::Comparison& comparison : rule.comparisons)
      if (!comparison.name.empty() && std::ranges::find(names, comparison.name) == names.end())
        names.push_back(comparison.name);
    std::string more;
    for (const std::string& name : names) more += (more.empty() ? " (" : ", ") + name;
    text += fmt::format("  {}\n      {}{}; {}\n", rule.id, rule.text, more + (more.empty() ? "" : ")"),
                        rule.comparisons.empty() ? count_of_things(rule.operations.size(), "operation")
                                                 : count_of_things(rule.comparisons.size(), "comparison"));
  }
  return text;
}

}  // namespace plumbline::cli
