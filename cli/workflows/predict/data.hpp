#pragma once
// A sampled platform with less data: what predictions from averages and from ping-pongs come to (Grove and Coddington,
// figure 6).

#include "hwmodels/platform/platform.hpp"

namespace plumbline::cli::predict {

// The times of each size by the fewest messages in flight alone.
hw::Platform with_fewest_in_flight(hw::Platform platform);

// Every message of a size and number in flight takes the mean of its times, or the least of them.
hw::Platform with_means(hw::Platform platform);
hw::Platform with_least(hw::Platform platform);

}  // namespace plumbline::cli::predict
