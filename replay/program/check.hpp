#pragma once
// What a program must satisfy so that a replay can walk through it without looking: asked once, when it is opened.

#include <string>

#include "replay/program/program.hpp"

namespace plumbline::replay {

// The first fault of that rank, "operation 7: no such communicator"; "" when there is none.
std::string fault_of(const Program& program, std::uint32_t rank);

}  // namespace plumbline::replay
