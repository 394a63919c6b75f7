#pragma once
// Running a program that may turn itself into a daemon, with everything that it starts.

#include "tracer/record/launch/child.hpp"

namespace plumbline::record {

struct Descendants {
  std::function<void()> meanwhile = {};               // called once the command is under way; may be empty
  std::function<void(const ProgramEnd&)> ended = {};  // of the command, and of each descendant that came to us
  pid_t apart = -1;                                   // a child of ours that does not count
};

// Runs the command and waits until it and all of its descendants have ended, those too that have left their parents.
// HUP, INT, TERM, USR1 and USR2 go on to all that are our children then. The end is that of the command itself. Throws
// Error when it cannot be started.
ProgramEnd run_with_descendants(const Command& command, const std::function<void()>& prepare,
                                const Descendants& descendants);

}  // namespace plumbline::record
