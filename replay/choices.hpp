#pragma once
// What is asked of a replay beside the platform: whose tables choose algorithms, which ones are forced, and hints.

#include <map>
#include <string>

#include "replay/mpi/schedules/types.hpp"

namespace plumbline::replay {

// Forced algorithms count in every form; library and hints as configured only.
struct Choices {
  std::string library;                                           // "openmpi", "mpich"; empty: the one that was recorded
  std::map<mpi::schedules::Operation, std::string> collectives;  // by operation, a name that algorithms_for() has
  std::map<std::string, std::string> hints;                      // of MPI-IO by name; they replace recorded ones
};

}  // namespace plumbline::replay
