#pragma once
// Cables, nodes and pairs that are slower than the others of their class.

#include <vector>

#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Names of cables are those of the platform's edges.
std::vector<Finding> slower_in_network(const Structure& structure, const Observations& observations,
                                       const Platform& platform);

}  // namespace plumbline::hw::calibration
