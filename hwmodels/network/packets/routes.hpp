#pragma once
// The pairs of nodes that have sent, and the pair queues of their routes.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// The index of the pair of these nodes, which is made with the pair queues of its route when it is asked for first.
std::uint32_t pair_between(State& state, std::uint32_t source_node, std::uint32_t target_node);

}  // namespace plumbline::hw::packets
