#pragma once
// Times of accesses by their distance, and beside each other -> a device.

#include <string>
#include <vector>

#include "hwmodels/calibrate/observations/storage_select.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Of accesses of one size that were at most `distance` and more than half of it from where the last one ended; 0:
// there.
struct DistanceTimes {
  double distance = 0, bytes = 0;
  std::vector<double> seconds;
};

// What ways cost on a disk with heads, and what that came from; `found` is false where they cost nothing: a device
// without heads, whatever the kernel calls it.
struct SeekFit {
  bool found = false;
  double near_s = 0, far_s = 0;  // seek and half a turn, beyond what an access takes without a way
  double near_spread = 0, far_spread = 0;
  double turn_s = 0;  // 0: not told
  double close = 0;   // bytes; 0: one class only, near_s is far_s
  std::size_t samples = 0;
};
SeekFit fit_seeks(const std::vector<DistanceTimes>& times);

// `otherwise`: the rate of single accesses where the times are of one size.
HardDisk hard_disk(const SeekFit& seeks, const std::vector<DistanceTimes>& times,
                   const Parameter<BytesPerSecond>& otherwise, const std::string& source);

// Accesses beside each other: how many times as many at once are done in the same time as one after the other.
struct ConcurrencyFit {
  std::uint32_t channels = 1;
  std::uint32_t threads = 0;   // the most that were tried; 0: none
  bool still_growing = false;  // with the most of them: there may be more channels
};
ConcurrencyFit fit_concurrency(const Cells& beside_each_other);

}  // namespace plumbline::hw::calibration
