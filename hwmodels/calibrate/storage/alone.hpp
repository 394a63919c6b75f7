#pragma once
// Storage of a campaign where its network is not what the platform has. docs/models/calibration-storage.md.

#include <string>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/calibration.hpp"

namespace plumbline::hw::calibration {

// Makes `into`, which has nodes and nothing else, a platform with the file systems of the campaign. Messages, memory
// and network are assumed, and said to be. Throws Error (too noisy) when no file system comes of it.
void fit_storage_alone(const bench::Campaign& campaign, const std::string& source, Calibration& into);

// The platform with the storage of the campaign (merge.hpp), and what of it is slow; all else stays, whatever
// the campaign measured of it. `name`: of the platform's file. Throws Error (too noisy) when no file system comes of
// it.
Calibration add_storage(const bench::Campaign& campaign, const Platform& platform, const std::string& name);

}  // namespace plumbline::hw::calibration
