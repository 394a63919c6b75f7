#pragma once
// Programs that we start and wait for.

#include <sys/types.h>

#include <csignal>
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
  pid_t pid = 0;
};

// While it lives HUP, INT, TERM, USR1, USR2 and CHLD wait to be taken (sigtimedwait) or for its end. restore() is for a
// child that is to have them as they were.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals() { restore(); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  const sigset_t& signals() const { return held_; }
  void restore() const;

 private:
  sigset_t held_, before_;
};

// Starts the command. `prepare` runs in the child before its program. Throws Error when it cannot be started.
pid_t start_child(const Command& command, const std::function<void()>& prepare);

// Of what waitpid() says of a child that has ended.
ProgramEnd end_of(pid_t child, int wait_status);

// Runs the command and waits. HUP, INT, TERM, USR1 and USR2 go on to it; input and output are its own; else
// as start_child. `meanwhile` is called once it is under way.
ProgramEnd run_child(const Command& command, const std::function<void()>& prepare,
                     const std::function<void()>& meanwhile = {});

// Ends this process as that program ended: with its status, or by its signal (without a core file of our own).
[[noreturn]] void end_like(const ProgramEnd& end);

}  // namespace plumbline::record
