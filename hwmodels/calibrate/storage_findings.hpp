#pragma once
// Parts of storage that are slower than their like. They are reported, and the platform has what the others do: fitted
// away, a fault could not be seen any more.

#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/finding.hpp"

namespace plumbline::hw::calibration {

// Servers, clients (where cells kept the times of each rank) and the disks of nodes, each against all others of its
// kind. With two servers the slower one is named, where nothing tells which of them is as it should be.
std::vector<Finding> find_storage_outliers(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
