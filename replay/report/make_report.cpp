#include "replay/report/make_report.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "replay/compare/compare.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/diagnose/diagnose.hpp"
#include "replay/report/notes.hpp"

namespace plumbline::replay {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<NodeFact> nodes_of(const Program& observed) {
  std::vector<NodeFact> nodes(observed.nodes());
  for (std::uint32_t node = 0; node < observed.nodes(); ++node) nodes[node].name = observed.node(node);
  for (std::uint32_t rank = 0; rank < observed.ranks(); ++rank) {
    const RankProgram& program = observed.rank(rank);
    if (program.node >= nodes.size()) continue;
    ++nodes[program.node].ranks;
    nodes[program.node].cores = std::max(nodes[program.node].cores, program.cores);
  }
  return nodes;
}

// "MPICH Version:\t4.0.2", "Open MPI v4.1.4, package: Debian OpenMPI, ..": what tells the library, in short.
std::string library_of(const Program& program) {
  std::string_view text = program.property("library");
  std::string name{text.substr(0, std::min({text.find(','), text.find('\n'), text.size()}))};
  constexpr std::string_view kNoise = " Version:\t";
  if (const std::size_t noise = name.find(kNoise); noise != std::string::npos) name.replace(noise, kNoise.size(), " ");
  return name;
}

RunFacts facts_of(const Program& observed, const Program* reference, const CompareOptions& names) {
  RunFacts facts;
  facts.observed = names.observed_name;
  facts.reference = names.reference_name;
  facts.program = observed.property("program");
  facts.library = library_of(observed);
  if (reference != nullptr) {
    facts.reference_program = reference->property("program");
    facts.reference_library = library_of(*reference);
  }
  facts.creator = observed.property("creator");
  facts.ranks = observed.ranks();
  facts.nodes = nodes_of(observed);
  facts.lacks = lines_of(observed.property("lacks"));
  facts.lost_records = number_of(observed.property("lost_records"));
  return facts;
}

// What is incomplete first, then our own, then the others; each once.
void set_notes(Report& report, std::vector<std::string> remarks, const std::vector<std::string>& of_caller) {
  remarks.insert(remarks.end(), of_caller.begin(), of_caller.end());
  std::ranges::stable_partition(remarks, [](const std::string& note) { return note.starts_with(kIncomplete); });
  const auto others =
      std::ranges::find_if(remarks, [](const std::string& note) { return !note.starts_with(kIncomplete); });
  const std::vector<std::string> own = notes_of(report);
  remarks.insert(others, own.begin(), own.end());
  for (std::string& note : remarks)
    if (std::ranges::find(report.notes, note) == report.notes.end()) report.notes.push_back(std::move(note));
}

Report assemble(Comparison comparison, const Program& observed, const Expected& expected, const Program* reference,
                const ReportOptions& options) {
  Report report;
  report.reference = comparison.reference;
  report.options = options.compare;
  report.facts = facts_of(observed, reference, options.compare);
  report.facts.platform = expected.platform;
  report.facts.schedules = expected.schedules;
  report.components = expected.components;
  report.lateness = options.lateness;
  for (Finding& finding : diagnose(comparison, observed, expected, reference))
    (finding.withheld.empty() ? report.findings : report.withheld).push_back(std::move(finding));
  report.totals = comparison.totals;
  report.rows = std::move(comparison.rows);
  report.not_judged = std::move(comparison.not_judged);
  report.shared_cores = std::move(comparison.shared_cores);
  report.failed_calls = failed_calls(observed);
  std::vector<std::string> remarks = lines_of(observed.property("remarks"));
  remarks.insert(remarks.end(), expected.remarks.begin(), expected.remarks.end());
  set_notes(report, std::move(remarks), options.notes);
  return report;
}

}  // namespace

Report make_report(const Program& observed, const Expected& expected, const ReportOptions& options) {
  return assemble(compare(observed, expected, options.compare), observed, expected, nullptr, options);
}

Report make_report(const Program& observed, const Program& reference, const ReportOptions& options) {
  const Expected expected = columns_of_run(observed, reference, options.compare, options.scratch);
  return assemble(compare_columns(observed, expected, ReferenceRun::kObserved, options.compare), observed, expected,
                  &reference, options);
}

Report make_report(const Comparison& comparison, const Program& observed, const Expected& expected,
                   const Program* reference, const ReportOptions& options) {
  return assemble(comparison, observed, expected, reference, options);
}

}  // namespace plumbline::replay
