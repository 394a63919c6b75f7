// What a rank-sum test says of both sides of a rule, and of a rule as a whole.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/quantity.hpp"
#include "base/statistics/false_discovery.hpp"
#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "base/units.hpp"
#include "bench/rules/sides.hpp"

namespace plumbline::bench {
namespace {

constexpr double kLargeViolation = 2;  // of one size, alone enough

// Between two of the values in proportion: by the nearest one, quartiles of few runs would be their ends.
double quartile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

Spread quartiles(const std::vector<double>& values) { return {quartile(values, 0.25), quartile(values, 0.75)}; }

// Of repetitions in the median run.
Spread spread_within(const std::vector<RunBox>& boxes) {
  std::vector<double> low, high;
  for (const RunBox& box : boxes) {
    low.push_back(box.low);
    high.push_back(box.high);
  }
  return {statistics::median(low), statistics::median(high)};
}

// Of what is allowed, as the test.
bool meet(const Spread& fast, const Spread& slow, double allowed) { return fast.low <= allowed * slow.high; }

void test(RuleOutcome& outcome, bool within_runs) {
  std::vector<double> bound = outcome.slow;
  for (double& value : bound) value *= outcome.allowed;
  outcome.fast_s = statistics::median(outcome.fast);
  outcome.slow_s = statistics::median(outcome.slow);
  outcome.ratio = outcome.slow_s > 0 ? outcome.fast_s / outcome.slow_s : 0;
  outcome.p = statistics::rank_sum_test(outcome.fast, bound, statistics::Alternative::kGreater).p;
  outcome.fast_runs = quartiles(outcome.fast);
  outcome.slow_runs = quartiles(outcome.slow);
  outcome.fast_within = spread_within(outcome.fast_boxes);
  outcome.slow_within = spread_within(outcome.slow_boxes);
  outcome.overlapping = meet(outcome.fast_runs, outcome.slow_runs, outcome.allowed) ||
                        (within_runs && meet(outcome.fast_within, outcome.slow_within, outcome.allowed));
}

void test_or_say_why_not(RuleOutcome& outcome, const RuleOptions& options) {
  if (!outcome.not_judged.empty()) return;
  const std::size_t runs = std::min(outcome.fast.size(), outcome.slow.size());
  if (runs >= options.least_runs && runs > 0)
    test(outcome, options.within_runs);
  else
    outcome.not_judged = fmt::format("{} runs of one side that count, and {} are needed", runs, options.least_runs);
}

bool is_judged(const RuleOutcome& outcome) { return outcome.not_judged.empty(); }

// With all as one lot, what is found of a rule hangs on how many operations were measured at how many sizes, and on
// which other MPIs: a validation does not want that.
void adjust(std::vector<RuleOutcome>& outcomes, TestsTogether together) {
  std::map<std::pair<std::string, bool>, std::vector<RuleOutcome*>> lots;
  const auto lot_of = [&](const RuleOutcome& outcome) {
    if (together == TestsTogether::kCampaign) return std::pair(std::string(), true);
    return std::pair(outcome.mpi, outcome.rule->kind == Rule::Kind::kPattern);
  };
  for (RuleOutcome& outcome : outcomes)
    if (is_judged(outcome)) lots[lot_of(outcome)].push_back(&outcome);
  for (const auto& [lot, members] : lots) {
    std::vector<double> p;
    for (const RuleOutcome* outcome : members) p.push_back(outcome->p);
    const std::vector<double> q = statistics::benjamini_hochberg(p);
    for (std::size_t i = 0; i < members.size(); ++i) members[i]->q = q[i];
  }
}

void decide(RuleOutcome& outcome, const RuleOptions& options) {
  const bool differs = is_judged(outcome) && outcome.q <= options.least_q &&
                       excess_of(outcome) >= options.least_ratio && lost_s(outcome) > outcome.resolution_s;
  outcome.violated = differs && !outcome.overlapping;
  outcome.artefact = differs && outcome.overlapping;
}

// Outcomes of one rule in one layout, as a place in the list of all.
struct Group {
  std::size_t begin = 0, end = 0;
};

bool any_track_is_violated(const std::vector<RuleOutcome>& outcomes, const Group& group) {
  for (std::size_t begin = group.begin, end = begin; begin < group.end; begin = end) {
    while (end < group.end && outcomes[end].track == outcomes[begin].track) ++end;
    if (is_violated_as_a_whole({&outcomes[begin], end - begin})) return true;
  }
  return false;
}

RuleSummary summary_of(const std::vector<RuleOutcome>& outcomes, const Group& group) {
  const RuleOutcome& first = outcomes[group.begin];
  RuleSummary summary{first.rule, first.mpi, first.nodes, first.per_node};
  // What is violated counts before what is not.
  const auto rank = [&](std::size_t i) { return std::pair(outcomes[i].violated, excess_of(outcomes[i])); };
  for (std::size_t i = group.begin; i < group.end; ++i) {
    if (!is_judged(outcomes[i])) continue;
    ++summary.judged;
    summary.violations += outcomes[i].violated ? 1 : 0;
    if (!summary.worst || rank(i) > rank(*summary.worst)) summary.worst = i;
  }
  summary.violated = any_track_is_violated(outcomes, group);
  if (summary.judged == 0) summary.not_judged = first.not_judged;
  return summary;
}

// What became of disturbed runs, for each MPI, and what the first was disturbed by.
void note_disturbed(const Campaign& campaign, const RulesVerdict& verdict, std::vector<std::string>& notes) {
  struct Counts {
    std::size_t disturbed = 0, all = 0;
    std::string first;
  };
  std::map<std::string, Counts> of_mpis;
  for (const Run& run : campaign.runs) {
    Counts& counts = of_mpis[run.mpi];
    ++counts.all;
    if (!run.disturbances.empty() && counts.disturbed++ == 0) counts.first = run.disturbances.front();
  }
  for (const auto& [mpi, counts] : of_mpis) {
    if (counts.disturbed == 0) continue;
    const bool taken = std::ranges::any_of(
        verdict.outcomes, [&, &name = mpi](const RuleOutcome& each) { return each.disturbed && each.mpi == name; });
    notes.push_back(fmt::format("{} of {} runs of {} were disturbed{}; the first: {}", counts.disturbed, counts.all,
                                mpi, taken ? ", and count, for there are too few others" : " and are left out",
                                counts.first));
  }
}

using LayoutsOfMpis = std::map<std::string, std::set<RuleLayout>>;

LayoutsOfMpis layouts_in(const std::vector<RuleSeries>& all) {
  LayoutsOfMpis layouts;
  for (const RuleSeries& series : all) layouts[series.layout.mpi].insert(series.layout);
  return layouts;
}

// Where a rule has outcomes in no layout, a summary says what is lacking; the others are made when all are judged.
void collect(const Rule& rule, const std::set<RuleLayout>& layouts, const RuleMeasurements& measured,
             std::vector<RuleOutcome>& outcomes, std::vector<RuleSummary>& summaries, std::vector<Group>& groups) {
  std::string lacking;
  const std::size_t before = outcomes.size();
  for (const RuleLayout& layout : layouts) {
    const std::size_t begin = outcomes.size();
    std::ranges::move(sides_of(rule, layout, measured, lacking), std::back_inserter(outcomes));
    if (outcomes.size() == begin) continue;
    groups.push_back({begin, outcomes.size()});
    summaries.emplace_back();
  }
  if (outcomes.size() > before) return;
  RuleSummary none{&rule, layouts.begin()->mpi, 0, 0};
  none.not_judged = lacking;
  groups.emplace_back();
  summaries.push_back(std::move(none));
}

}  // namespace

double excess_of(const RuleOutcome& outcome) { return outcome.ratio / outcome.allowed; }

double lost_s(const RuleOutcome& outcome) { return outcome.fast_s - outcome.allowed * outcome.slow_s; }

std::string text_of(const RuleOutcome& outcome) {
  const auto time = [](double seconds) { return format(Duration{static_cast<std::int64_t>(seconds * 1e12)}); };
  return fmt::format("{} takes {}, and {} {}: {:.3g} times{}, q {:.2g}, {} and {} runs", outcome.of_fast,
                     time(outcome.fast_s), outcome.of_slow, time(outcome.slow_s), outcome.ratio,
                     outcome.allowed == 1 ? "" : fmt::format(" where {:.3g} are allowed", outcome.allowed), outcome.q,
                     outcome.fast.size(), outcome.slow.size());
}

bool is_violated_as_a_whole(std::span<const RuleOutcome> track) {
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (!track[i].violated) continue;
    const bool neighbour = i > 0 && track[i - 1].violated, has_no_sizes = track.size() == 1 && track[i].bytes == 0;
    if (neighbour || has_no_sizes || excess_of(track[i]) >= kLargeViolation) return true;
  }
  return false;
}

RulesVerdict judge_rules(const Campaign& campaign, const RuleOptions& options, std::span<const Rule> table) {
  RulesVerdict verdict;
  const RuleMeasurements measured{series_of(campaign), options};
  std::vector<Group> groups;
  for (const Rule& rule : table)
    for (const auto& [mpi, layouts] : layouts_in(measured.all))
      collect(rule, layouts, measured, verdict.outcomes, verdict.summaries, groups);
  for (RuleOutcome& outcome : verdict.outcomes) test_or_say_why_not(outcome, options);
  adjust(verdict.outcomes, options.together);
  for (RuleOutcome& outcome : verdict.outcomes) decide(outcome, options);
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].end > groups[i].begin) verdict.summaries[i] = summary_of(verdict.outcomes, groups[i]);
  if (options.disturbed != DisturbedRuns::kTake) note_disturbed(campaign, verdict, verdict.notes);
  return verdict;
}

}  // namespace plumbline::bench
