#pragma once
// Packets that come to a pair queue, and pair queues that join the lists of their servers: all in one round by content
// and not in the order in which they are handled.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// A packet comes to a pair queue: it travels express from there, or waits.
void arrive(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// A packet waits in a pair queue, or is given its grant there if nothing else of the round has to do with it.
void wait(State& state, std::uint32_t packet, std::uint32_t pair_queue, const Round& round);

// Packets that came to one pair queue in one round are appended in the order of their messages.
void append_tied(State& state);

// Pair queues that are candidates, have packets and may be served join the lists of their servers, ordered by their
// first packets.
void admit(State& state, const Round& round);

// A pair queue that may be served is given its grant, or joins the list of its server.
void enter(State& state, std::uint32_t pair_queue, const Round& round);

// Puts a pair queue at the end of the list of its server, or at its begin where it keeps its grant (send_queues.hpp).
void join(State& state, std::uint32_t pair_queue, ComponentState& server, Time now);

}  // namespace plumbline::hw::packets
