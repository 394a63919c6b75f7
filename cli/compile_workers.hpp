#pragma once
// Who compiles an archive for a command.

#include <cstdint>
#include <memory>

#include "base/team/shared_work.hpp"

namespace plumbline::cli {

// So many processes, or where that is 0 one for each processor that this one may use. Only as long as there is a single
// thread.
std::unique_ptr<Workers> workers_for_compiling(std::uint32_t jobs = 0);

}  // namespace plumbline::cli
