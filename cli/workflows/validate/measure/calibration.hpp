#pragma once
// How the machine of a session is calibrated: by a campaign, or in some seconds without one.

#include "bench/quick/options.hpp"
#include "cli/workflows/validate/measure/machine_campaign.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Ranks, level and storage of its calibrations; without the rate of a client, which it does not measure.
MachineCampaign machine_campaign_on(const Session& session, const Mpi& mpi);

// Whether the machine is measured without a campaign, in seconds: one machine, whose ranks its own mpirun starts.
bool calibrates_alone(const Session& session, const Mpi& mpi);

// Of such a machine, in some seconds. Throws Error where it cannot be measured.
hw::Platform calibrate_briefly(Session& session, const Mpi& mpi);

// For a calibration without a campaign that takes so many seconds.
bench::QuickOptions quick_options(const Session& session, const Mpi& mpi, double seconds);

}  // namespace plumbline::cli::validate
