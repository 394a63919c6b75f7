#include "tracer/archive/node_facts.hpp"

#include <charconv>
#include <string_view>

#include "tracer/archive/names.hpp"

namespace plumbline::archive {
namespace {

void add(std::string_view name, const std::string& value, NodeFacts& into) {
  const auto behind = [&](std::string_view prefix) { return std::string(name.substr(prefix.size())); };
  if (name.starts_with(names::kNodeFact)) {
    into.settings.emplace(behind(names::kNodeFact), value);
  } else if (name.starts_with(names::kNodeUnreadable)) {
    into.unreadable.emplace(behind(names::kNodeUnreadable), value);
  } else if (name.starts_with(names::kNodeGrowth)) {
    double grown = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), grown);
    if (fault == std::errc{} && end == value.data() + value.size())
      into.growth.emplace(behind(names::kNodeGrowth), grown);
  } else {
    into.properties.emplace(name, value);
  }
}

}  // namespace

std::map<std::string, NodeFacts> node_facts(const Definitions& definitions) {
  std::map<std::string, NodeFacts> nodes;
  for (const SystemTreeNode& node : definitions.system_tree) {
    if (!node.properties.contains(names::kPropertyNodeRead)) continue;
    NodeFacts& facts = nodes[definitions.strings[node.name]];
    for (const auto& [name, value] : node.properties) add(name, value, facts);
  }
  return nodes;
}

}  // namespace plumbline::archive
