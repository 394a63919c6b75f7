#pragma once
// Measures this one machine in a few tens of seconds: messages between two ranks, memory, and the storage of one
// directory. What is measured and how: docs/models/calibration-quick.md.

#include "bench/quick/options.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::bench {

// Throws Error (kCannotRunHere) when there is no MPI, no probe or no space, and when the probe fails.
Measurements run_quick(const QuickOptions& options);

}  // namespace plumbline::bench
