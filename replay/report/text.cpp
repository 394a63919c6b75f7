#include "replay/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/quantity.hpp"
#include "base/text/text_table.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/report/text_components.hpp"
#include "replay/report/text_failures.hpp"
#include "replay/report/text_paint.hpp"
#include "replay/report/text_summary.hpp"

namespace plumbline::replay {
namespace {

constexpr std::size_t kCallWidth = 24, kBelowWidth = 112, kLeastPlace = 40, kComponents = 10, kFailedCalls = 10;

std::string joined(const std::string& a, std::string_view between, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + std::string(between) + b;
}

// "ranks 0-3, 7", "rank 2"; the first few of many.
std::string rank_list(const std::vector<std::uint32_t>& ranks) {
  constexpr int kMost = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  int groups = 0;
  for (std::size_t i = 0; i < ranks.size(); ++groups) {
    if (groups == kMost) return text + ", ..";
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += last == i ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]);
    i = last + 1;
  }
  return text;
}

// "0.3 s", "0.1 .. 2.3 s", "90 us .. 2 s".
std::string bracket(TimeSum lower, TimeSum upper) {
  const std::string from = format(lower), to = format(upper);
  if (from == to) return to;
  const std::string unit = to.substr(to.find(' '));
  const bool same = from.substr(from.find(' ')) == unit;
  return fmt::format("{} .. {}", same ? from.substr(0, from.size() - unit.size()) : from, to);
}

std::string value_text(const Evidence& evidence) {
  if (evidence.unit == "s") return format(time_sum_from_seconds(evidence.value));
  if (evidence.unit == "B") return format(Bytes{static_cast<std::uint64_t>(evidence.value)});
  if (evidence.unit == "B/s") return format(BytesPerSecond{static_cast<std::uint64_t>(evidence.value)});
  return fmt::format("{:.0f}", evidence.value);
}

// The reason of such a row stands once below the table.
bool is_footnoted(const Row& row) { return row.withheld && row.verdict() == Verdict::kTooNoisy; }

class TextReport {
 public:
  TextReport(const Report& report, const TextOptions& options) : report_(report), options_(options) {}

  std::string write() {
    for (const std::string& line : summary_lines(report_, options_)) out_ += line + "\n";
    if (!options_.details) return std::move(out_);
    runs();
    findings();
    withheld();
    table();
    totals();
    components();
    list("Calls that failed", failed_call_lines(report_.failed_calls, kFailedCalls));
    list("Not judged", not_judged_lines());
    list("Notes", report_.notes);
    return std::move(out_);
  }

 private:
  std::string bold(const std::string& text) const { return painted(text, Paint::kBold, options_.color); }

  void paragraph(const std::string& text) { out_ += wrapped(text, options_.width, 0) + "\n"; }

  void runs() {
    out_ += "\n";
    const RunFacts& facts = report_.facts;
    const bool expected = report_.reference == ReferenceRun::kExpected;
    paragraph(fmt::format("{} against {}: {} on {}, {} observed, {} {}", facts.observed, facts.reference,
                          plural(facts.ranks, "rank"), plural(facts.nodes.size(), "node"), format(report_.totals.run),
                          format(report_.totals.reference_run), expected ? "expected" : "in the reference"));
    std::string with = joined(facts.program, ", ", facts.library);
    if (!facts.platform.empty()) with = joined(with, ", ", "platform " + facts.platform);
    if (!with.empty()) paragraph(with);
    const std::string other = joined(facts.reference_program, ", ", facts.reference_library);
    if (!other.empty() && other != with) paragraph("reference: " + other);
  }

  void findings() {
    if (report_.findings.empty()) return;
    out_ += "\n" + bold("Findings") + "\n";
    for (std::size_t i = 0; i < report_.findings.size(); ++i) {
      const Finding& finding = report_.findings[i];
      numbered(i + 1, finding);
      evidence(finding);
      for (const std::string& advice : finding.advice) detail("advice: " + advice);
    }
  }

