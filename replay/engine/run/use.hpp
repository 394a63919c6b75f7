#pragma once
// How busy links, switches, servers and disks are, sampled while a run goes on.

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// Begins to record how busy components, servers and disks are. The steps are short at first: a run may be much shorter
// than the one that was observed.
void record_use(Run& run);

// Records all that is due up to `now`, before anything that happens then.
void sample_use(Run& run, Time now);

// The run is over: what servers have done is recorded, and the last step, in which no rank does anything any more and
// what is still under way goes on.
void end_use(Run& run);

}  // namespace plumbline::replay::engine
