#pragma once
// Measurements -> platform. How each number is computed: docs/models/calibration.md.

#include <string>
#include <vector>

#include "bench/results/measurements.hpp"
#include "hwmodels/calibrate/calibration.hpp"

namespace plumbline::hw::calibration {

struct Options {
  std::string command = "calibrate --quick";  // named in the source of each parameter
};

// Throws Error when the ping-pong or the memory series is missing or too short.
Calibration calibrate(const bench::Measurements& measurements, const Options& options = {});

// Why one should not trust these figures much: others used the machine meanwhile.
std::vector<std::string> disturbances(const bench::Measurements& measurements);

}  // namespace plumbline::hw::calibration
