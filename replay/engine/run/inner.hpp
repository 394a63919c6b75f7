#pragma once
// Operations run by what was recorded inside of them: messages, completions and POSIX calls in the order of the
// recording (docs/models/replay-inner-streams.md).

#include <vector>

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Whether there is something inside of the operation to be run, before anything of its own.
bool begin_inside(Run& run, std::uint32_t rank, const Operation& op);

// Runs what is inside of the operation. True while the rank must wait: for a message, or for the clock.
bool run_inside(Run& run, std::uint32_t rank);

// What was recorded inside is over: what is left of the operation begins.
void end_inside(Run& run, std::uint32_t rank, const Operation& op);

// The ranks that wait in the middle of an operation that is run by what was recorded inside of it.
std::vector<StuckRank> stuck_inside(const Run& run);

}  // namespace plumbline::replay::engine
