#include "replay/diagnose/diagnose.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "replay/compare/instances.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {

std::vector<Finding> diagnose(const Comparison& comparison, const Program& observed, const Expected& expected,
                              const Program* reference) {
  SplitIo split = split_io(comparison, observed, reference);
  std::vector<Finding> findings = std::move(split.findings);
  std::ranges::move(few_aggregators(comparison, observed, findings), std::back_inserter(findings));
  std::ranges::move(costly_algorithms(comparison, observed, expected), std::back_inserter(findings));
  std::ranges::move(slower_than_peers(comparison, observed, expected), std::back_inserter(findings));
  std::ranges::move(slower_than_reference(comparison, split.explained), std::back_inserter(findings));
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return std::tuple(!a.withheld.empty(), -a.cost, a.reference) <
           std::tuple(!b.withheld.empty(), -b.cost, b.reference);
  });
  return findings;
}

TimeSum largest_on_one_rank(std::span<const Row* const> rows, const std::function<TimeSum(const RankPart&)>& of) {
  std::map<std::uint32_t, TimeSum> sums;
  for (const Row* row : rows)
    for (const RankPart& part : row->parts) sums[part.rank] += of(part);
  TimeSum largest;
  for (const auto& [rank, sum] : sums) largest = std::max(largest, sum);
  return largest;
}

std::vector<std::uint32_t> ranks_of(std::span<const Row* const> rows) {
  std::set<std::uint32_t> ranks;
  for (const Row* row : rows)
    for (const RankPart& part : row->parts) ranks.insert(part.rank);
  return {ranks.begin(), ranks.end()};
}

void point_to(Finding& finding, const Comparison& comparison, std::span<const Row* const> rows) {
  for (const Row* row : rows) {
    finding.rows.push_back(static_cast<std::uint32_t>(row - comparison.rows.data()));
    for (const Instance& instance : row->instances) keep_worst(finding.instances, instance);
  }
  std::ranges::sort(finding.rows);
}

bool is_shown(std::span<const Row* const> rows) {
  return std::ranges::any_of(rows, [](const Row* row) { return row->own.shown || row->withheld; });
}

bool matters(TimeSum loss, const Comparison& comparison) {
  return share_of(loss, comparison.totals.run) >= comparison.options.threshold;
}

const Row& costliest_by_structure(std::span<const Row* const> rows) {
  return **std::ranges::max_element(rows, {}, [](const Row* row) { return row->structure; });
}

Finding structure_finding(std::span<const Row* const> rows, TimeSum cost, const Comparison& comparison) {
  const Row& row = costliest_by_structure(rows);
  TimeSum structure, as_run, ideal;
  Finding finding;
  for (const Row* each : rows) {
    structure += each->structure;
    as_run += each->as_run_upper;
    ideal += each->upper;
    finding.operations += each->judged;
  }
  finding.reference = Reference::kStructure;
  finding.cost = cost;
  finding.share = share_of(cost, comparison.totals.run);
  finding.share_of_excess = part_of_all(structure, comparison);
  finding.confidence = confidence_of(row.own);
  finding.basis = "both by the model, as far as it was observed; " + basis_of(comparison, row.own);
  finding.evidence = {{"as_run", as_run.seconds(), "s"},
                      {"ideal", ideal.seconds(), "s"},
                      {"structure_excess", structure.seconds(), "s"}};
  finding.call = row.call;
  finding.site = row.site;
  finding.ranks = ranks_of(rows);
  point_to(finding, comparison, rows);
  if (row.withheld) finding.withheld = row.reason;
  return finding;
}

double part_of_all(TimeSum loss, const Comparison& comparison) {
  return std::clamp(share_of(loss, comparison.totals.lost()), 0.0, 1.0);
}

std::string at_site(const Row& row) { return row.site.empty() ? "" : " at " + row.site; }

std::string_view word(Reference reference) {
  switch (reference) {
    case Reference::kStructure:
      return "structure";
    case Reference::kPeers:
      return "peers";
    case Reference::kNominal:
      return "nominal";
    case Reference::kBaseline:
      return "baseline";
  }
  return "";
}

std::string_view word(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCertain:
      return "certain";
    case Confidence::kHigh:
      return "high";
    case Confidence::kGood:
      return "good";
    case Confidence::kLow:
      return "low";
  }
  return "";
}

}  // namespace plumbline::replay
