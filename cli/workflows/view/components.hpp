#pragma once
// When the components of a platform were busy in the expected run.

#include <vector>

#include "hwmodels/usage/use_history.hpp"
#include "tracer/archive/read/reader.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::cli::view {

// Of an expected archive; of any other one nothing.
std::vector<viewer::ComponentHistory> component_histories(archive::Reader& expected);

// Of a replay.
std::vector<viewer::ComponentHistory> component_histories(const hw::UseRecord& use);

}  // namespace plumbline::cli::view
