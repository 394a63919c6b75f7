#pragma once
// Collectives under way: rounds of messages, rank by rank.

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

// Starts a collective; `request` kNone: the operation in hand waits for it. `comm` with its peers, `sequence` counts
// the collectives of `space` on it.
void start(Engine& engine, std::uint32_t rank, const collectives::Shape& shape, const CommView& comm_view,
           std::uint32_t comm, std::uint32_t space, std::uint32_t sequence, std::uint32_t request);

// A step of a collective, or a control message, is over.
void step_done(Engine& engine, std::uint32_t id);

// Collectives that were held until the rank leaves go on when it looks next.
void release_held(Engine& engine, std::uint32_t rank);

}  // namespace plumbline::replay::mpi
