#pragma once
// How MPICH sees the nodes of a communicator: ranks of a node in order, its leader the first of them, nodes in the
// order of their leaders.

#include <vector>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

struct Nodes {
  std::vector<std::vector<std::uint32_t>> members;  // per node: ranks of the communicator
  std::vector<std::uint32_t> node, place;           // per rank: its node, its rank among the node's members
  std::vector<std::uint32_t> leaders;               // per node

  explicit Nodes(const Call& call);

  // Some node has two ranks: MPICH then keeps a communicator per node and one of the leaders.
  bool are_hierarchy() const { return members.size() < node.size(); }
  bool are_consecutive() const;  // the ranks of each node are
  const std::vector<std::uint32_t>& around(std::uint32_t rank) const { return members[node[rank]]; }
  bool leads(std::uint32_t rank) const { return place[rank] == 0; }
};

}  // namespace plumbline::replay::collectives::schedules
