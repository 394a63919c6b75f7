#pragma once
// Programs that we start and wait for.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace plumbline::record {

using Command = std::vector<std::string>;

// What a command prints on stdout, up to 64 KiB; empty when it cannot be run. Its stdin is empty, its stderr dropped.
std::string output_of(const Command& command);

// The file that a shell would run for a name; empty when there is none.
std::filesystem::path find_program(const std::string& name);

struct ProgramEnd {
  int status = 0;  // exit status; 128 + signal as shells have it
  int signal = 0;  // that ended it, or 0
};

// Runs the command and waits. HUP, INT, TERM, USR1 and USR2 go on to it; input and output are its own. `prepare` runs
// in the child before its program, `meanwhile` here once it is under way. Throws Error when it cannot be started.
ProgramEnd run_child(const Command& command, const std::function<void()>& prepare,
                     const std::function<void()>& meanwhile = {});

// Ends this process as that program ended: with its status, or by its signal (without a core file of our own).
[[noreturn]] void end_like(const ProgramEnd& end);

// Becomes the command. Returns only by Error.
[[noreturn]] void become(const Command& command);

}  // namespace plumbline::record
