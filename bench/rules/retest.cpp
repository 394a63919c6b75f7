#include "bench/rules/retest.hpp"

#include "bench/rules/campaign.hpp"

namespace plumbline::bench {
namespace {

constexpr std::uint32_t kRuns = 5;
constexpr double kLeastP = 0.05;

bool is_same_but_for_the_mpi(const Suspect& suspect, const RuleOutcome& outcome) {
  return outcome.rule == suspect.rule && outcome.comparison == suspect.comparison && outcome.nodes == suspect.nodes &&
         outcome.per_node == suspect.per_node && outcome.of_fast == suspect.of_fast &&
         outcome.of_slow == suspect.of_slow && outcome.not_judged.empty();
}

bool is_seen(const RuleOutcome& outcome, const RuleOptions& options) {
  return outcome.p <= kLeastP && outcome.ratio >= outcome.allowed * options.least_ratio && !outcome.overlapping;
}

}  // namespace

Suspect suspect_of(const RuleOutcome& outcome) {
  return {outcome.rule,    outcome.comparison, outcome.mpi,   outcome.nodes,  outcome.per_node,
          outcome.of_fast, outcome.of_slow,    outcome.cells, outcome.fast_s, outcome.slow_s};
}

std::vector<Suspect> suspects_of(const RulesVerdict& verdict) {
  std::vector<Suspect> suspects;
  for (const RuleSummary& summary : verdict.summaries)
    if (summary.violated && summary.worst) suspects.push_back(suspect_of(verdict.outcomes[*summary.worst]));
  return suspects;
}

std::string retest_text(const std::vector<Suspect>& suspects, const RulesCampaign& options) {
  std::vector<RuleCell> cells;
  for (const Suspect& suspect : suspects) cells.insert(cells.end(), suspect.cells.begin(), suspect.cells.end());
  RulesCampaign few = options;
  few.runs = kRuns;
  return campaign_text_of(cells, few);
}

RuleRetest retest_of(const Suspect& suspect, std::span<const Campaign> again, const RuleOptions& options) {
  RuleRetest retest;
  bool everywhere = !again.empty();
  for (const Campaign& campaign : again) {
    bool seen = false;
    for (const RuleOutcome& outcome : judge_rules(campaign, options).outcomes) {
      if (!is_same_but_for_the_mpi(suspect, outcome)) continue;
      const bool own = outcome.mpi == suspect.mpi;
      seen = seen || (own && is_seen(outcome, options));
      (own ? retest.fast_s : retest.twin_fast_s).push_back(outcome.fast_s);
      (own ? retest.slow_s : retest.twin_slow_s).push_back(outcome.slow_s);
    }
    everywhere = everywhere && seen;
  }
  retest.persists = everywhere;
  return retest;
}

}  // namespace plumbline::bench
