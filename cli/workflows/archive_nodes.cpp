#include "cli/workflows/archive_nodes.hpp"

#include <algorithm>

#include "replay/validate/witness/witness.hpp"
#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::cli {
namespace {

namespace rules = replay::validate;
using NodesFacts = std::map<std::string, archive::NodeFacts>;

bool has_grown(const rules::Observation& observation, const NodesFacts& nodes) {
  return std::ranges::any_of(observation.rows, [&](const rules::Datum& row) {
    const std::string counter = row.name.substr(row.name.rfind(' ') + 1);  // behind the name of its node
    return std::ranges::any_of(nodes, [&](const auto& node) { return node.second.growth.contains(counter); });
  });
}

}  // namespace

std::vector<rules::Observation> observations_on(const NodesFacts& nodes) {
  rules::WitnessInput input;
  for (const auto& [host, of_node] : nodes) {
    rules::NodeWitness& witness = input.nodes.emplace_back();
    witness.host = host;
    witness.growth = of_node.growth;
    for (const auto& [name, value] : of_node.settings) witness.settings.facts.emplace(name, node::Fact{value, ""});
  }
  return rules::witness(input);
}

std::vector<rules::Observation> growth_on(const NodesFacts& nodes) {
  std::vector<rules::Observation> observations = observations_on(nodes);
  std::erase_if(observations, [&](const auto& each) { return !has_grown(each, nodes); });
  return observations;
}

}  // namespace plumbline::cli
