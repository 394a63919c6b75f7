#pragma once
// Which runs of a campaign count. docs/models/calibration-campaign.md.

#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::hw::calibration {

struct RunChoice {
  std::vector<bool> counts;               // [runs]
  std::vector<std::string> notes;         // what was left out
  std::vector<std::string> disturbances;  // of runs that count nevertheless
  bool cores_shared = false;              // by ranks of a run that counts

  // Cells of a campaign that was put together by hand may name runs that are not there.
  bool takes(const bench::Cell& cell) const { return cell.run >= counts.size() || counts[cell.run]; }

  // What sources are marked with: " (machine in use)", " (ranks shared cores)", both, or nothing.
  std::string mark() const;
};

// A run that others disturbed counts only where fewer than three were undisturbed.
RunChoice choose_runs(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
