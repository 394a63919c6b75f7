#pragma once
// Measurements -> platform. How each number is computed: docs/models/calibration.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/results/measurements.hpp"
#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

struct Options {
  std::string command = "calibrate --quick";  // named in the source of each parameter
};

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

// Throws Error when the ping-pong or the memory series is missing or too short.
Calibration calibrate(const bench::Measurements& measurements, const Options& options = {});

// What the platform says that one message between two ranks of one node takes: the formula of MessageRange, with
// route(s) = s / memory_rate of the first node.
Duration one_way_time(const Platform& platform, Bytes size);

// Why one should not trust these figures much: others used the machine meanwhile.
std::vector<std::string> disturbances(const bench::Measurements& measurements);

}  // namespace plumbline::hw::calibration
