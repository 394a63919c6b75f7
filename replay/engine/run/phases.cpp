#include "replay/engine/run/phases.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "replay/engine/run/collective_access.hpp"
#include "replay/engine/run/file_accesses.hpp"
#include "replay/engine/run/library_access.hpp"
#include "replay/engine/run/messages.hpp"
#include "replay/mpi/engine_calls.hpp"

namespace plumbline::replay::engine {
namespace {

// Begins a phase or goes on with it; true while the rank must wait.
bool run_phase(Run& run, std::uint32_t rank, const Operation& op, Phase phase) {
  Cursor& cursor = run.cursors[rank];
  const bool begun = std::exchange(cursor.phase_begun, true);
  switch (phase) {
    case Phase::kOver:
      return false;
    case Phase::kAccesses:
      return access_next(run, rank, op);
    case Phase::kMetadata:
      if (run.files.calls[rank].in_call) return true;
      return begun ? until_over(run, rank) : metadata(run, rank, op);
    case Phase::kTimer:
      return until_over(run, rank);
    case Phase::kMissing:
      return true;
    case Phase::kExchange:
      if (!begun) exchange_data(run, rank, op);
      return run.engine.rank(rank).pending > 0;
    case Phase::kBarrier:
      if (!begun) {
        start_barrier(run, rank, comm_of(run, rank, op), mpi::kFileSpace);
        mpi::progress(run.engine, rank);  // what has come while servers were asked
      }
      return run.engine.rank(rank).pending > 0;
    case Phase::kLibrary:
      return library_next(run, rank, op);
  }
  return false;
}

}  // namespace

void use_phases(Cursor& cursor, std::initializer_list<Phase> phases) {
  cursor.phases = {};
  std::copy(phases.begin(), phases.end(), cursor.phases.begin());
  cursor.phase = 0;
  cursor.phase_begun = false;
}

void keep_duration(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  const OperationTimes& observed = run.program.rank(rank).times[cursor.next];
  cursor.until = cursor.begin + (observed.end - observed.begin);
  use_phases(cursor, {Phase::kTimer});
}

bool advance_phases(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  while (cursor.phase < cursor.phases.size() && cursor.phases[cursor.phase] != Phase::kOver) {
    if (run_phase(run, rank, op, cursor.phases[cursor.phase])) return true;
    ++cursor.phase;
    cursor.phase_begun = false;
  }
  return false;
}

bool until_over(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  if (cursor.until > run.queue.now() && run.engine.must_synchronise(rank)) {
    wake(run, rank, cursor.until);
    return true;
  }
  mpi::RankState& state = run.engine.rank(rank);
  state.clock = std::max(state.clock, cursor.until);
  return false;
}

bool before_clock(Run& run, std::uint32_t rank) {
  const Time clock = run.engine.rank(rank).clock;
  if (clock <= run.queue.now()) return false;
  wake(run, rank, clock);
  return true;
}

}  // namespace plumbline::replay::engine
