#include "replay/report/text_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/quantity.hpp"
#include "base/text/text_table.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_failures.hpp"
#include "replay/report/text_paint.hpp"

namespace plumbline::replay {
namespace {

using Lines = std::vector<std::string>;

// `head` stands before the first line, as many blanks before the others, at least two.
void append(Lines& lines, const std::string& head, const std::string& text, std::size_t width) {
  const std::string folded = head + wrapped(text, width, std::max<std::size_t>(head.size(), 2));
  for (std::size_t at = 0; at <= folded.size();) {
    const std::size_t end = std::min(folded.find('\n', at), folded.size());
    lines.push_back(folded.substr(at, end - at));
    at = end + 1;
  }
}

Paint color_of(const Report& report) {
  const ExitCode code = exit_code(report);
  return code == ExitCode::kFindings ? Paint::kRed : code == ExitCode::kTooNoisy ? Paint::kYellow : Paint::kGreen;
}

Lines verdict(const Report& report, const TextOptions& options) {
  Lines lines;
  append(lines, "", verdict_sentence(report), options.width);
  for (std::string& line : lines) line = painted(line, color_of(report), options.color);
  return lines;
}

// What happened, what it cost, what to do.
Lines lines_of(const Finding& finding, std::size_t number, const TextOptions& options) {
  Lines lines;
  append(lines, fmt::format("{:>2}. ", number), finding.title, options.width);
  append(lines, "    ", fmt::format("{}; confidence {}", cost_text(finding), word(finding.confidence)), options.width);
  if (!finding.advice.empty()) append(lines, "    ", "advice: " + finding.advice.front(), options.width);
  return lines;
}

// How much is known, and what is left out of that because it says nothing of the program's communication.
std::string judged(const Report& report) {
  const Totals& totals = report.totals;
  std::string text = fmt::format("Judged: {} of the time in calls", percent(judged_share(report)));
  if (const std::uint64_t left = totals.operations - totals.judged_operations - totals.set_up_operations; left > 0)
    text += fmt::format(" (not judged: {} in {})", format(totals.not_judged), plural(left, "operation"));
  if (totals.set_up_operations > 0)
    text += fmt::format("; besides, {} a rank for start-up, shutdown and creation of handles",
                        format(totals.set_up.mean(std::max<std::uint64_t>(totals.ranks, 1))));
  return text;
}

// What the verdict does not say because it may not.
std::string withheld(const Report& report) {
  if (report.withheld.empty()) return {};
  const std::string& reason = report.withheld.front().withheld;
  const bool one = std::ranges::all_of(report.withheld, [&](const Finding& f) { return f.withheld == reason; });
  return fmt::format("Withheld: {} ({}{})", plural(report.withheld.size(), "finding"), reason,
                     one ? "" : "; and other reasons");
}

std::string lost(const Report& report) {
  const std::uint64_t records = report.facts.lost_records;
  return records == 0 ? ""
                      : fmt::format("The tracer lost {}: the run is not known as a whole", plural(records, "record"));
}

std::string failed(const Report& report) {
  const std::string sentence = failed_calls_sentence(report.failed_calls);
  return sentence.empty() ? "" : sentence + ": --details lists them";
}

// What a verdict that is none hangs on: the row that lost most.
std::string unclear(const Report& report) {
  if (!report.findings.empty()) return {};
  const auto row = std::ranges::find_if(report.rows, [](const Row& each) {
    return each.verdict() == Verdict::kTooNoisy || each.verdict() == Verdict::kSlower;
  });
  if (row == report.rows.end()) return {};
  return fmt::format("Unclear above all: {}{}, {} beyond what is expected{}", row->call,
                     row->site.empty() ? "" : " at " + row->site, format(row->own.total),
                     row->reason.empty() || row->withheld ? "" : " (" + row->reason + ")");
}

Lines behind_findings(const Report& report, const TextOptions& options) {
  Lines lines;
  for (const std::string& text :
       {unclear(report), withheld(report), failed(report), lost(report), judged(report), options.elsewhere})
    if (!text.empty()) append(lines, "", text, options.width);
  return lines;
}

}  // namespace

Lines summary_lines(const Report& report, const TextOptions& options) {
  Lines lines = verdict(report, options);
  const Lines last = behind_findings(report, options);
  const std::size_t all = report.findings.size();
  std::size_t shown = 0;
  for (; shown < all; ++shown) {
    const Lines next = lines_of(report.findings[shown], shown + 1, options);
    const std::size_t more = shown + 1 < all ? 1 : 0;
    if (shown > 0 && lines.size() + next.size() + more + last.size() > kSummaryLines) break;
    std::ranges::copy(next, std::back_inserter(lines));
  }
  if (shown < all) lines.push_back(fmt::format("    and {}", plural(all - shown, "more finding")));
  std::ranges::copy(last, std::back_inserter(lines));
  return lines;
}

}  // namespace plumbline::replay
