#include "tracer/record/launch/serve.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

namespace plumbline::record {
namespace {

volatile sig_atomic_t received = 0;

void note(int signal, siginfo_t* info, void*) {
  if (info->si_code != SI_KERNEL) received = signal;  // a terminal sends its signals to all of its processes
}

void note_signals() {
  struct sigaction action {};
  action.sa_sigaction = note;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code failure;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failure)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

// True as long as there are any but `apart`.
bool reap(const Descendants& descendants) {
  pid_t child = 0;
  for (int status = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;)
    if (descendants.ended) descendants.ended(end_of(child, status));
  if (child < 0) return false;
  return descendants.apart <= 0 || std::ranges::any_of(children(), [&](pid_t one) { return one != descendants.apart; });
}

}  // namespace

ProgramEnd run_with_descendants(const Command& command, const std::function<void()>& prepare,
                                const Descendants& descendants) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const ProgramEnd end = run_child(command, prepare, descendants.meanwhile);
  if (descendants.ended) descendants.ended(end);
  note_signals();
  while (reap(descendants)) {
    if (const int signal = std::exchange(received, 0); signal != 0)
      for (const pid_t child : children())
        if (child != descendants.apart) kill(child, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return end;
}

}  // namespace plumbline::record
