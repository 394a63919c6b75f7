#pragma once
// What a platform is given where nothing was measured, so that it is a platform: each number has a large spread and a
// source that begins with "assumed".

#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

bool is_assumed(const std::string& source);

// Neither assumed nor said not to be seen: something was measured.
bool is_measured(const std::string& source);

Parameter<BytesPerSecond> assumed_memory_rate();

// Of a cached write with this call: where no two clients wrote to one file at a time.
Parameter<Duration> assumed_exclusive_write(const Parameter<Duration>& call);

// One switch with a cable to each node, faster than any storage: what storage took was measured through the real
// network, so that its own figures have what that costs.
void assume_network(Platform& platform);

// Inside of nodes; and between them where the platform has a network.
void assume_messages(Platform& platform);

}  // namespace plumbline::hw::calibration
