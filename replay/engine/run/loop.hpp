#pragma once
// The run loop: it takes events in order and runs each rank as far as it gets. An operation runs in phases; between two
// phases its rank waits for a point in time (an event), or for messages (mpi::Engine says when there is nothing left to
// wait for).

#include <optional>

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Runs to the end. Nothing: it cannot go on, and something is run by what was recorded inside of operations
// (stuck_inside()). Throws Stuck where it cannot go on otherwise.
std::optional<ReplayResult> run_to_end(Run& run);

// Runs the ranks that messages have made ready. One that goes on may make others ready, where its messages need no
// event.
void go_on_with_ready(Run& run);

// Begins an operation. A call posts all that it has to post before it looks for what has come, and then waits.
void begin_call(Run& run, std::uint32_t rank, const Operation& op);

// Runs a rank as far as it gets now.
void go_on(Run& run, std::uint32_t rank);

}  // namespace plumbline::replay::engine
