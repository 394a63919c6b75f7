#pragma once
// Which operations may begin ahead of the clock of the replay (mpi/engine.hpp).

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Whether the operation has to begin at the clock of the replay. What ranks do ahead of it nobody can see, unless it is
// to answer somebody (mpi/engine.hpp).
bool begins_at_clock(const Run& run, std::uint32_t rank, const Operation& op);

}  // namespace plumbline::replay::engine
