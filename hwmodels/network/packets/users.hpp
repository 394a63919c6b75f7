#pragma once
// Which pairs use a component, for the express path: a pair that is alone on the rest of its route may take it.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// Counts a pair among the users of the components of its route. Those that were alone there and are no more come off
// the express path.
void use_components(State& state, std::uint32_t pair, const Round& round);

// The last message of a pair has ended. The pair remains a user of its components for a while, because many pairs send
// again soon. So somebody may find a component in use that is not, and stay off the express path, which changes no
// time. But where few messages are under way, or long ones, it would cost more than it saves.
void stay_registered(State& state, std::uint32_t pair);

// All pairs without messages leave their components.
void unregister_idle(State& state);

// Finds from which hop on no other pair uses the route of the pair, and nothing is held.
void find_alone(State& state, Pair& pair);

// The same, and takes the pair off the express path where it is not alone any more.
void keep_to_what_is_alone(State& state, Pair& pair, const Round& round);

}  // namespace plumbline::hw::packets
