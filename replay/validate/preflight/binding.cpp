#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/node/cpu_list.hpp"
#include "replay/validate/preflight/parts.hpp"
#include "replay/validate/preflight/placement.hpp"

namespace plumbline::replay::validate {
namespace {

std::vector<std::vector<std::uint32_t>> masks_of(const NodeRanks& node) {
  std::vector<std::vector<std::uint32_t>> masks;
  for (const node::RankIdentity* rank : node.ranks) masks.push_back(node::processors_of(rank->affinity));
  return masks;
}

std::vector<Datum> rows_of_masks(const NodeRanks& node, const std::vector<std::size_t>& ranks) {
  std::vector<Datum> rows;
  for (const std::size_t i : ranks) {
    const std::string name = fmt::format("{} rank {}", node.host, node.ranks[i]->world_rank);
    rows.push_back({name, node.ranks[i]->affinity, "processors"});
  }
  return rows;
}

void judge_overlap(const NodeRanks& node, const Crowd& crowd, Judgement& into) {
  std::vector<std::string> numbers;
  for (const std::size_t i : crowd.ranks) numbers.push_back(std::to_string(node.ranks[i]->world_rank));
  Diagnosis& diagnosis = add_finding(into, "launch.binding.overlap",
                                     fmt::format("{} ranks on {} are bound to {} {}: ranks {}", crowd.ranks.size(),
                                                 node.host, crowd.processors.size() == 1 ? "processor" : "processors",
                                                 node::processor_list(crowd.processors), some_of(numbers)),
                                     "binding", {node.host}, rows_of_masks(node, crowd.ranks));
  diagnosis.remedy.openmpi = {"OMPI_MCA_hwloc_base_binding_policy=core", "OMPI_MCA_rmaps_base_mapping_policy=core"};
  diagnosis.remedy.mpich = {"mpiexec.hydra -bind-to core"};
}

}  // namespace

// Ranks that may run on every processor of the node are no overlap, but unbound; too many of them are judged by cores.
void judge_binding(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> unbound;
  for (const NodeRanks& node : by_node(input.ranks)) {
    const auto masks = masks_of(node);
    const Crowd crowd = find_crowd(masks);
    if (!crowd.ranks.empty() && crowd.processors.size() < node.ranks.front()->cores) judge_overlap(node, crowd, into);
    const bool free = std::ranges::all_of(node.ranks, [](const node::RankIdentity* rank) {
      return rank->cores > 1 && node::processors_of(rank->affinity).size() >= rank->cores;
    });
    if (free && node.ranks.size() > 1) unbound.push_back(node.host);
  }
  if (!unbound.empty())
    into.observations.push_back(
        {"launch.binding.none", "Ranks may run on every processor of their node, and migrate", "binding", unbound, {}});
}

void judge_cores(const PreFlightInput& input, Judgement& into) {
  for (const NodeRanks& node : by_node(input.ranks)) {
    const node::RankIdentity& first = *node.ranks.front();
    const auto ranks = static_cast<double>(node.ranks.size());
    const bool by_quota = first.quota_cores > 0 && first.quota_cores < ranks;
    const bool by_cores = first.cores > 0 && first.cores < node.ranks.size();
    if (!by_quota && !by_cores) continue;
    const std::string limit =
        by_quota && (!by_cores || first.quota_cores < first.cores)
            ? fmt::format("whose control group has a quota of {:.4g} processors", first.quota_cores)
            : fmt::format("which has {} {}", first.cores, first.cores == 1 ? "processor" : "processors");
    Diagnosis& diagnosis =
        add_finding(into, "launch.ranks.cores",
                    fmt::format("{} ranks share {}, {}{}", node.ranks.size(), node.host, limit,
                                first.yields ? "; those that wait give the processor away"
                                             : "; those that wait keep the processor"),
                    by_cores ? "cores" : "quota", {node.host},
                    {{"ranks", std::to_string(node.ranks.size()), ""},
                     {"processors online", std::to_string(first.cores), ""},
                     {"quota", first.quota_cores > 0 ? fmt::format("{:.4g}", first.quota_cores) : "none", "processors"},
                     {"idle ranks yield", first.yields ? "yes" : "no", ""}});
    if (!first.yields) diagnosis.remedy.openmpi = {"OMPI_MCA_mpi_yield_when_idle=1"};
    diagnosis.remedy.mpich = {fmt::format("mpiexec.hydra -ppn {} -n N PROGRAM", first.cores)};
  }
}

}  // namespace plumbline::replay::validate
