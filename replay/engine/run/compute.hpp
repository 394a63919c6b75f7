#pragma once
// What ranks compute between their operations, and so when the next one begins.

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// When the next operation of the rank begins, whose predecessor has ended at the rank's clock.
Time next_begin(Run& run, std::uint32_t rank);

// Handles an event of the cores that ranks share: those that have computed go on.
void share_cores(Run& run, const sim::Event& event);

// The rank computes so long before its next operation. Where cores are shared `begin` stays, and work is left.
inline void compute(Run& run, std::uint32_t rank, Duration work) {
  Cursor& cursor = run.cursors[rank];
  const Time alone = run.noise.after(rank, cursor.begin, work);
  if (run.computing.cores.shared(run.nodes[rank]))
    run.computing.shared_work[rank] += alone - cursor.begin;  // a thread may have taken some already
  else
    cursor.begin = alone;
}

}  // namespace plumbline::replay::engine
