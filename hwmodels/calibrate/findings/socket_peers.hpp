#pragma once
// Which pairs across sockets, or all of a node, are slower than the others of their class.
// docs/models/calibration-peers.md.

#include <vector>

#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// By the smallest message, and by streams alone, of each group of nodes whose sockets are told apart.
std::vector<Finding> slower_across_sockets(const Structure& structure, const Observations& observations);

}  // namespace plumbline::hw::calibration
