#pragma once
// What operations send and receive: what a call posts, and which requests it waits for then.

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Posts what the operation sends and receives.
void post(Run& run, std::uint32_t rank, const Operation& op);

// Begins to wait for what the operation waits for, or begins its phases.
void begin_to_wait(Run& run, std::uint32_t rank, const Operation& op);

// The rank comes to a barrier of the communicator, among the messages of `space`.
void start_barrier(Run& run, std::uint32_t rank, std::uint32_t comm, std::uint32_t space);

}  // namespace plumbline::replay::engine
