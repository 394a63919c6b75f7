#include "bench/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "base/check.hpp"
#include "base/error.hpp"

extern char** environ;

namespace plumbline::bench {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPoll{20};
constexpr milliseconds kGrace{3000};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// Later entries win over earlier ones of the same name, and all of them over our own.
std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
  std::vector<std::string> result;
  const auto put = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('=') + 1);
    std::erase_if(result, [&](const std::string& each) { return each.starts_with(name); });
    result.emplace_back(entry);
  };
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  for (const std::string& entry : added) put(entry);
  return result;
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::vector<std::string>& environment,
             const std::filesystem::path& log) {
  std::vector<std::string> words = command, settings = merged_environment(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int failed =
      posix_spawnp(&pid_, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(command[0], fmt::format("cannot be started: {}", std::strerror(failed)), "", ExitCode::kCannotRunHere);
}

Child::~Child() {
  if (running()) stop();
}

bool Child::running() {
  if (ended_) return false;
  pid_t got;
  do {
    got = ::waitpid(pid_, &status_, WNOHANG);
  } while (got < 0 && errno == EINTR);
  ended_ = got != 0;
  return !ended_;
}

void Child::stop() {
  ::kill(pid_, SIGTERM);
  for (milliseconds waited{0}; waited < kGrace; waited += kPoll) {
    if (!running()) return;
    std::this_thread::sleep_for(kPoll);
  }
  ::kill(pid_, SIGKILL);
  while (running()) std::this_thread::sleep_for(kPoll);
}

std::string Child::failure() const {
  PLUMBLINE_CHECK(ended_, "a child's status is asked for after its end");
  if (WIFSIGNALED(status_)) return fmt::format("was killed by signal {}", WTERMSIG(status_));
  if (WEXITSTATUS(status_) != 0) return fmt::format("ended with status {}", WEXITSTATUS(status_));
  return "";
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(directory.empty() ? "." : directory) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
  }
  return {};
}

}  // namespace plumbline::bench
