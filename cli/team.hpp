#pragma once
// Who does the work that verbs share among processes.

#include <cstdint>
#include <functional>
#include <span>

#include "base/team/shared_work.hpp"

namespace plumbline::cli {

// Does `run`, which is what the command line asks for, and returns its status. Where a launcher of MPI has
// started several processes, and the verb runs once among them (verb.hpp), process 0 alone does so, with the others as
// its workers; they print nothing, and have status 0.
int run_with_team(std::span<const char* const> command_line, const std::function<int()>& run);

// Those of the launcher where there are any, otherwise `jobs` forked processes (0: one for each processor that this
// process may use), for which this process must have a single thread. Good until the next call.
Workers& workers(std::uint32_t jobs);

// The launcher's, or null.
Workers* launched_workers();

}  // namespace plumbline::cli
