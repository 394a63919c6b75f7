#pragma once
// The second stage: the platform of each MPI, and what the rules need.

#include "cli/workflows/validate/measure/machine_campaign.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Seconds that it takes with all MPIs, about.
double planned_seconds_to_measure(const Session& session);

// Ranks, level and storage of its calibrations; without the rate of a client, which it does not measure.
MachineCampaign machine_campaign_on(const Session& session, const Mpi& mpi);

// Whether the machine is measured without a campaign, in seconds: one machine, whose ranks its own mpirun starts.
bool calibrates_alone(const Session& session, const Mpi& mpi);

// Of such a machine, in some seconds. Throws Error where it cannot be measured.
hw::Platform calibrate_briefly(Session& session, const Mpi& mpi);

// platform-MPI.xml and rules-MPI.h5 in the directory; what is there already is taken (--resume). What cannot be
// measured is noted, and the rest goes on.
void measure(Session& session);

}  // namespace plumbline::cli::validate
