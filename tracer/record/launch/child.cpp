#include "tracer/record/launch/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.hpp"

extern char** environ;

namespace plumbline::record {
namespace {

std::vector<char*> pointers(const Command& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

constexpr std::array kPassedOn{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

volatile sig_atomic_t child_pid = 0;

// A terminal sends its signals to the child as well; only what was sent to us alone has to go on.
void pass_on(int signal, siginfo_t* info, void*) {
  if (child_pid > 0 && info->si_code != SI_KERNEL) kill(child_pid, signal);
}

void pass_signals_to(pid_t child) {
  child_pid = child;
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : kPassedOn) sigaction(signal, &action, nullptr);
}

[[noreturn]] void cannot_run(const std::string& program, int reason) {
  throw Error(program, std::strerror(reason), "is it installed, and in PATH?", ExitCode::kCannotRunHere);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string output_of(const Command& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0 && text.size() < 65536) text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  if (failed == 0) wait_for(child);
  return text;
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return std::filesystem::exists(name) ? std::filesystem::path(name) : std::filesystem::path{};
  std::string_view rest = std::getenv("PATH") == nullptr ? "/usr/bin:/bin" : std::getenv("PATH");
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, length)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return {};
}

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int signal : kPassedOn) sigaddset(&held_, signal);
  sigaddset(&held_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

void HeldSignals::restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

pid_t start_child(const Command& command, const std::function<void()>& prepare) {
  int fault[2];  // tells a failed exec from a program that exits with the same status
  if (pipe2(fault, O_CLOEXEC) != 0) cannot_run(command[0], errno);
  const pid_t child = fork();
  if (child < 0) cannot_run(command[0], errno);
  if (child == 0) {
    prepare();
    execvp(command[0].c_str(), pointers(command).data());
    const int reason = errno;
    if (write(fault[1], &reason, sizeof reason) < 0) _exit(126);
    _exit(127);
  }
  close(fault[1]);
  int reason = 0;
  ssize_t told = 0;
  while ((told = read(fault[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
  }
  close(fault[0]);
  if (told == sizeof reason) {
    wait_for(child);
    cannot_run(command[0], reason);
  }
  return child;
}

ProgramEnd end_of(pid_t child, int wait_status) {
  if (WIFSIGNALED(wait_status)) return {128 + WTERMSIG(wait_status), WTERMSIG(wait_status), child};
  return {WEXITSTATUS(wait_status), 0, child};
}

ProgramEnd run_child(const Command& command, const std::function<void()>& prepare,
                     const std::function<void()>& meanwhile) {
  pid_t child = 0;
  {
    const HeldSignals held;
    child = start_child(command, [&] {
      prepare();
      held.restore();
    });
    pass_signals_to(child);
  }
  if (meanwhile) meanwhile();
  const int status = wait_for(child);
  child_pid = 0;
  return end_of(child, status);
}

void end_like(const ProgramEnd& end) {
  if (end.signal != 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(end.signal, SIG_DFL);
    std::raise(end.signal);
  }
  std::_Exit(end.status);
}

}  // namespace plumbline::record
