#pragma once
// Programs that we start, to which signals go on and as which we end.

#include <sys/types.h>

#include <csignal>
#include <functional>

#include "base/process/program.hpp"

namespace plumbline::record {

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

// Runs the command and waits. HUP, INT, TERM, USR1 and USR2 go on to it; input and output are its own; else
// as start_child. `meanwhile` is called once it is under way.
ProgramEnd run_child(const Command& command, const std::function<void()>& prepare,
                     const std::function<void()>& meanwhile = {});

// Ends this process as that program ended: with its status, or by its signal (without a core file of our own).
[[noreturn]] void end_like(const ProgramEnd& end);

}  // namespace plumbline::record
