#pragma once
// Messages between ranks of one node, from a campaign.

#include <string>

#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/structure.hpp"

namespace plumbline::hw::calibration {

// Fills `inside`, the memory rate of all nodes unless it is given, and the reports of the ranges, by the steps of the
// quick calibration (transport.hpp). Where no node had two ranks both are assumed, and said to be. Comes behind
// fit_between().
void fit_inside(const Structure& structure, const Observations& observations, const std::string& source,
                Calibration& into);

}  // namespace plumbline::hw::calibration
