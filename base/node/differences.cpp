#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "base/node/facts.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

// What no two nodes have in common, or what is different from one moment to the next.
bool differs_by_nature(std::string_view name) {
  constexpr std::string_view kNames[] = {"kernel.host",
                                         "kernel.boot_id",
                                         "kernel.cmdline",
                                         "cgroup.path",
                                         "process.cpus_allowed",
                                         "process.mems_allowed",
                                         "cpu.current_least_mhz",
                                         "cpu.current_most_mhz",
                                         "sysctl.net.ipv4.tcp_mem",
                                         "memory.first_use_idle_bytes_s",
                                         "memory.first_use_recent_bytes_s"};
  constexpr std::string_view kEnds[] = {".free_bytes", ".files", ".free_files", ".action_percent", ".model"};
  return std::ranges::find(kNames, name) != std::end(kNames) ||
         (!name.starts_with("cpu.") &&
          std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); }));
}

// Sizes that the firmware's share of memory changes from node to node by some pages.
bool is_size(std::string_view name) {
  return name.ends_with(".bytes") && (name.starts_with("memory.") || name.starts_with("shm.") ||
                                      name.starts_with("disk.") || name.starts_with("mount."));
}

bool are_alike(const std::map<std::string, std::vector<std::string>>& nodes_of) {
  std::uint64_t least = UINT64_MAX, most = 0;
  for (const auto& [value, nodes] : nodes_of) {
    const auto number = number_of(value);
    if (!number) return false;
    least = std::min(least, *number);
    most = std::max(most, *number);
  }
  return most - least <= least / 100;
}

// Virtual interfaces (of containers, bridges, tunnels) come and go under names of their own: without a device behind
// them, they count only where all nodes have them.
bool is_passing(std::string_view name, const std::vector<Facts>& facts) {
  if (!name.starts_with("net.")) return false;
  const std::string interface(name.substr(0, name.rfind('.')));
  const auto there = [&](const char* fact) {
    return std::ranges::count_if(facts, [&](const Facts& of) { return !of.value(interface + fact).empty(); });
  };
  return there(".driver") == 0 && there(".mtu_bytes") != static_cast<std::ptrdiff_t>(facts.size());
}

}  // namespace

std::vector<Difference> differences(const std::vector<std::string>& nodes, const std::vector<Facts>& facts) {
  PLUMBLINE_CHECK(nodes.size() == facts.size(), "as many nodes as facts");
  std::set<std::string> names;
  for (const Facts& of : facts)
    for (const auto& [name, fact] : of.facts) names.insert(name);
  std::vector<Difference> all;
  for (const std::string& name : names) {
    if (differs_by_nature(name)) continue;
    Difference difference{name, {}};
    for (std::size_t i = 0; i < nodes.size(); ++i)
      difference.nodes_of[std::string(facts[i].value(name))].push_back(nodes[i]);
    if (difference.nodes_of.size() < 2 || is_passing(name, facts)) continue;
    if (!is_size(name) || !are_alike(difference.nodes_of)) all.push_back(std::move(difference));
  }
  return all;
}

}  // namespace plumbline::node
