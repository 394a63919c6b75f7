#include "replay/report/notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_failures.hpp"

namespace plumbline::replay {
namespace {

void note_noise(const Report& report, std::vector<std::string>& notes) {
  for (const SharedCores& node : report.shared_cores)
    notes.push_back(
        fmt::format("{} of node {}; waiting cannot be told from being descheduled, so findings on waiting calls are "
                    "withheld",
                    shared_cores_text(node), node.node));
  if (report.totals.off_cpu.ps > 0)
    notes.push_back(fmt::format("ranks were ready but not scheduled for {} in all", format(report.totals.off_cpu)));
}

void note_collectives(const Report& report, std::vector<std::string>& notes) {
  const Totals& totals = report.totals;
  if (totals.collectives_by_inner == 0) return;
  const double share = totals.collective_time.ps > 0 ? static_cast<double>(totals.collective_time_by_inner.ps) /
                                                           static_cast<double>(totals.collective_time.ps)
                                                     : 0;
  notes.push_back(fmt::format("as-run by the messages that were recorded inside: {} of {}, {} of their time{}",
                              totals.collectives_by_inner, plural(totals.collectives, "collective operation"),
                              percent(share),
                              totals.collectives_by_inner < totals.collectives ? "; the others as configured" : ""));
}

void note_model(const Report& report, std::vector<std::string>& notes) {
  if (!report.facts.schedules.empty()) notes.push_back("algorithms of collectives: " + report.facts.schedules);
  if (report.lateness && report.lateness->operations > 0)
    // On average: a delay counts again before each operation behind it.
    notes.push_back(fmt::format("the model was slower than the world before {}, by {} on average: its own error",
                                plural(report.lateness->operations, "operation"),
                                format(report.lateness->sum.mean(report.lateness->operations))));
  const auto faster = std::ranges::count(report.rows, Verdict::kFaster, &Row::verdict);
  if (faster == 0) return;
  const std::string rows = fmt::format("{} {} faster than", faster, faster == 1 ? "row is" : "rows are");
  notes.push_back(report.reference == ReferenceRun::kExpected
                      ? rows + " expected: the platform is too pessimistic there, or the model is at fault"
                      : rows + " the reference run");
}

void note_failures(const Report& report, std::vector<std::string>& notes) {
  if (!report.failed_calls.empty())
    notes.push_back(failed_calls_sentence(report.failed_calls) + "; calls that failed are not judged");
}

void note_recording(const Report& report, std::vector<std::string>& notes) {
  for (const std::string& lack : report.facts.lacks) notes.push_back("the recording lacks: " + lack);
  if (report.facts.lost_records > 0) notes.push_back("the tracer lost " + plural(report.facts.lost_records, "record"));
  if (report.totals.polls > 0)
    notes.push_back(fmt::format("{} (tests and probes that found nothing) {} counted as waiting, not compared",
                                plural(report.totals.polls, "poll"), report.totals.polls == 1 ? "is" : "are"));
  if (report.reference == ReferenceRun::kObserved)
    notes.push_back(
        "one run against one run: differences between launches are not told from differences between stacks");
}

}  // namespace

std::vector<std::string> notes_of(const Report& report) {
  std::vector<std::string> notes;
  note_noise(report, notes);
  note_collectives(report, notes);
  note_model(report, notes);
  note_failures(report, notes);
  note_recording(report, notes);
  return notes;
}

}  // namespace plumbline::replay
