#pragma once
// From durations of POSIX calls to a file system.

#include <string>

#include "bench/results/measurements.hpp"
#include "hwmodels/calibrate/calibration.hpp"

namespace plumbline::hw::calibration {

// Adds the file system of the measured directory; nothing when no storage was measured.
void fit_storage(const bench::Measurements& measurements, const std::string& source, Calibration& into);

}  // namespace plumbline::hw::calibration
