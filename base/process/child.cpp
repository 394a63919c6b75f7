#include "base/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/process/program.hpp"

namespace plumbline {
namespace {

constexpr std::chrono::milliseconds kPoll{20};
constexpr std::chrono::milliseconds kGrace{3000};

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
  const std::vector<std::string> settings = merged_environment(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int failed = posix_spawnp(&pid_, command[0].c_str(), &actions, nullptr, argument_pointers(command).data(),
                                  argument_pointers(settings).data());
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
  for (std::chrono::milliseconds waited{0}; waited < kGrace; waited += kPoll) {
    if (!running()) return;
    std::this_thread::sleep_for(kPoll);
  }
  ::kill(pid_, SIGKILL);
  while (running()) std::this_thread::sleep_for(kPoll);
}

std::string Child::failure() const {
  PLUMBLINE_CHECK(ended_, "a child's status is asked for after its end");
  const ProgramEnd end = end_of(pid_, status_);
  if (end.signal != 0) return fmt::format("was killed by signal {}", end.signal);
  if (end.status != 0) return fmt::format("ended with status {}", end.status);
  return "";
}

}  // namespace plumbline
