#pragma once
// The express path: what is alone on the rest of its route goes through it at once (express_flow.hpp). How packets come
// back to the pair queues: fall_back.hpp. docs/internals/store-and-forward.md, "Fast path"

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// Of the messages that begin in the round in hand: all have begun.
void end_of_beginnings(State& state);

// Takes from the express path what cannot stay there when this message begins.
void make_way(State& state, const Message& message, const Round& round);

// Whether a packet that comes to the pair queue travels express from there. In a single component one packet needs one
// event either way.
bool takes_express(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// Sends a packet, of which takes_express() is true, through the rest of its route; at the source those behind it too.
void go_express(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// Handles a signal, of that kind, of a packet that travels express.
void update_express(State& state, const Round& round, std::uint32_t kind, std::uint32_t packet);

// The flow of a pair that has no packets under way, or has fallen back, is free for others.
void give_back(State& state, Pair& pair);

}  // namespace plumbline::hw::packets
