#pragma once
// Messages between ranks of one node, from a campaign.

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// Fewest sizes inside of nodes that ranges are made of.
inline constexpr std::size_t kFewestInside = 8;

// One way, inside of nodes. Where sockets are told apart that is in one of them; sizes that were measured across
// sockets only are less what crossing them takes, if there are too few others.
Curve times_inside(const Structure& structure, const Observations& observations, Bytes packet);

// First size inside of nodes that waits for its receiver.
std::optional<std::uint64_t> rendezvous_inside(const Structure& structure, const Observations& observations);

// Fills `inside`, the memory rate of all nodes unless it is given, and the reports of the ranges, by the steps of the
// quick calibration (transport.hpp). Where no node had two ranks both are assumed, and said to be. Comes behind
// fit_between() unless times_inside() has sizes enough.
void fit_inside(const Structure& structure, const Observations& observations, const std::string& source,
                Calibration& into);

}  // namespace plumbline::hw::calibration
