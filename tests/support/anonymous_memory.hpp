#pragma once
// What a command takes of memory beside mapped files.

#include <fcntl.h>
#include <linux/magic.h>
#include <spawn.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace plumbline::test {

// Files there are memory, mapped or not.
inline bool lies_in_memory(const std::filesystem::path& directory) {
  struct statfs status {};
  return ::statfs(directory.c_str(), &status) != 0 || status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

struct MemoryOfCommand {
  std::size_t anonymous = 0;  // bytes, the most that was seen
  int status = -1;            // of exit
};

// RssAnon of a process; 0 when it has ended.
inline std::size_t anonymous_bytes_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::strtoul(line.c_str() + 8, nullptr, 10) * 1024;
  return 0;
}

// Looks every three milliseconds: what the heap takes and gives back in between is missed. What is printed is thrown
// away.
inline MemoryOfCommand memory_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  MemoryOfCommand result;
  pid_t process = -1;
  const int fault = posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) return result;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    result.anonymous = std::max(result.anonymous, anonymous_bytes_of(process));
    usleep(3000);
  }
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace plumbline::test
