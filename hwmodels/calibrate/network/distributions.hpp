#pragma once
// Measured times of single messages -> what a sampled network draws from. How:
// docs/models/calibration-distributions.md.

#include <cstddef>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

struct DistributionOptions {
  std::string command = "calibrate";  // named in the source of the times
  double tolerance = 0.005;           // of each quantile: statistics::binned()
  std::size_t least = 30;             // messages; fewer are left out, and that is noted
};

struct Distributions {
  std::vector<MessageTimes> inside, between;  // of a node; by size, then by number in flight
  std::vector<std::string> notes;             // what was left out, or is doubtful
};

// From cells of two ranks: "one_way", by a shared clock; where there are none of a size and number in flight, the half
// of "round_trip" and "pairs". Valid repetitions of all runs count alike.
Distributions distributions(const bench::Campaign& campaign, const DistributionOptions& options = {});

// Makes it a sampled platform: each time goes into the range of its size. Pairs of nodes with a transport of their own
// get the times of `between`. Throws Error with all ranges in which nothing was measured.
void use(const Distributions& distributions, Platform& platform);

}  // namespace plumbline::hw::calibration
