#pragma once
// What one process alone measures, on one node or on each in turn: a disk that only this node has.

#include <functional>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

inline constexpr FamilyParameter kNodesParameter{
    "nodes", "first: by rank 0; all: by the first rank of each node, in turn", "first", true};

// Calls `part` on rank 0, or on the first rank of each node in turn while all others wait. What they give is given
// behind the last of them, with the rank and the node filled in. `part` calls nothing collective over the world.
// Collective.
void on_one_of_each_node(const Context& context, const Request& request,
                         const std::function<void(const std::function<void(Cell)>& give)>& part);

}  // namespace plumbline::bench
