#pragma once
// What all verbs that run a campaign share: who can measure, progress with the time left, an end in order on Ctrl-C.

#include <string>
#include <vector>

#include "bench/campaign/run.hpp"

namespace plumbline::cli {

// Throws Error (kCannotRunHere) where no MPI is installed.
bench::Catalogue catalogue_of(const std::vector<bench::Installed>& installed);
bench::Surroundings surroundings_of(const std::vector<bench::Installed>& installed, std::uint32_t cores);

// "14 runs of openmpi, mpich: 500 measurements, at most 60 s of repetitions"
std::string what_would_run(const bench::Description& description);

bench::CampaignOutcome run_showing_progress(const bench::Description& description,
                                            const std::vector<bench::Installed>& installed,
                                            bench::CampaignOptions options);

// Notes, runs on a machine that was not quiet, and what is missing, on stderr. `result`: what was written. Whether all
// was measured.
bool tell_outcome(const bench::CampaignOutcome& outcome, const std::string& result);

}  // namespace plumbline::cli
