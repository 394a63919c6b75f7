#pragma once
// Measures this one machine in a few tens of seconds: messages between two ranks, memory, and the storage of one
// directory. What is measured and how: docs/models/calibration-quick.md.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "bench/results/measurements.hpp"

namespace plumbline::bench {

struct QuickOptions {
  std::filesystem::path directory = ".";  // whose storage is measured
  std::string mpi;                        // "openmpi" or "mpich"; empty: the first that is installed
  std::string launcher;                   // empty: mpirun.<mpi>, looked up in PATH
  std::filesystem::path probe;            // empty: ../lib/plumbline/plumbline-probe-<mpi> beside this program
  double seconds = 20;                    // for everything together; at most about a third more is taken
  std::function<void(double fraction, std::string_view what)> progress;
};

// Throws Error (kCannotRunHere) when there is no MPI, no probe or no space, and when the probe fails.
Measurements run_quick(const QuickOptions& options);

}  // namespace plumbline::bench
