#pragma once
// Cells of storage -> classes of like parts: servers of a file system, disks of nodes, clients.

#include <cstddef>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/fit/peers.hpp"

namespace plumbline::hw::calibration {

// Parts that were asked for the same. Each has one value for each run: of each kind of access (size, clients, distance)
// the median of the run over the centre of the parts; and of these the median.
struct PartClass {
  std::string part;                     // "server", "disk", "client"
  std::string mount;                    // point
  std::string what;                     // they did: "device-write of 3 MiB"
  double least = 0;                     // PeerRule::least
  std::size_t parts = 0, runs = 0;      // that were seen; of the part with the fewest
  std::vector<std::string> names = {};  // of the components, as findings call them
  std::vector<Member> members = {};     // likewise; only kinds of access that three parts and more were seen with
  double usual_s = 0;                   // what the centre of the class takes: the median over the kinds
};

// Of runs that count.
std::vector<PartClass> classes_of_storage(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
