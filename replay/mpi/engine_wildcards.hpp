#pragma once
// Receives from any rank (wildcards.hpp).

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// Of programs that have such receives; then no rank goes ahead.
void let_ranks_receive_from_any(Engine& engine);

// At the simulated time. `operation`: of the receiver, to tell what it took.
void receive_any(Engine& engine, std::uint32_t request, const AnyChannel& from, std::uint64_t bytes,
                 std::uint32_t operation);

// The message has been received, and has left its channel.
void tell_wildcards_taken(Engine& engine, const Channel& channel, std::uint32_t message);

// Matches what can be. `posting`: in the call that posts the receive; else a message has just arrived, `now`. In both
// the rank's `reactive` counts what may ask it, until it has answered.
void match_wildcards(Engine& engine, std::uint32_t rank, Time now, bool posting);

}  // namespace plumbline::replay::mpi
