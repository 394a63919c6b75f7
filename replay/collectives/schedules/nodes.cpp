#include "replay/collectives/schedules/nodes.hpp"

#include <map>

namespace plumbline::replay::collectives::schedules {

Nodes::Nodes(const Call& call) {
  std::map<std::uint32_t, std::uint32_t> known;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) {
    const std::uint32_t name = call.node_of.empty() ? 0 : call.node_of[rank];
    const auto [found, is_new] = known.emplace(name, static_cast<std::uint32_t>(members.size()));
    if (is_new) {
      members.emplace_back();
      leaders.push_back(rank);
    }
    node.push_back(found->second);
    place.push_back(static_cast<std::uint32_t>(members[found->second].size()));
    members[found->second].push_back(rank);
  }
}

bool Nodes::are_consecutive() const {
  for (std::size_t rank = 1; rank < node.size(); ++rank)
    if (node[rank] < node[rank - 1]) return false;
  return true;
}

}  // namespace plumbline::replay::collectives::schedules
