#pragma once
// MPI calls of ranks: they begin, look for what has come, and end.

#include <algorithm>
#include <utility>

#include "replay/mpi/engine.hpp"
#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::mpi {

// Makes a rank that is ahead ready at the place of the event that it did not wait for. Of programs whose ranks go ahead
// (let_ranks_go_ahead()).
void catch_up(Engine& engine, std::uint32_t rank);

// The rank begins an MPI call. All that ranks do is at their clocks, which it advances by what it costs the CPU. An MPI
// call enters, posts what it has to post, looks for what has come meanwhile (progress()), waits, and leaves:
// docs/models/replay-progress.md.
inline void enter(Engine& engine, std::uint32_t rank) { engine.ranks[rank].where = Where::kInCall; }

inline void progress_until_now(RankState& state) { state.last_progress = std::max(state.last_progress, state.clock); }

// The rank looks for what has come.
inline void progress(Engine& engine, std::uint32_t rank) {
  progress_until_now(engine.ranks[rank]);
  if (!engine.deferred.empty()) do_all_todo(engine, rank);
}

// The MPI call is over. `looking`: the rank has looked until now; else it has computed since it looked last.
inline void leave(Engine& engine, std::uint32_t rank, bool looking) {
  engine.ranks[rank].where = Where::kOutside;
  if (!engine.held.empty()) release_held(engine, rank);
  if (looking) progress_until_now(engine.ranks[rank]);
}

// The call that began then and is over in the model, at the rank's clock, was observed to last until `until`: so long
// the rank reacts to what others ask for.
inline void stay(Engine& engine, std::uint32_t rank, Time begin, Time until) {
  if (until <= engine.ranks[rank].clock) return;
  if (engine.stays.empty()) engine.stays.resize(engine.ranks.size());
  engine.stays[rank] = {begin, until, engine.ranks[rank].clock};
}

// What a thread of the library has used of the CPU while the rank was outside of MPI, since the last question.
inline Duration stolen(Engine& engine, std::uint32_t rank) {
  return engine.threads.empty() ? Duration{} : std::exchange(engine.threads[rank].stolen, Duration{});
}

// Ahead of the clock, where it is known when messages arrive: a rank that waits for one eager message alone does not
// wait for the event of its arrival. What it does then that depends on what else has come must wait for the clock:
// docs/internals/replay.md, "Running ahead".
inline void let_ranks_go_ahead(Engine& engine) {
  engine.ahead.resize(engine.port.knows_arrivals() && engine.threads.empty() ? engine.ranks.size() : 0);
}

}  // namespace plumbline::replay::mpi
