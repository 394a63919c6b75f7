#pragma once
// Parts of storage that are slower than their like. They are reported, and the platform has what the others do: fitted
// away, a fault could not be seen any more. docs/models/calibration-peers.md, "Storage".

#include <string>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/finding.hpp"

namespace plumbline::hw::calibration {

struct SlowStorage {
  std::vector<Finding> findings;   // of each component the worst
  std::vector<std::string> notes;  // what cannot be told, and how many runs could; what looks slow and is not certain
};

// Servers, disks of nodes, and clients (where cells kept the times of each rank), by the rule of peers.hpp.
SlowStorage find_slow_storage(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
