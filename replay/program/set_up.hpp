#pragma once
// Calls that set a program up or take it down. They are not judged, and what they take says nothing of how much of the
// program's communication and I/O is understood, so reports count them apart.

#include "replay/program/program.hpp"

namespace plumbline::replay {

// Start-up and shutdown of MPI; creation of communicators, windows and MPI's file handles.
bool is_set_up(const Program& program, const Operation& operation);

}  // namespace plumbline::replay
