#pragma once
// Which of several diagnoses is the cause of the others.

#include <map>
#include <string>
#include <vector>

#include "cli/workflows/validate/measure/retests.hpp"
#include "cli/workflows/validate/preflight/lossy_network.hpp"

namespace plumbline::cli::validate {

// Whether a setting that costs something is the cause of what the suite or a rule shows with the same MPI.
bool is_caused_by(const replay::validate::Diagnosis& shown, const replay::validate::Diagnosis& setting);

// What a setting causes becomes its evidence, and is returned.
std::vector<replay::validate::Diagnosis> fold_into_causes(std::vector<replay::validate::Diagnosis>& settings,
                                                          std::vector<replay::validate::Diagnosis>& shown);

// What the suite lost of that beyond what the platform lets it expect, in seconds. Not all costs are: a rule is held
// against other calls, and the platform was measured on the mount that is there, and with the settings.
double seconds_beyond_expected(const std::vector<replay::validate::Diagnosis>& shown);

// What settings explain needs no re-test of its own: it goes from the suspicions to what is shown.
void leave_out_explained(const std::vector<replay::validate::Diagnosis>& settings, std::vector<Suspicion>& suspicions,
                         std::vector<replay::validate::Diagnosis>& shown);

// What a run loses where segments are lost looks like slow links, slow files and slow ranks, a different one each time:
// it becomes evidence of the lost segments, and is not judged. What was counted and not timed is no matter of them.
void leave_out_lost(std::vector<LossyNetwork>& networks, std::vector<Suspicion>& suspicions,
                    std::map<std::string, std::string>& not_judged);

// The eight costliest stay, the costliest first; the others are taken out and returned.
std::vector<Suspicion> take_cheapest(std::vector<Suspicion>& suspicions);

}  // namespace plumbline::cli::validate
