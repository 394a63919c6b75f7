#pragma once
// Campaigns of rules, made up.

#include <map>
#include <string>
#include <vector>

#include "bench/rules/rules.hpp"

namespace plumbline::bench::test {

using Words = std::map<std::string, std::string>;

// Runs of one layout; cells are added to them.
class MadeCampaign {
 public:
  explicit MadeCampaign(std::uint32_t runs = 8, std::uint32_t nodes = 1, std::uint32_t per_node = 2,
                        const std::string& mpi = "openmpi")
      : runs_(runs) {
    add_layout(nodes, per_node, mpi);
  }

  // Cells behind it are of these runs.
  void add_layout(std::uint32_t nodes, std::uint32_t per_node, const std::string& mpi = "openmpi") {
    first_ = static_cast<std::uint32_t>(campaign_.runs.size());
    for (std::uint32_t i = 0; i < runs_; ++i) {
      Run& run = campaign_.runs.emplace_back();
      run.mpi = mpi;
      run.nodes = nodes;
      run.per_node = per_node;
      for (std::uint32_t rank = 0; rank < nodes * per_node; ++rank) {
        run.node_of.push_back(rank / per_node);
        run.bindings.push_back(std::to_string(rank));
      }
    }
  }

  // Medians of the runs are `us` and by one per mille more in each run, so that no two are equal.
  void add(const std::string& operation, std::uint64_t bytes, double us, const Words& words = {},
           bool is_pair = false) {
    std::vector<double> medians;
    for (std::uint32_t i = 0; i < runs_; ++i) medians.push_back(us * (1 + 0.001 * i));
    add_runs(operation, bytes, medians, words, is_pair);
  }

  void add_runs(const std::string& operation, std::uint64_t bytes, const std::vector<double>& us,
                const Words& words = {}, bool is_pair = false) {
    for (std::uint32_t i = 0; i < us.size(); ++i) {
      Cell cell{operation, "library", bytes, first_ + i};
      cell.words = words;
      if (is_pair) cell.ranks = {0, 1};
      cell.timing = "max";
      cell.isolation = "barrier";
      cell.seconds = {1e-6 * us[i], 1e-6 * us[i], 2e-6 * us[i]};
      cell.flags = {0, 0, 0};
      campaign_.cells.push_back(cell);
    }
  }

  Campaign& campaign() { return campaign_; }

 private:
  std::uint32_t runs_, first_ = 0;
  Campaign campaign_;
};

inline std::vector<RuleOutcome> outcomes_of(const RulesVerdict& verdict, std::string_view id) {
  std::vector<RuleOutcome> found;
  for (const RuleOutcome& outcome : verdict.outcomes)
    if (outcome.rule->id == id) found.push_back(outcome);
  return found;
}

inline const RuleSummary* summary_of(const RulesVerdict& verdict, std::string_view id,
                                     std::string_view mpi = "openmpi") {
  for (const RuleSummary& summary : verdict.summaries)
    if (summary.rule->id == id && summary.mpi == mpi) return &summary;
  return nullptr;
}

}  // namespace plumbline::bench::test
