#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/preflight/parts.hpp"

namespace plumbline::replay::validate {
namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

// The check that a fact belongs to.
std::string_view check_of(std::string_view name) {
  if (name.starts_with("net.") && name.ends_with(".mtu_bytes")) return "net.mtu.uniform";
  if (name.starts_with("net.") && ends_with_any(name, {".speed_mbit", ".duplex"})) return "net.link.speed";
  if (name.starts_with("rdma.") && ends_with_any(name, {".rate_gbit", ".lanes", ".link_layer"}))
    return "net.link.speed";
  if (name.starts_with("kernel.") || name == "cpu.microcode" || name.ends_with(".firmware"))
    return "node.uniform.kernel";
  if (name.starts_with("mount.")) return "node.uniform.mounts";
  return "node.uniform.settings";
}

// "net.eth0.mtu_bytes" -> "eth0"; other facts by their name.
std::string component_of(std::string_view name) {
  for (const std::string_view begin : {"net.", "rdma.", "mount.", "disk."})
    if (name.starts_with(begin) && name.rfind('.') > begin.size())
      return std::string(name.substr(begin.size(), name.rfind('.') - begin.size()));
  return std::string(name);
}

using NodesOf = std::map<std::string, std::vector<std::string>>;

// All but those of the value that most nodes have; all where none has more than the others.
std::vector<std::string> odd_ones(const NodesOf& nodes_of) {
  std::size_t most = 0, having_most = 0;
  for (const auto& [value, nodes] : nodes_of) most = std::max(most, nodes.size());
  for (const auto& [value, nodes] : nodes_of) having_most += nodes.size() == most ? 1 : 0;
  std::vector<std::string> odd;
  for (const auto& [value, nodes] : nodes_of)
    if (having_most > 1 || nodes.size() < most) odd.insert(odd.end(), nodes.begin(), nodes.end());
  std::ranges::sort(odd);
  return odd;
}

void add_difference(const node::Difference& difference, Judgement& into) {
  Observation& seen = into.observations.emplace_back();
  seen.id = check_of(difference.name);
  seen.component = component_of(difference.name);
  seen.places = odd_ones(difference.nodes_of);
  for (const auto& [value, nodes] : difference.nodes_of) {
    const std::string shown = value.empty() ? "not there" : value;
    seen.text +=
        fmt::format("{}{} on {}", seen.text.empty() ? difference.name + " is not the same on all nodes: " : "; ", shown,
                    some_of(nodes));
    seen.rows.push_back({difference.name + " on " + some_of(nodes), shown, ""});
  }
}

// Of the links that carry messages a missing one is no other speed; that the interface is missing is told by its
// driver.
bool only_some_have_it(const node::Difference& difference) {
  return difference.nodes_of.size() == 2 && difference.nodes_of.contains("");
}

void judge_duplex(const PreFlightInput& input, Judgement& into) {
  for (const NodeSettings& node : input.nodes)
    for (const auto& [name, fact] : node.facts.facts) {
      if (!name.starts_with("net.") || !name.ends_with(".duplex") || fact.value != "half") continue;
      const std::string interface = component_of(name);
      into.observations.push_back({"net.link.speed",
                                   fmt::format("{} of {} has negotiated half duplex", interface, node.host),
                                   interface,
                                   {node.host},
                                   {{name, "half", ""},
                                    {"net." + interface + ".speed_mbit",
                                     std::string(node.facts.value("net." + interface + ".speed_mbit")), "Mbit/s"}}});
    }
}

// Nodes with another build of the MPI library.
void judge_libraries(const PreFlightInput& input, Judgement& into) {
  node::Difference difference{"MPI library", {}};
  for (const NodeRanks& node : by_node(input.ranks))
    difference.nodes_of[node.ranks.front()->library].push_back(node.host);
  if (difference.nodes_of.size() < 2) return;
  add_difference(difference, into);
  into.observations.back().id = "node.uniform.kernel";
}

}  // namespace

void judge_uniformity(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> hosts;
  std::vector<node::Facts> facts;
  for (const NodeSettings& node : input.nodes) {
    hosts.push_back(node.host);
    facts.push_back(node.facts);
  }
  for (const node::Difference& difference : node::differences(hosts, facts)) {
    const bool of_link = check_of(difference.name).starts_with("net.");
    if (!of_link || !only_some_have_it(difference)) add_difference(difference, into);
  }
  judge_duplex(input, into);
  judge_libraries(input, into);
}

}  // namespace plumbline::replay::validate
