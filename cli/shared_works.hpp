#pragma once

#include <span>

#include "base/team/shared_work.hpp"

namespace plumbline::cli {

// All that verbs share among processes: what those of a launcher find by its name.
std::span<const SharedWork> shared_works();

}  // namespace plumbline::cli
