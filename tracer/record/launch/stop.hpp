#pragma once
// A run that the user may stop. Ctrl-C, SIGTERM or SIGHUP end the program, not us: what it did is to be assembled, and
// of a program that hangs that is what the user wants to see.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "tracer/record/launch/child.hpp"

namespace plumbline::record {

struct Stop {
  int signal = 0;
  std::uint64_t realtime_ns = 0;  // when it came: the calls in flight are those of this moment
};

struct Outcome {
  ProgramEnd end;
  std::optional<Stop> stop;
};

struct StopOptions {
  std::chrono::milliseconds grace{5000};  // between a request to end and the next, stronger one
  std::function<void()> kill_ranks = {};  // that are known; may be empty
  std::function<void()> meanwhile = {};   // called once the command is under way; may be empty
};

// As run_child. The first signal to stop goes on to the command (which has it already if a terminal sent it). After the
// grace, or at once at a second one, follows SIGTERM, then SIGKILL to the ranks, then SIGKILL to the command itself.
Outcome run_until_stopped(const Command& command, const std::function<void()>& prepare, const StopOptions& options);

// Kills those processes of the spools in `spools` that still run on this node, and waits until they are gone
// and their keepers have said so.
void kill_recorded(const std::filesystem::path& spools);

}  // namespace plumbline::record
