#pragma once
// Latencies of given hardware, and what was measured against them where the loopback tells what is no cable's.

#include <vector>

#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/calibrate/network/loopback.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Beyond what was measured and what is given are known to. Switches and interfaces take some time of their own, which
// data sheets of cables do not have.
inline constexpr double kLatencyAllowance = 0.10;

// Nodes whose ways to the nearer half of their partners take longer than the cables and switches between them are said
// to. Ways without a given latency are not judged.
std::vector<Finding> beyond_nominal_latency(const Structure& structure, const Observations& observations,
                                            const Platform& platform, const Loopback& loopback);

}  // namespace plumbline::hw::calibration
