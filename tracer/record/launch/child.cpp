#include "tracer/record/launch/child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::record {
namespace {

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

}  // namespace

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
    execvp(command[0].c_str(), argument_pointers(command).data());
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
    wait_for_end(child);
    cannot_run(command[0], reason);
  }
  return child;
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
  const int status = wait_for_end(child);
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
