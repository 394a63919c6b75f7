#pragma once
// The end of an express ride: each packet of the flow is put where the pair queues would have it by now. "By now" is
// before the decisions of the round in hand: what began earlier has begun, all else has not. The grants of a server
// need no more than its one pair: others come later.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// Gives the packets of the flow to the pair queues, as they would have them before the decisions of `round`.
void fall_back_to_packets(State& state, Pair& pair, const Round& round);

}  // namespace plumbline::hw::packets
