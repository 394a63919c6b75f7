#include "viewer/export/paraver_machine.hpp"

#include <map>

namespace plumbline::viewer::paraver {

Machine machine_of(const Runs& runs) {
  const std::uint32_t sides = runs.is_compared() ? 2 : 1;
  Machine machine;
  std::map<std::uint32_t, std::uint32_t> number_of;
  std::vector<std::uint32_t> place_on_node;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const std::uint32_t name = runs.observed.rank(rank).node;
    const auto [node, is_new] = number_of.try_emplace(name, static_cast<std::uint32_t>(machine.nodes.size()));
    if (is_new) {
      machine.nodes.push_back({name, 0});
      machine.ranks_on.push_back(0);
    }
    machine.node_of.push_back(node->second + 1);
    place_on_node.push_back(machine.ranks_on[node->second]++);
    machine.nodes[node->second].processors += sides;
  }
  std::vector<std::uint32_t> first{1};
  for (const Machine::Node& node : machine.nodes) first.push_back(first.back() + node.processors);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    machine.first_of.push_back(first[machine.node_of[rank] - 1] + place_on_node[rank]);
  return machine;
}

}  // namespace plumbline::viewer::paraver
