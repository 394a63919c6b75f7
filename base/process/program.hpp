#pragma once
// Programs that are run, by the name and the words that a shell would have.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace plumbline {

using Command = std::vector<std::string>;  // a program and its arguments

// The file that a shell would run for a name; empty when there is none. A name with a slash is that file if it exists;
// whether it may be run is told by starting it.
std::filesystem::path find_program(const std::string& name);

// For exec and posix_spawn: pointers into `words`, and a null pointer behind them.
std::vector<char*> argument_pointers(const std::vector<std::string>& words);

// What a command prints on stdout, up to 64 KiB; empty when it cannot be run. Its stdin is empty, its stderr dropped.
std::string output_of(const Command& command);

struct ProgramEnd {
  int status = 0;  // exit status; 128 + signal as shells have it
  int signal = 0;  // that ended it, or 0
  pid_t pid = 0;
};

// Waits for the child's end. Returns what waitpid() says.
int wait_for_end(pid_t child);
// Of what waitpid() says of a child that has ended.
ProgramEnd end_of(pid_t child, int wait_status);

}  // namespace plumbline
