#pragma once
// When a time has been measured often enough.

#include <cstdint>
#include <span>

namespace plumbline::bench {

enum class StopBy { kMedian, kStudent, kCount };

struct StopRule {
  StopBy by = StopBy::kMedian;
  std::uint32_t least = 30, most = 1000;
  double confidence = 0.95;
  double precision = 0.025;  // relative half-width of the interval
};

struct Assessment {
  double median = 0, mean = 0, least = 0, most = 0;
  double low = 0, high = 0;  // of the median; by Student's t of the mean, where that applies
  bool normal = false;       // the values pass for normally distributed (5 %, Anderson and Darling; of eight and more)
  bool reached = false;      // the interval exists and is as narrow as asked
  bool enough = false;       // no more values are needed
};

// All zero without values. Values > 0 are expected: the precision is relative.
Assessment assess(std::span<const double> values, const StopRule& rule);

}  // namespace plumbline::bench
