#pragma once
// How often something took how long: counts in bins whose width grows with the value, so that any percentile is known
// to 1/32 of itself, from 1 ns to centuries, without an allocation.

#include <array>
#include <cstdint>

#include "base/units.hpp"

namespace plumbline::lab {

class Histogram {
 public:
  void add(Duration value);  // what is negative counts as 0
  std::uint64_t count() const { return count_; }
  Duration max() const { return max_; }

  // The least bound that at least `share` (0 .. 1) of the values do not exceed, rounded up to its bin; 0 when empty.
  Duration percentile(double share) const;

 private:
  static constexpr int kBitsOfBin = 5;                                     // 32 bins per doubling
  std::array<std::uint64_t, (64 - kBitsOfBin + 1) << kBitsOfBin> bins_{};  // of whole nanoseconds
  std::uint64_t count_ = 0;
  Duration max_;
};

}  // namespace plumbline::lab
