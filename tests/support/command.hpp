#pragma once
// Runs a shell command as a user would, and keeps what it printed.

#include <string>

namespace plumbline::test {

struct CommandResult {
  int status = -1;  // exit status; 128 + signal when killed
  std::string out, err;
};

// `command` goes to /bin/sh in `directory`. Killed after `limit_seconds`, which is then said in `err`.
CommandResult run_command(const std::string& command, const std::string& directory = ".", int limit_seconds = 120);

}  // namespace plumbline::test
