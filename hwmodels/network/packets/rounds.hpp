#pragma once
// What the network does in a round: updates, which commute, then the places of what waits (waiting.hpp), then decisions
// (decisions.hpp). docs/models/time-and-order.md

#include <vector>

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// As StoreAndForward::handle(): a round, and those rounds after it in which nothing but this network has anything to
// do.
void handle(State& state, const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out);

}  // namespace plumbline::hw::packets
