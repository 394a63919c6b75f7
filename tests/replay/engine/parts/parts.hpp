#pragma once
// An engine of messages, and windows over it, without a replay around them: for tests of their parts.

#include <cstdint>
#include <string>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/matching/communicators.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/mpi/windows.hpp"
#include "replay/program/program.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::test {

inline Time at_us(std::int64_t n) { return Time{} + microseconds(n); }

// Nothing has happened yet, and nothing does but what a test calls. The text is that of the program: of its operations
// the engine knows only how many request slots a rank has.
struct LoneEngine {
  LoneEngine(const std::string& text, const hw::Platform& on);

  const Program program;
  const hw::Platform platform;
  const std::vector<std::uint32_t> nodes;  // n0, n1, .. of the text are those of the platform
  const mpi::Noise noise;
  sim::EventQueue queue;
  mpi::Engine engine;
};

struct LoneWindows : LoneEngine {
  LoneWindows(const std::string& text, const hw::Platform& on);
  LoneWindows(const LoneWindows&) = delete;

  mpi::Communicators comms;
  mpi::rma::Windows windows;
};

// Handles all events that are due before that time, and moves the clock there.
void handle_before(LoneEngine& lone, Time at);

// Handles events until there are no more.
void handle_all(LoneEngine& lone);

// The rank has called MPI and waits there.
inline void block(mpi::Engine& engine, std::uint32_t rank) { engine.rank(rank).where = mpi::Where::kBlocked; }

}  // namespace plumbline::replay::test
