#include "tracer/record/launch/stop.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "tracer/record/launch/ends.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {
namespace {

using Clock = std::chrono::steady_clock;

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Not SIGHUP under nohup, nor the Ctrl-C of a terminal whose shell has put us into the background.
bool asks_to_stop(int signal, const siginfo_t& info) {
  if (signal == SIGHUP) return !is_ignored(signal);
  if (signal == SIGINT) return info.si_code != SI_KERNEL || !is_ignored(signal);
  return signal == SIGTERM;
}

bool is_passed_on(int signal) { return signal == SIGUSR1 || signal == SIGUSR2; }

Stop stop_by(int signal) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {signal, static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count())};
}

timespec until(Clock::time_point moment) {
  const auto left = std::max(std::chrono::nanoseconds::zero(),
                             std::chrono::duration_cast<std::chrono::nanoseconds>(moment - Clock::now()));
  return {static_cast<time_t>(left.count() / 1'000'000'000), static_cast<long>(left.count() % 1'000'000'000)};
}

// A further Ctrl-C that came while the child was ending must not end us too.
void take_all(const sigset_t& signals) {
  const timespec at_once{};
  while (sigtimedwait(&signals, nullptr, &at_once) > 0) {
  }
}

// The spools of those that there were.
std::vector<std::filesystem::path> kill_those_that_run(const std::filesystem::path& spools) {
  std::vector<std::filesystem::path> killed;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(spools, gone)) {
    if (entry.path().extension() != ".spool") continue;
    try {
      const spool::Spool spool(entry.path());
      if (still_runs(spool.header()) && kill(static_cast<pid_t>(spool.header().pid), SIGKILL) == 0)
        killed.push_back(entry.path());
    } catch (const Error&) {
      // Not one yet: its process has not initialised MPI, and is the launcher's to end.
    }
  }
  return killed;
}

template <class Condition>
void wait_until(std::chrono::milliseconds patience, const Condition& condition) {
  const Clock::time_point limit = Clock::now() + patience;
  while (!condition() && Clock::now() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// The requests to a child that does not end, one stronger than the other.
class Stopping {
 public:
  Stopping(pid_t child, const StopOptions& options) : child_(child), options_(options) {}

  bool begun() const { return requests_ != 0; }
  Clock::time_point next() const { return next_; }

  // `passed_on`: the child has the signal already.
  void begin(int signal, bool passed_on) {
    if (!passed_on) kill(child_, signal);
    wait();
  }
  void press() {
    if (requests_ == 1) kill(child_, SIGTERM);
    if (requests_ == 2 && options_.kill_ranks) options_.kill_ranks();
    if (requests_ >= 3) kill(child_, SIGKILL);
    wait();
  }

 private:
  void wait() {
    ++requests_;
    next_ = Clock::now() + options_.grace;
  }

  pid_t child_;
  const StopOptions& options_;
  int requests_ = 0;
  Clock::time_point next_;
};

}  // namespace

Outcome run_until_stopped(const Command& command, const std::function<void()>& prepare, const StopOptions& options) {
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored nobody could wait for a child
  const HeldSignals held;
  const pid_t child = start_child(command, [&] {
    prepare();
    held.restore();
  });
  if (options.meanwhile) options.meanwhile();
  Stopping stopping(child, options);
  Outcome run;
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) == child) {
      run.end = end_of(child, status);
      take_all(held.signals());
      return run;
    }
    siginfo_t info{};
    const timespec left = until(stopping.next());
    const int signal =
        stopping.begun() ? sigtimedwait(&held.signals(), &info, &left) : sigwaitinfo(&held.signals(), &info);
    const bool from_terminal = info.si_code == SI_KERNEL;
    if (signal < 0) {
      if (errno == EAGAIN) stopping.press();
    } else if (asks_to_stop(signal, info)) {
      if (!run.stop) run.stop = stop_by(signal);
      stopping.begun() ? stopping.press() : stopping.begin(signal, from_terminal);
    } else if (is_passed_on(signal)) {
      kill(child, signal);
    }
  }
}

void kill_recorded(const std::filesystem::path& spools) {
  const std::vector<std::filesystem::path> killed = kill_those_that_run(spools);
  wait_until(std::chrono::seconds(2), [&] { return kill_those_that_run(spools).empty(); });
  const auto is_noted = [](const std::filesystem::path& spool) { return std::filesystem::exists(end_note_of(spool)); };
  wait_until(std::chrono::milliseconds(300), [&] { return std::ranges::all_of(killed, is_noted); });
}

}  // namespace plumbline::record
