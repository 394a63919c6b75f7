#include "cli/verbs/bench/guidelines_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/statistics/rank_sum.hpp"
#include "bench/report/axis.hpp"
#include "cli/verbs/bench/tables.hpp"

namespace plumbline::cli {
namespace {

using bench::GuidelineGroup;
using bench::GuidelineTrack;
using bench::GuidelineVerdict;
using bench::RuleOutcome;
using bench::text_of_seconds;

constexpr std::size_t kMostTold = 10, kMostAbsent = 6;

// --- Groups

std::string state_of(const GuidelineGroup& group) {
  std::string text = "not measured";
  if (group.violated_tracks > 0)
    text = fmt::format("VIOLATED: {} of {} comparisons, {} of {} tests", group.violated_tracks, group.tracks,
                       group.violations, group.tests);
  else if (group.violations > 0)
    text = fmt::format("holds, but for {} of {}", count_of_things(group.violations, "single size"),
                       count_of_things(group.tests, "test"));
  else if (group.tests > 0)
    text = fmt::format("holds in {}", count_of_things(group.tests, "test"));
  if (group.artefacts > 0) text += fmt::format("; {}", count_of_things(group.artefacts, "artefact"));
  return text;
}

std::set<std::string> mpis_of(const std::vector<GuidelineGroup>& groups) {
  std::set<std::string> mpis;
  for (const GuidelineGroup& group : groups) mpis.insert(group.mpi);
  return mpis;
}

std::string groups_text(const std::vector<GuidelineGroup>& groups) {
  const std::set<std::string> mpis = mpis_of(groups);
  std::vector<std::string> names;
  for (const GuidelineGroup& group : groups)
    if (std::ranges::find(names, group.name) == names.end()) names.push_back(group.name);
  std::size_t width = 0, column = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const GuidelineGroup& group : groups) column = std::max(column, group.mpi.size() + 2 + state_of(group).size());
  std::string text;
  for (const std::string& name : names) {
    std::string line = fmt::format("  {:<{}}", name, width);
    for (const std::string& mpi : mpis) {
      const auto group = std::ranges::find_if(
          groups, [&](const GuidelineGroup& each) { return each.name == name && each.mpi == mpi; });
      line += fmt::format("  {:<{}}", group == groups.end() ? "" : mpi + "  " + state_of(*group), column);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// --- What is violated

std::string ratio_text(const RuleOutcome& outcome) {
  return fmt::format("{:.3g} times{}", outcome.ratio,
                     outcome.allowed == 1 ? "" : fmt::format(" where {:.3g} are allowed", outcome.allowed));
}

// "bcast 2 KiB 3 us [2.9 us .. 3.1 us], scatter 1 KiB + .. 1 us [..]: 3 times, q 0.001"
std::string told(const RuleOutcome& outcome) {
  return fmt::format("{} takes {} {}, {} {} {}: {}, q {:.2g}", outcome.of_fast, text_of_seconds(outcome.fast_s),
                     text_of_spread(outcome.fast_within), outcome.of_slow, text_of_seconds(outcome.slow_s),
                     text_of_spread(outcome.slow_within), ratio_text(outcome), outcome.q);
}

std::string violated_text(const GuidelinesReport& report) {
  const std::vector<std::size_t> violated = bench::violated_worst_first(report.verdict, report.tracks);
  if (violated.empty()) return "";
  std::string text = "\nThese do not hold, worst first; in brackets the quartiles of repetitions in a run:\n";
  for (std::size_t n = 0; n < violated.size() && n < kMostTold; ++n) {
    const GuidelineTrack& track = report.tracks[violated[n]];
    text += fmt::format("  {} ({})\n    {}\n", track.title, track.mpi, told(report.verdict.outcomes[*track.worst]));
    for (const std::string& line : report.proposals[violated[n]]) text += fmt::format("    {}\n", line);
  }
  if (violated.size() > kMostTold) text += fmt::format("  and {} more: --details\n", violated.size() - kMostTold);
  return text;
}

std::string artefacts_text(const GuidelinesReport& report) {
  const std::vector<std::size_t> artefacts = bench::artefacts_worst_first(report.verdict, report.tracks);
  if (artefacts.empty()) return "";
  const GuidelineTrack& track = report.tracks[artefacts.front()];
  return fmt::format(
      "\nNot counted: {} where the quartiles of both sides meet, so that times spread as much as they differ; the "
      "largest:\n  {} ({})\n    {}\n",
      count_of_things(artefacts.size(), "comparison"), track.title, track.mpi,
      told(report.verdict.outcomes[*track.worst]));
}

// --- What is not judged

std::string not_judged_text(const bench::RulesVerdict& verdict) {
  std::map<std::string, std::size_t> reasons;
  for (const RuleOutcome& outcome : verdict.outcomes)
    if (!outcome.not_judged.empty()) ++reasons[outcome.not_judged];
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += fmt::format("not judged: {}: {}\n", count_of_things(count, "test"), reason);
  std::vector<std::string> absent;
  for (const bench::RuleSummary& summary : verdict.summaries)
    if (summary.nodes == 0 && std::ranges::find(absent, summary.rule->id) == absent.end())
      absent.push_back(summary.rule->id);
  if (absent.empty()) return text;
  const std::size_t left_out = absent.size() - std::min(absent.size(), kMostAbsent);
  absent.resize(absent.size() - left_out);
  text += fmt::format("not measured: {}{}\n", fmt::join(absent, ", "),
                      left_out == 0 ? "" : fmt::format(", and {} more", left_out));
  return text;
}

std::string head(const GuidelinesReport& report, const std::vector<GuidelineGroup>& groups) {
  std::size_t tests = 0, violated = 0, runs = 0;
  for (const GuidelineGroup& group : groups) {
    tests += group.tests;
    violated += group.violated_tracks;
  }
  for (const RuleOutcome& outcome : report.verdict.outcomes) runs = std::max(runs, outcome.fast.size());
  return fmt::format(
      "{} on {}: {} runs at most, order by seed {}; {} (violated: {:g} times or more, q up to {:g} over "
      "all of them, quartiles apart)\n",
      tests == 0      ? "No guideline could be judged"
      : violated == 0 ? "No guideline is violated"
                      : count_of_things(violated, "comparison") + " violated",
      report.campaign.environment.host, runs, report.campaign.seed, count_of_things(tests, "test"),
      report.options.least_ratio, report.options.least_q);
}

}  // namespace

std::string count_of_things(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string text_of_spread(const bench::Spread& spread) {
  return fmt::format("[{} .. {}]", text_of_seconds(spread.low), text_of_seconds(spread.high));
}

std::string guidelines_text(const GuidelinesReport& report) {
  const std::vector<GuidelineGroup> groups = groups_of(report.verdict, report.tracks);
  std::string text = head(report, groups) + groups_text(groups) + violated_text(report) + artefacts_text(report);
  const std::string not_judged = not_judged_text(report.verdict);
  text += (not_judged.empty() && report.verdict.notes.empty() ? "" : "\n") + not_judged;
  for (const std::string& note : report.verdict.notes) text += fmt::format("note: {}\n", note);
  const auto judged =
      std::ranges::count_if(report.verdict.outcomes, [](const auto& each) { return each.not_judged.empty(); });
  const double least = std::min(1.0, least_p(report.verdict) * static_cast<double>(judged));
  if (least > report.options.least_q)
    text += fmt::format(
        "note: among so many tests a single violation has q {:.2g} at best: it takes several, or more "
        "--runs\n",
        least);
  return text;
}

double least_p(const bench::RulesVerdict& verdict) {
  std::set<std::pair<std::size_t, std::size_t>> runs;
  for (const RuleOutcome& outcome : verdict.outcomes)
    if (outcome.not_judged.empty()) runs.insert({outcome.fast.size(), outcome.slow.size()});
  double least = 1;
  for (const auto& [fast, slow] : runs)
    least = std::min(least, statistics::exact_upper_tail(fast, slow, static_cast<double>(fast * slow)));
  return least;
}

}  // namespace plumbline::cli
