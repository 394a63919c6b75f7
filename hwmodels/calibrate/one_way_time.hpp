#pragma once
// What a platform with one node makes of a message.

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// What the platform says that one message between two ranks of one node takes: the formula of MessageRange, with
// route(s) = s / memory_rate of the first node.
Duration one_way_time(const Platform& platform, Bytes size);

}  // namespace plumbline::hw::calibration
