#pragma once
// Cables, nodes and storage that are slower than their like, by the calibration and by what the suite lost.

#include <optional>
#include <span>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "hwmodels/platform/settings/settings.hpp"

namespace plumbline::cli::validate {

// How a platform, which has the centre of each class, gets the fault of one component; nothing where it cannot be set.
std::optional<hw::Setting> setting_of(const hw::calibration::Finding& finding);

// Seconds that a run lost by a fault: as much as the replay with it takes longer, and no more than was observed. Caches
// that a model bounds may have hidden the rest.
double cost_in_run(Duration observed, Duration expected, Duration with_fault);

// Seconds that the suite lost by the settings, of all its runs with this MPI. Throws Error where the platform cannot
// have them.
double cost_in_replays(const Session& session, const Mpi& mpi, const hw::Platform& platform,
                       std::span<const hw::Setting> settings);

// Components of which is known what they can do that a run of the suite blames, with what they explain of it. `judged`:
// of the run, or of one that was made again.
std::vector<replay::validate::Diagnosis> blamed_in(const Judged& judged, const SuiteResult& run);

// Adds to what the suite has shown those that the calibration found, which cost what the replays of the suite take
// longer with the component as it was measured; what the suite has shown of the same component is surer by it. What
// costs nothing, and components of which it is not known what they can do, become observations.
void add_components(Session& session, std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
