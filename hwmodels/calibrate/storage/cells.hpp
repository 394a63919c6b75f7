#pragma once
// Cells of the storage families (docs/models/measuring-storage.md) -> file systems, servers, devices and caches of a
// platform. Formulas: docs/models/calibration-storage.md.

#include <string>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/calibration.hpp"

namespace plumbline::hw::calibration {

// Adds a file system for each mount point that was measured, with servers where devices or servers were; what could not
// be told is in the notes; what stands out (findings.hpp) is a finding. Call it when the nodes and edges of the
// platform are there: servers are put on them. A file system of the same path is replaced.
void fit_storage_cells(const bench::Campaign& campaign, const std::string& source, Calibration& into);

}  // namespace plumbline::hw::calibration
