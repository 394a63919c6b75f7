#pragma once
// An algorithm of a collective, as plain data.

#include <array>
#include <cstdint>
#include <string_view>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

inline constexpr std::string_view kOpenMpi = "openmpi";
inline constexpr std::string_view kMpich = "mpich";
// Of the simulator that the models come from, for comparison: docs/notebook/piosimhd-collectives.md.
inline constexpr std::string_view kPiosimhd = "piosimhd";
inline constexpr std::array<std::string_view, 3> kLibraries = {kOpenMpi, kMpich, kPiosimhd};

// Names and numbers are the library's own: `name` is what coll_tuned_<operation>_algorithm calls `number` (Open MPI;
// coll_libnbc_<operation>_algorithm of non-blocking ones), or the end of the function's name (MPICH: "binomial",
// "composition_alpha", "sched_binomial"). A parameter that the algorithm does not
// have is 0.
struct Algorithm {
  std::string_view library;
  Operation operation = Operation::barrier;
  std::string_view name;
  std::uint32_t number = 0;         // 0: the library has none for it
  std::uint64_t segment_bytes = 0;  // 0: not segmented
  std::uint32_t fan_out = 0;        // of chain: how many chains
  std::uint32_t radix = 0;          // of knomial
  std::uint32_t outstanding = 0;    // of scattered and linear_sync: operations of each kind at once; 0: no limit

  friend bool operator==(const Algorithm&, const Algorithm&) = default;
};

// Writes what the rank posts in its index-th round into an empty one, which may stay empty; false behind the last one.
// The algorithm must be the one that runs: effective() is not asked.
using RoundFunction = bool (*)(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t index,
                               Round& round);

}  // namespace plumbline::replay::collectives::schedules
