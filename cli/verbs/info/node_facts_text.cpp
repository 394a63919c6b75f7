#include "cli/verbs/info/node_facts_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/quantity.hpp"
#include "cli/workflows/archive_nodes.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/node_facts.hpp"

namespace plumbline::cli {
namespace {

namespace names = archive::names;
using NodesFacts = std::map<std::string, archive::NodeFacts>;

std::string text_of(const replay::validate::Observation& observation) {
  std::vector<std::string> rows;
  for (const replay::validate::Datum& row : observation.rows)
    rows.push_back(fmt::format("{} {}{}{}", row.name, row.value, row.unit.empty() ? "" : " ", row.unit));
  return fmt::format("{}{}{}: {}", observation.text,
                     observation.component.empty() ? "" : " (" + observation.component + ")",
                     observation.places.empty() ? "" : fmt::format(", on {}", fmt::join(observation.places, ", ")),
                     fmt::join(rows, ", "));
}

std::string property(const archive::NodeFacts& facts, const char* name) {
  const auto found = facts.properties.find(name);
  return found == facts.properties.end() ? "" : found->second;
}

std::string heading_of(const std::string& host, const archive::NodeFacts& facts) {
  const auto cost = parse_duration(property(facts, names::kPropertyNodeCost) + "ps");
  const std::string lacks = property(facts, names::kPropertyNodeLacks);
  return fmt::format("node {}: read {}{}{}\n", host, property(facts, names::kPropertyNodeRead),
                     cost ? fmt::format(", in {}", format(*cost)) : "",
                     lacks.empty() ? "" : fmt::format("; broken off for want of {}", lacks));
}

std::string lines_of(const char* title, const std::map<std::string, std::string>& values) {
  if (values.empty()) return {};
  std::size_t width = 0;
  for (const auto& [name, value] : values) width = std::max(width, name.size());
  std::string text = fmt::format("  {}\n", title);
  for (const auto& [name, value] : values) text += fmt::format("    {:<{}}  {}\n", name, width, value);
  return text;
}

// Takes out of all nodes what each of them has with the same value.
std::map<std::string, std::string> take_common(NodesFacts& nodes) {
  std::map<std::string, std::string> common;
  for (const auto& [name, value] : nodes.begin()->second.settings)
    if (std::ranges::all_of(nodes, [&, &name = name, &value = value](const auto& node) {
          const auto found = node.second.settings.find(name);
          return found != node.second.settings.end() && found->second == value;
        }))
      common.emplace(name, value);
  for (auto& [host, of_node] : nodes)
    std::erase_if(of_node.settings, [&](const auto& fact) { return common.contains(fact.first); });
  return common;
}

}  // namespace

std::string describe_growth(const archive::Definitions& definitions) {
  std::string text;
  for (const replay::validate::Observation& each : growth_on(archive::node_facts(definitions)))
    text += fmt::format("  {}\n", text_of(each));
  return text;
}

std::string node_facts_text(const archive::Definitions& definitions) {
  NodesFacts nodes = archive::node_facts(definitions);
  if (nodes.empty()) return "the archive says nothing of its nodes\n";
  std::string text;
  for (const replay::validate::Observation& each : observations_on(nodes))
    text += fmt::format("observed, {}: {}\n", each.id, text_of(each));
  const bool several = nodes.size() > 1;
  if (several) text += "all nodes\n" + lines_of("facts", take_common(nodes));
  for (const auto& [host, of_node] : nodes) {
    std::map<std::string, std::string> grown;
    for (const auto& [name, by] : of_node.growth) grown.emplace(name, fmt::format("{:.15g}", by));
    text += heading_of(host, of_node) + lines_of("has grown", grown) +
            lines_of(several ? "facts that not all have alike" : "facts", of_node.settings) +
            lines_of("could not be read", of_node.unreadable);
  }
  return text;
}

}  // namespace plumbline::cli
