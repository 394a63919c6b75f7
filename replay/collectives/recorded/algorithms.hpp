#pragma once
// Which algorithm each collective really used: the names of the library's schedules (replay/collectives/schedules)
// whose messages are those that were recorded inside. A table of what this MPI chose, to be laid beside what it should
// have chosen.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::collectives::recorded {

// Calls with the same name, ranks, size and messages inside.
struct AlgorithmUse {
  std::string call;  // "MPI_Allreduce"
  std::uint32_t ranks = 0, nodes = 0;
  std::uint64_t bytes = 0;  // of a block or buffer, as the library's tables count them; of v-forms the mean
  std::string algorithm;    // "rabenseifner"; "two-phase with 2 aggregators"; or what is known of the pattern
  bool is_known = false;    // algorithm is one of the library's
  std::string expected;     // that the library's tables choose by default; "": no tables for this call
  std::uint64_t calls = 0;
  std::uint64_t messages = 0, message_bytes = 0;  // sent by all ranks, in one call
  Duration longest;                               // of one rank in one call, observed
};

struct Algorithms {
  std::vector<AlgorithmUse> uses;   // by call, ranks, bytes
  std::string library;              // whose tables: "openmpi", "mpich"; "": none for this one
  std::uint64_t calls_without = 0;  // collectives of several ranks of which nothing was recorded inside
  std::uint64_t calls_unclear = 0;  // of which something is missing: a peer, a size, a completion
};

Algorithms algorithms_of(const Program& program);

// Columns for people.
std::string algorithms_text(const Algorithms& algorithms);

}  // namespace plumbline::replay::collectives::recorded
