#include "cli/workflows/validate/measure/rule_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/results/campaign_file.hpp"
#include "bench/results/shared_cores.hpp"
#include "bench/rules/campaign.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"

namespace plumbline::cli::validate {
namespace {

constexpr double kSecondsOfTrial = 5;

bench::Run placement_of(const std::vector<node::RankIdentity>& ranks) {
  bench::Run run;
  for (const node::RankIdentity& rank : ranks) {
    const auto known = std::ranges::find(run.hosts, rank.host);
    const auto first = static_cast<std::size_t>(known - run.hosts.begin());
    run.node_of.push_back(known == run.hosts.end() ? static_cast<std::uint32_t>(run.hosts.size()) : run.node_of[first]);
    run.hosts.push_back(rank.host);
    run.boots.push_back(rank.boot_id);
    run.bindings.push_back(rank.affinity);
  }
  return run;
}

// A collective call of all ranks, and a message within a node and between nodes: each layout of the rules is one of
// theirs.
std::vector<bench::RuleCell> cells_of_trial(const bench::RulesCampaign& options) {
  constexpr std::uint64_t kBytes = 8;
  std::vector<bench::RuleCell> cells{{"bcast", {}, bench::Place::kOfLayout, kBytes},
                                     {"round_trip", {}, bench::Place::kOfLayout, kBytes}};
  if (options.nodes > 1) cells.push_back({"round_trip", {}, bench::Place::kBetweenNodes, kBytes});
  return cells;
}

bench::Campaign trial_of(Session& session, const MpiResult& result) {
  bench::RulesCampaign options = rules_campaign_on(session, result);
  options.runs = 1;
  options.least = 2;
  const std::string& flavour = result.mpi->installed.flavour;
  session.begin_step(fmt::format("placement of the ranks of the rules, {}", flavour));
  const auto file = session.directory / fmt::format("placement-{}.h5", flavour);
  run_campaign_for_places(session, bench::campaign_text_of(cells_of_trial(options), options), "placement", file,
                          kSecondsOfTrial);
  return bench::read_campaign(file);
}

}  // namespace

std::string sharing_of(const std::vector<node::RankIdentity>& ranks) { return bench::sharing_of(placement_of(ranks)); }

std::string why_no_rule_can_be_judged(Session& session, const MpiResult& result) {
  const std::string sharing = sharing_of(result.ranks);
  if (sharing.empty()) return "";
  const bench::Campaign trial = trial_of(session, result);
  const bool all_share =
      std::ranges::none_of(trial.runs, [](const auto& run) { return bench::sharing_of(run).empty(); });
  return all_share && !trial.runs.empty() ? sharing : "";
}

bench::RulesVerdict verdict_on_no_rule(const MpiResult& result, const std::string& why) {
  bench::RulesVerdict verdict;
  for (const bench::Rule& rule : bench::rules()) {
    bench::RuleSummary summary;
    summary.rule = &rule;
    summary.mpi = result.mpi->installed.flavour;
    summary.nodes = result.mpi->layout.nodes;
    summary.per_node = result.mpi->layout.per_node;
    summary.not_judged = why;
    verdict.summaries.push_back(std::move(summary));
  }
  return verdict;
}

}  // namespace plumbline::cli::validate
