#include "replay/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::replay {
namespace {

// "Incomplete: rank 0: killed; rank 0 ended in MPI_Recv, and 2 more. "; "" of a complete run.
std::string what_is_incomplete(const Report& report) {
  constexpr std::size_t kTold = 2;
  std::string text;
  std::size_t found = 0;
  for (const std::string& note : report.notes)
    if (note.starts_with(kIncomplete) && ++found <= kTold)
      text += (text.empty() ? "Incomplete: " : "; ") + note.substr(kIncomplete.size());
  if (found > kTold) text += fmt::format(", and {} more", found - kTold);
  return text.empty() ? text : text + ". ";
}

bool nothing_judged(const Report& report) {
  return report.totals.operations > 0 && report.totals.judged_operations == 0;
}

// Rows that matter and of which nothing can be stated: too noisy, or slower by too few samples. To be asked of a report
// without findings.
std::size_t count_unclear(const Report& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.rows, [](const Row& row) {
    return row.verdict() == Verdict::kTooNoisy || row.verdict() == Verdict::kSlower;
  }));
}

std::string sentence(const Report& report) {
  const std::string run = format(report.totals.run);
  if (!report.findings.empty()) {
    const Finding& first = report.findings.front();
    const std::string cost = fmt::format("{}{} of {} ({})", first.cost_is_bound ? "up to " : "", format(first.cost),
                                         run, percent(first.share));
    if (report.findings.size() == 1) return fmt::format("1 finding: it costs {}.", cost);
    return fmt::format("{} findings; the largest costs {}.", report.findings.size(), cost);
  }
  if (nothing_judged(report)) return "Too noisy to tell: no operation could be judged.";
  if (const std::size_t unclear = count_unclear(report); unclear > 0)
    return fmt::format("Too noisy to tell: in {} of {} a relevant excess can neither be shown nor excluded.", unclear,
                       plural(static_cast<std::uint64_t>(std::ranges::count_if(report.rows, is_worth_a_line)), "row"));
  if (is_incomplete(report)) return "The run is incomplete; of what was recorded nothing is slower than expected.";
  return fmt::format("As expected: no excess of {} of the run ({}) or more.", format_percent(report.options.threshold),
                     run);
}

}  // namespace

bool is_incomplete(const Report& report) { return !what_is_incomplete(report).empty(); }

ExitCode exit_code(const Report& report) {
  if (!report.findings.empty()) return ExitCode::kFindings;
  const bool unclear = nothing_judged(report) || count_unclear(report) > 0 || is_incomplete(report);
  return unclear ? ExitCode::kTooNoisy : ExitCode::kAsExpected;
}

std::string verdict_sentence(const Report& report) { return what_is_incomplete(report) + sentence(report); }

bool is_worth_a_line(const Row& row) {
  const bool local = row.key.kind == OpKind::kLocal || row.key.kind == OpKind::kIoSeek;
  return !local || (row.verdict() != Verdict::kAsExpected && row.verdict() != Verdict::kNotJudged);
}

double busy_share(const Report& report, const ComponentTotals& component) {
  return share_of(component.busy, report.totals.reference_run);
}

double judged_share(const Report& report) {
  const TimeSum all = report.totals.judged + report.totals.not_judged;
  return all.ps > 0 ? share_of(report.totals.judged, all) : 1;
}

}  // namespace plumbline::replay