  // Under each reason the findings that it withholds.
  void withheld() {
    std::set<std::string> told;
    for (const Finding& first : report_.withheld) {
      if (!told.insert(first.withheld).second) continue;
      out_ += "\n" + bold(wrapped("Withheld: " + first.withheld, options_.width, 0)) + "\n";
      std::size_t number = 0;
      for (const Finding& finding : report_.withheld)
        if (finding.withheld == first.withheld) numbered(++number, finding);
    }
  }

  void numbered(std::size_t number, const Finding& finding) {
    const std::string head = fmt::format("{:>2}. ", number);
    out_ += head + wrapped(finding.title, options_.width, head.size()) + "\n";
    detail(fmt::format("{}, by {}; {}, {} of all own excess on all ranks; {}; confidence {}: {}", finding.component,
                       word(finding.reference), cost_text(finding), percent(finding.share_of_excess),
                       rank_list(finding.ranks), word(finding.confidence), finding.basis));
  }

  void evidence(const Finding& finding) {
    std::string text;
    for (const Evidence& one : finding.evidence) {
      std::string name = one.name;
      std::ranges::replace(name, '_', ' ');
      text = joined(text, ", ", fmt::format("{} {}", name, value_text(one)));
    }
    if (!text.empty()) detail("evidence: " + text);
  }

  void detail(const std::string& text) { out_ += "    " + wrapped(text, options_.width, 6) + "\n"; }

  void table() {
    if (report_.rows.empty()) return;
    using Align = TextTable::Align;
    TextTable table({{"call", Align::kLeft},
                     {"size", Align::kLeft},
                     {"comm"},
                     {"count"},
                     {"observed"},
                     {against_expected() ? "expected" : "reference"},
                     {"own"},
                     {"inherited"},
                     {"share"},
                     {"verdict", Align::kLeft}});
    std::vector<const Row*> rows_shown;
    for (const Row& row : report_.rows)
      if (is_worth_a_line(row)) rows_shown.push_back(&row);
    const std::size_t all = rows_shown.size(), shown = std::min(options_.top, all);
    rows_shown.resize(shown);
    for (const Row* row : rows_shown) table.add(cells(*row), below(*row));
    const std::string rows = shown == all ? plural(all, "row") : fmt::format("{} of {}", shown, plural(all, "row"));
    out_ += "\n" + bold(fmt::format("Where the time went ({}, by own excess; times are sums over ranks)", rows)) + "\n";
    const std::vector<std::string> lines = table.lines();
    out_ += bold(lines.front()) + "\n";
    for (std::size_t i = 0; i < shown; ++i) out_ += painted_row(lines[i + 1], *rows_shown[i]) + "\n";
    why_withheld(rows_shown);
  }

  // Once below the table what would stand under every row that waits.
  void why_withheld(const std::vector<const Row*>& rows) {
    std::set<std::string> told;
    for (const Row* row : rows)
      if (is_footnoted(*row) && told.insert(row->reason).second) paragraph("* " + row->reason);
  }

  bool against_expected() const { return report_.reference == ReferenceRun::kExpected; }

  std::string painted_row(const std::string& line, const Row& row) const {
    if (row.verdict() == Verdict::kSlower) return painted(line, Paint::kRed, options_.color);
    return row.verdict() == Verdict::kTooNoisy ? painted(line, Paint::kYellow, options_.color) : line;
  }

  std::vector<std::string> cells(const Row& row) const {
    const std::string comm = row.key.comm_size == 0 ? "" : fmt::format("{}", row.key.comm_size);
    const bool judged = row.judged > 0;
    return {shortened(row.call, kCallWidth),
            row.bytes == 0 && row.key.size_class == 0 ? "" : size_class_text(row.key.size_class),
            comm,
            count(row),
            format(judged ? row.observed : row.not_judged),
            judged ? bracket(row.lower, row.upper) : "",
            judged ? format(row.own.total) : "",
            judged && against_expected() ? format(row.inherited) : "",
            judged ? percent(row.share) : "",
            std::string(word(row.verdict())) + (is_footnoted(row) ? "*" : "")};
  }

  // "35 of 60000" where the times are of the judged alone.
  static std::string count(const Row& row) {
    if (row.judged == 0 || row.judged == row.operations) return fmt::format("{}", row.operations);
    return fmt::format("{} of {}", row.judged, row.operations);
  }

