#pragma once
// The trees of both libraries: coll_base_topo.c of Open MPI; MPICH's binomial trees are the same as its in-order one.

#include <optional>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

// The place of one rank. Children are in the order in which they are served.
struct Tree {
  std::optional<std::uint32_t> parent;  // none: the root
  std::vector<std::uint32_t> children;
};

// All of `ranks` >= 1, root < ranks, rank < ranks, fan_out >= 1, radix >= 2.
Tree chain(std::uint32_t ranks, std::uint32_t root, std::uint32_t fan_out, std::uint32_t rank);
Tree binary_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank);
// Children of v are v + 1, v + 2, v + 4, .. above the highest bit of v (relative to the root).
Tree binomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank);
// Children of v are v + 1, v + 2, v + 4, .. below the lowest bit of v: the subtree of v is v and ranks behind it.
Tree in_order_binomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank);
// Its root is the last rank.
Tree in_order_binary_tree(std::uint32_t ranks, std::uint32_t rank);
Tree knomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t radix, std::uint32_t rank);

}  // namespace plumbline::replay::collectives::schedules
