#pragma once
// Whether ranks that were told to share no memory do so.

#include <string>

#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench {

// What two ranks of one node send each other passes the kernel's interfaces, which count it: what is there to doubt, on
// rank 0; empty where most was counted. Networks that pass the kernel by are not counted; whoever evaluates the cells
// also holds them against shared memory (docs/models/calibration-latencies.md). Collective over `world`, of two ranks
// and more.
std::string doubts_of_loopback(MPI_Comm world);

}  // namespace plumbline::bench