  static std::string below(const Row& row) {
    const std::string place = joined(row.site.empty() ? "" : "at " + row.site, ", ", row.file);
    const bool unclear =
        (row.verdict() == Verdict::kTooNoisy && !is_footnoted(row)) || row.verdict() == Verdict::kNotJudged;
    if (!unclear || row.reason.empty()) return shortened(place, kBelowWidth);
    // The reason stays whole, whatever that costs the place.
    const std::size_t taken = display_width(row.reason) + 2;
    return joined(shortened(place, taken + kLeastPlace < kBelowWidth ? kBelowWidth - taken : kLeastPlace), "; ",
                  row.reason);
  }

  void totals() {
    const Totals& totals = report_.totals;
    const TimeSum all = totals.rank_time();
    if (all.ps == 0) return;
    std::string text;
    const std::array<std::pair<const char*, TimeSum>, 7> parts{
        {{"judged operations", totals.judged},
         {"operations not judged", totals.not_judged},
         {"start-up, shutdown and creation of handles", totals.set_up},
         {"compute", totals.compute},
         {"not scheduled", totals.off_cpu},
         {"polling", totals.polling},
         {"before the first and after the last operation", totals.outside}}};
    for (const auto& [name, time] : parts) {
      const double share = share_of(time, all);
      if (time.ps > 0) text = joined(text, ", ", fmt::format("{} {} ({})", name, format(time), percent(share)));
    }
    out_ += "\n";
    paragraph(fmt::format("Of {} x {}: {}", plural(totals.ranks, "rank"), format(totals.run), text));
    paragraph(own_excess());
  }

  void components() {
    if (report_.components.empty()) return;
    const std::vector<std::string> lines = component_lines(report_, kComponents);
    const std::size_t all = report_.components.size();
    const std::string shown =
        all > kComponents ? fmt::format("{} of {}", kComponents, plural(all, "component")) : plural(all, "component");
    out_ += "\n" + bold(fmt::format("What the platform did in the expected run ({}, by time busy)", shown)) + "\n";
    out_ += bold(lines.front()) + "\n";
    for (std::size_t i = 1; i < lines.size(); ++i) out_ += lines[i] + "\n";
  }

  // A sum that adds up: own = lost to the stack + lost to structure - gained.
  std::string own_excess() const {
    const Totals& totals = report_.totals;
    const bool expected = against_expected();
    std::string text =
        fmt::format("Own excess {} = {} lost {} + {} {}", format(totals.own), format(totals.lost_to_stack()),
                    expected ? "to hardware and stack" : "in like calls", format(totals.structure),
                    expected ? "to algorithm and hints" : "in calls split into more POSIX operations");
    if (totals.gained.ps > 0)
      text += fmt::format(" - {} in operations faster than {}", format(totals.gained),
                          expected ? "expected" : "the reference");
    if (expected) text += fmt::format("; inherited from other ranks, besides: {}", format(totals.inherited));
    return text;
  }

  static std::string line_of(const NotJudgedTime& time) {
    return fmt::format("{}: {}, {}", time.reason, plural(time.operations, "operation"), format(time.observed));
  }

  // What sets the program up is one line, whatever its reasons: JSON has them apart.
  std::vector<std::string> not_judged_lines() const {
    std::vector<std::string> lines;
    NotJudgedTime set_up{"start-up, shutdown and creation of communicators, windows and file handles", true, 0, {}};
    for (const NotJudgedTime& time : report_.not_judged) {
      if (!time.set_up) {
        lines.push_back(line_of(time));
        continue;
      }
      set_up.operations += time.operations;
      set_up.observed += time.observed;
    }
    if (set_up.operations > 0) lines.push_back(line_of(set_up));
    return lines;
  }

  void list(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ += "\n" + bold(title) + "\n";
    for (const std::string& line : lines) out_ += "  - " + wrapped(line, options_.width, 4) + "\n";
  }

  const Report& report_;
  const TextOptions& options_;
  std::string out_;
};

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) { return TextReport(report, options).write(); }

}  // namespace plumbline::replay
