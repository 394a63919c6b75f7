#pragma once
// Settings that somebody has changed: what each of them costs, measured against the same run without it.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Of the observations on settings of each MPI those that cost something become diagnoses, and are marked as explained;
// the others stay what they are. What was found before an error stays found.
void try_settings(Session& session, std::vector<replay::validate::Diagnosis>& found);

// Tries each setting that forces the algorithm of a collective and is no diagnosis yet in calls of that collective
// alone, if something is shown of it with the same MPI that costs 1 % of the suite: what somebody has set counts from
// there on, and what a library chooses by itself only from 3 %. A suite has a collective in a cell or two, whose loss
// few runs of all cells may not show. `shown`: one of each kind (joined()).
void try_forced_algorithms(Session& session, const std::vector<replay::validate::Diagnosis>& shown,
                           std::vector<replay::validate::Diagnosis>& found);

}  // namespace plumbline::cli::validate
