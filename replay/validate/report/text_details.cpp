#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/text/text_table.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/validate/report/text_parts.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

void append_table(Lines& lines, const std::string& title, const TextTable& table) {
  lines.push_back("");
  lines.push_back(title);
  for (const std::string& line : table.lines()) lines.push_back("  " + line);
}

std::string retest_text(const Retest& retest) {
  const auto numbers = [&](const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values)
      texts.push_back(retest.unit == "s" ? seconds_text(value) : fmt::format("{:.4g} {}", value, retest.unit));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  std::string text = fmt::format("{}: {}; again {}", retest.what, numbers({retest.first}),
                                 retest.again.empty() ? "not measured" : numbers(retest.again));
  if (!retest.twin.empty()) text += fmt::format("; healthy twin {}", numbers(retest.twin));
  return text + (retest.persists ? "; persists" : "; does not persist");
}

std::string data_text(const std::vector<Datum>& data) {
  std::vector<std::string> texts;
  for (const Datum& datum : data) texts.push_back(fmt::format("{} {}", datum.name, datum_text(datum)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void append_evidence(Lines& lines, const Diagnosis& diagnosis, std::size_t width) {
  const std::string head = diagnosis.suppressed_by.empty()
                               ? diagnosis.title
                               : fmt::format("{} (suppressed by {})", diagnosis.title, diagnosis.suppressed_by);
  append(lines, "  ", head, width);
  std::string basis = fmt::format("{}; {}", diagnosis.id, cost_sentence(diagnosis));
  if (!diagnosis.cost_basis.empty()) basis += fmt::format(" ({})", diagnosis.cost_basis);
  if (diagnosis.samples > 0) basis += fmt::format("; {}", replay::plural(diagnosis.samples, "sample"));
  if (diagnosis.p < 1) basis += fmt::format(", p {:.2g}", diagnosis.p);
  append(lines, "    ", basis, width);
  if (!diagnosis.evidence.empty()) append(lines, "    evidence: ", data_text(diagnosis.evidence), width);
  for (const Retest& retest : diagnosis.retests) append(lines, "    measured again: ", retest_text(retest), width);
  for (const RemedyGroup& group : remedy_groups(diagnosis.remedy)) {
    lines.push_back(fmt::format("    to set{}{}:", group.mpi.empty() ? "" : " for ", group.mpi));
    for (const std::string& line : *group.lines) lines.push_back("      " + line);
  }
}

void append_observations(Lines& lines, const Validation& validation, bool explained, std::size_t width) {
  Lines texts;
  for (const Observation& observation : validation.observations) {
    if (observation.explained != explained) continue;
    std::string text = fmt::format("{}{} ({}, {})", observation.text, places_text(observation.places), observation.id,
                                   observation.component);
    if (observation.origin)
      if (const std::string origin = text_of(*observation.origin); !origin.empty()) text += "; " + origin;
    if (!observation.rows.empty()) text += "; " + data_text(observation.rows);
    append(texts, "  ", text, width);
  }
  if (texts.empty()) return;
  lines.push_back("");
  lines.push_back(explained ? "Observations that a finding explains" : "Observations that no finding explains");
  std::ranges::move(texts, std::back_inserter(lines));
}

void append_suite(Lines& lines, const Validation& validation) {
  if (validation.suite.empty()) return;
  using enum TextTable::Align;
  TextTable table({{"run", kLeft}, {"MPI", kLeft}, {"observed"}, {"expected"}, {"judged"}});
  for (const SuiteRun& run : validation.suite) {
    const bool ran = run.observed_s > 0;
    table.add({run.name, run.mpi, ran ? seconds_text(run.observed_s) : "", ran ? seconds_text(run.expected_s) : "",
               ran ? share_text(run.judged_share) : ""},
              run.fault);
  }
  append_table(lines, "Suite", table);
}

void append_checks(Lines& lines, const Validation& validation) {
  using enum TextTable::Align;
  TextTable table({{"check", kLeft}, {"state", kLeft}, {"reason", kLeft}});
  for (const CheckResult& result : validation.checks)
    table.add({result.id, std::string(word(result.state)), result.reason});
  append_table(lines, "Checks", table);
}

}  // namespace

void append(Lines& lines, const std::string& head, const std::string& text, std::size_t width) {
  const std::string folded = head + wrapped(text, width, std::max<std::size_t>(display_width(head), 2));
  for (std::size_t at = 0; at <= folded.size();) {
    const std::size_t end = std::min(folded.find('\n', at), folded.size());
    lines.push_back(folded.substr(at, end - at));
    at = end + 1;
  }
}

Lines detail_lines(const Validation& validation, std::size_t width) {
  Lines lines;
  if (!validation.diagnoses.empty()) {
    lines.push_back("");
    lines.push_back("Findings and what they stand on");
    for (const Diagnosis& diagnosis : validation.diagnoses) append_evidence(lines, diagnosis, width);
  }
  append_observations(lines, validation, false, width);
  append_observations(lines, validation, true, width);
  append_suite(lines, validation);
  append_checks(lines, validation);
  if (!validation.stages.empty()) {
    using enum TextTable::Align;
    TextTable table({{"stage", kLeft}, {"time"}, {"", kLeft}});
    for (const StageTime& stage : validation.stages)
      table.add({stage.name, seconds_text(stage.seconds), stage.complete ? "" : "incomplete"});
    append_table(lines, "Stages", table);
  }
  if (!validation.notes.empty()) {
    lines.push_back("");
    lines.push_back("Notes");
    for (const std::string& note : validation.notes) append(lines, "  ", note, width);
  }
  return lines;
}

}  // namespace plumbline::replay::validate
