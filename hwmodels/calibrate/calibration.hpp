#pragma once
// A platform as it was measured, and what is known of the measurement.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// How well one range of the platform reproduces the ping-pong it was made from.
struct RangeReport {
  std::uint64_t first_size = 0, last_size = 0;
  std::uint32_t sizes = 0;
  double median_deviation = 0, largest_deviation = 0;  // |platform - measured| / measured
};

// Pairs of ranks that are alike.
struct PairClass {
  std::string name;  // "inside a node" (or "inside a socket", "across sockets"), "behind one switch", ...
  std::uint32_t pairs = 0;
  Duration smallest;    // one way, of the smallest message
  BytesPerSecond rate;  // of streams alone; 0: not measured
};

struct Calibration {
  Platform platform;
  std::vector<RangeReport> ranges;        // one per range of platform.inside
  std::vector<std::string> notes;         // what was clamped, raised or missing
  std::vector<std::string> disturbances;  // why the measurement is contaminated; empty when it is not
  // Of a campaign only:
  std::vector<RangeReport> between_ranges = {};  // one per range of platform.between
  std::vector<PairClass> classes = {};
  std::vector<Finding> findings = {};
};

}  // namespace plumbline::hw::calibration
