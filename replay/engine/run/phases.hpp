#pragma once
// Phases of operations: what a rank waits for one after the other.

#include <initializer_list>

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// The operation in hand runs in these phases.
void use_phases(Cursor& cursor, std::initializer_list<Phase> phases);

// The operation in hand takes as long as it was observed to take.
void keep_duration(Run& run, std::uint32_t rank);

// Goes on with the phases of the operation in hand. True while the rank must wait.
bool advance_phases(Run& run, std::uint32_t rank, const Operation& op);

// False when the time is over that the rank waits for. Nobody sees a rank run ahead of it, unless it is to answer
// somebody meanwhile.
bool until_over(Run& run, std::uint32_t rank);

// True: the rank must wait for its clock. Storage serves in the order of its calls, so they are made at their time.
bool before_clock(Run& run, std::uint32_t rank);

}  // namespace plumbline::replay::engine
