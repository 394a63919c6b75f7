#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "replay/compare/result/wording.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

// All rows of one collective access to files at one place in the program.
struct SharedAccess {
  std::vector<const Row*> rows;
  TimeSum structure, beyond, as_run, ideal;  // sums over ranks
  std::uint64_t calls = 0;
  std::set<std::uint32_t> ranks;
  std::set<std::uint32_t> makers;  // those that made the POSIX operations
  std::set<std::uint32_t> nodes;   // of ranks with data, on each of which the ideal form has an aggregator

  bool is_shown() const {
    return std::ranges::any_of(rows, [](const Row* row) { return row->own.shown || row->withheld; });
  }
  // Where ranks leave a call as soon as an aggregator has their data, they come to the next one before it, so neither
  // the busiest rank nor the last one of each call says what the run would save.
  TimeSum mean_loss() const { return structure.mean(ranks.size()); }
  // With as many aggregators as the ideal form has, what the call lost lies elsewhere.
  bool has_few_aggregators() const { return !makers.empty() && makers.size() < nodes.size(); }
};

void add(SharedAccess& access, const Row& row, const Program& observed) {
  access.rows.push_back(&row);
  access.structure += row.structure;
  access.beyond += row.own.beyond_above;
  access.as_run += row.as_run_upper;
  access.ideal += row.upper;
  access.calls += row.judged;
  for (const RankPart& part : row.parts) {
    access.ranks.insert(part.rank);
    if (row.key.size_class > 0) access.nodes.insert(observed.rank(part.rank).node);
    if (part.inner_time > TimeSum{}) access.makers.insert(part.rank);
  }
}

// Without rows that a finding is about already.
std::vector<SharedAccess> shared_accesses(const Comparison& comparison, const Program& observed,
                                          const std::vector<Finding>& told) {
  std::set<const Row*> left_out;
  for (const Finding& finding : told)
    for (const std::uint32_t row : finding.rows) left_out.insert(&comparison.rows[row]);
  std::map<std::tuple<std::string, std::uint32_t, OpKind>, SharedAccess> accesses;
  for (const Row& row : comparison.rows) {
    const bool is_access = row.key.kind == OpKind::kIoRead || row.key.kind == OpKind::kIoWrite;
    if (!is_access || !row.collective || row.judged == 0 || left_out.contains(&row)) continue;
    add(accesses[{row.call, row.key.site, row.key.kind}], row, observed);
  }
  std::vector<SharedAccess> shared;
  for (auto& [key, access] : accesses) shared.push_back(std::move(access));
  return shared;
}

Finding finding_of(const SharedAccess& access, const Comparison& comparison, const Program& observed) {
  const Row& row = **std::ranges::max_element(access.rows, {}, [](const Row* each) { return each->structure; });
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  Finding finding;
  finding.reference = Reference::kStructure;
  finding.component = "aggregators of MPI-IO on " + (row.file.empty() ? "an unnamed file" : row.file);
  finding.cost = access.mean_loss();
  finding.cost_is_of = "each rank in the mean";
  finding.share = share_of(finding.cost, comparison.totals.run);
  finding.title = fmt::format("{} accessed the file for all {} nodes in {}{}; one on each node is faster here",
                              plural(access.makers.size(), "rank"), access.nodes.size(), row.call, at_site(row));
  finding.share_of_excess = part_of_all(access.structure, comparison);
  finding.confidence = confidence_of(row.own);
  finding.basis = "both by the model, as far as it was observed; " + basis_of(comparison, row.own);
  finding.evidence = {{"aggregators", number(access.makers.size()), "1"},
                      {"nodes", number(access.nodes.size()), "1"},
                      {"as_run", access.as_run.seconds(), "s"},
                      {"ideal", access.ideal.seconds(), "s"},
                      {"structure_excess", access.structure.seconds(), "s"}};
  finding.call = row.call;
  finding.site = row.site;
  finding.operations = access.calls;
  finding.ranks.assign(access.ranks.begin(), access.ranks.end());
  finding.advice = advice_on_aggregators(observed, comparison, row, access.nodes.size());
  point_to(finding, comparison, access.rows);
  if (row.withheld) finding.withheld = row.reason;
  return finding;
}

}  // namespace

std::vector<Finding> few_aggregators(const Comparison& comparison, const Program& observed,
                                     const std::vector<Finding>& told) {
  std::vector<Finding> findings;
  if (comparison.reference != ReferenceRun::kExpected) return findings;
  const auto matters = [&](TimeSum loss) {
    return share_of(loss, comparison.totals.run) >= comparison.options.threshold;
  };
  for (const SharedAccess& access : shared_accesses(comparison, observed, told)) {
    if (!access.has_few_aggregators() || !matters(access.mean_loss()) || !matters(access.beyond) || !access.is_shown())
      continue;
    Finding finding = finding_of(access, comparison, observed);
    if (!finding.advice.empty()) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::replay
