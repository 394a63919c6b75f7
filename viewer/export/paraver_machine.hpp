#pragma once
// The processors of a Paraver trace: each rank of each run has one of its own, on the node that it ran on.

#include <cstdint>
#include <vector>

#include "viewer/export/timeline.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer::paraver {

struct Machine {
  struct Node {
    std::uint32_t name = 0;  // index into the program's nodes
    std::uint32_t processors = 0;
  };
  std::vector<Node> nodes;              // in order of their first rank
  std::vector<std::uint32_t> node_of;   // by rank, counted from 1
  std::vector<std::uint32_t> first_of;  // by rank: processor in the observed run, counted from 1 over all nodes
  std::vector<std::uint32_t> ranks_on;  // by node

  std::uint32_t processor(Side side, std::uint32_t rank) const {
    return first_of[rank] + (side == Side::kObserved ? 0 : ranks_on[node_of[rank] - 1]);
  }
};

Machine machine_of(const Runs& runs);

}  // namespace plumbline::viewer::paraver
