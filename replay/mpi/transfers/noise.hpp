#pragma once
// What takes the CPU away from ranks (hw::Noise): every `period`, for `duration`, from a phase of its own for each
// rank.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::replay::mpi {

class Noise {
 public:
  Noise() = default;  // none

  // `nodes`: of each rank. A phase depends on the seed, the number of the node and that of the rank alone, and is
  // counted from `origin`.
  Noise(const hw::Platform& platform, std::span<const std::uint32_t> nodes, std::uint64_t seed, Time origin);

  // When a rank has done `work` that it begins at `begin`. Nothing to do takes no time.
  Time after(std::uint32_t rank, Time begin, Duration work) const {
    if (ranks_.empty() || work == Duration{} || ranks_[rank].period == Duration{}) return begin + work;
    return stretched(ranks_[rank], begin, work);
  }

 private:
  struct Rhythm {
    Duration period, duration;  // no period: silence
    Time phase;                 // when the CPU is taken once
  };
  static Time stretched(const Rhythm& rhythm, Time begin, Duration work);

  std::vector<Rhythm> ranks_;  // empty: nobody has any
};

}  // namespace plumbline::replay::mpi
