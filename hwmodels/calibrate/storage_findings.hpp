#pragma once
// Parts of storage that are slower than their like. They are reported, and the platform has what the others do: fitted
// away, a fault could not be seen any more.

#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::hw::calibration {

struct StorageFinding {
  std::string component;  // "server s1:/brick", "client rank 3 on n2", "disk of n2"
  std::string what;       // "device-write: 10 MB/s, the others 40 MB/s"
  double severity = 0;    // times the cost of the others; above 1
  double sureness = 0;    // 1 - the chance of such a difference between equals (rank-sum test), from 0 to 1

  bool operator==(const StorageFinding&) const = default;
};

// Servers, clients (where cells kept the times of each rank) and the disks of nodes, each against all others of its
// kind. With two servers the slower one is named, where nothing tells which of them is as it should be.
std::vector<StorageFinding> find_storage_outliers(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
