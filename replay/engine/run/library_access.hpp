#pragma once
// Accesses to files as their library carries them out, step by step (docs/models/mpi-io.md).

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Begins an access as its library carries it out. False: the ideal form stands in.
bool start_library(Run& run, std::uint32_t rank, const Operation& op);

// Goes on with it. True while the rank must wait.
bool library_next(Run& run, std::uint32_t rank, const Operation& op);

// Whether a collective access ends for all of its ranks together, as far as its library tells; for accesses of which
// only the POSIX calls were recorded.
bool ends_with_all(Run& run, std::uint32_t rank, const Operation& op);

}  // namespace plumbline::replay::engine
