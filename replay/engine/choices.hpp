#pragma once
// What is asked of a replay beside the platform: whose tables choose algorithms, which ones are forced, and hints.

#include <map>
#include <string>
#include <string_view>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay {

// Forced algorithms count in every form; library and hints as configured only.
struct Choices {
  std::string library;  // "openmpi", "mpich"; empty: the one that was recorded
  // By operation, an algorithm: a name that algorithms_for() has, "ring", or "mpich:ring" where it matters whose.
  std::map<collectives::schedules::Operation, std::string> collectives;
  std::map<std::string, std::string> hints;  // of MPI-IO by name; they replace recorded ones
};

// "allreduce=ring", "allgather=mpich:ring" into the choices. Throws Error, with the nearest names, where one does not
// exist.
void force_collective(std::string_view text, Choices& choices);

}  // namespace plumbline::replay
