#pragma once
// What a component that is idle takes next, and what the source does when it begins a packet.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// An idle server takes one packet of the pair queue whose grant it is.
void decide(State& state, std::uint32_t component, const Round& round);

// A packet begins its service at the source by a grant that was given before, with the decisions of the round.
void begin_given(State& state, std::uint32_t packet, const Round& round);

}  // namespace plumbline::hw::packets
