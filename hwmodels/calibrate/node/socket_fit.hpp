#pragma once
// What the sockets of nodes do, from messages in one and across two. docs/models/calibration-sockets.md.

#include <string>

#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// Gives `sockets` to the nodes on which these are two classes, unless messages between nodes, which cross sockets too,
// would be held up by them. Comes behind fit_inside(): what both classes have in common is there.
void fit_sockets(const Structure& structure, const Observations& observations, const std::string& source,
                 Calibration& into);

}  // namespace plumbline::hw::calibration
