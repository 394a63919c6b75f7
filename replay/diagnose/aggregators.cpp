#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  TimeSum structure, beyond;                   // sums over ranks
  double calls = 0;                            // each on all ranks of its communicator
  std::uint64_t makers = 0, ideal_makers = 0;  // ranks that made POSIX operations, over all calls
  std::set<std::uint32_t> ranks, nodes;

  // Of a call in the mean: calls of one place have communicators and files of their own.
  std::uint64_t aggregators() const { return rounded(makers); }
  // The ideal form has at most one on each node, and as many operations as aggregators where it has no gaps.
  std::uint64_t ideal_aggregators() const { return std::min<std::uint64_t>(rounded(ideal_makers), nodes.size()); }
  // Where ranks leave a call as soon as an aggregator has their data, they come to the next one before it, so neither
  // the busiest rank nor the last one of each call says what the run would save.
  TimeSum mean_loss() const { return structure.mean(ranks.size()); }

 private:
  std::uint64_t rounded(std::uint64_t sum) const {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(sum) / calls));
  }
};

void add(SharedAccess& access, const Row& row, const Program& observed) {
  access.rows.push_back(&row);
  access.structure += row.structure;
  access.beyond += row.own.beyond_above;
  access.calls += static_cast<double>(row.judged) / std::max(row.key.comm_size, 1U);
  access.makers += row.inner.makers;
  access.ideal_makers += row.inner.needed;
  for (const RankPart& part : row.parts) {
    access.ranks.insert(part.rank);
    access.nodes.insert(observed.rank(part.rank).node);
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
  const Row& row = costliest_by_structure(access.rows);
  const std::uint64_t aggregators = access.aggregators(), ideal = access.ideal_aggregators();
  Finding finding = structure_finding(access.rows, access.mean_loss(), comparison);
  finding.component = "aggregators of MPI-IO on " + (row.file.empty() ? "an unnamed file" : row.file);
  finding.title = fmt::format("{}{} went through {}; {} on as many nodes are faster here", row.call, at_site(row),
                              plural(aggregators, "aggregator"), ideal);
  finding.cost_is_of = "each rank in the mean";
  finding.evidence.push_back({"aggregators", static_cast<double>(aggregators), "1"});
  finding.evidence.push_back({std::string(kIdealAggregators), static_cast<double>(ideal), "1"});
  finding.advice = advice_on_aggregators(observed, comparison, row, ideal);
  return finding;
}

}  // namespace

std::vector<Finding> few_aggregators(const Comparison& comparison, const Program& observed,
                                     const std::vector<Finding>& told) {
  std::vector<Finding> findings;
  if (comparison.reference != ReferenceRun::kExpected) return findings;
  for (const SharedAccess& access : shared_accesses(comparison, observed, told)) {
    if (access.makers == 0 || access.aggregators() >= access.ideal_aggregators()) continue;
    if (!matters(access.mean_loss(), comparison) || !matters(access.beyond, comparison) || !is_shown(access.rows))
      continue;
    Finding finding = finding_of(access, comparison, observed);
    if (!finding.advice.empty()) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::replay
