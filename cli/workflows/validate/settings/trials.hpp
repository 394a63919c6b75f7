#pragma once
// Settings that somebody has changed: what each of them costs, measured against the same run without it.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Of the observations on settings of each MPI those that cost something become diagnoses, and are marked as explained;
// the others stay what they are.
std::vector<replay::validate::Diagnosis> try_settings(Session& session);

// The same of those that force the algorithm of a collective and are no diagnosis yet, if something is shown of that
// collective with the same MPI. A suite has it in a cell or two, and loses too little by it to tell; so it is timed
// alone. Its cost is the greatest of what is shown.
std::vector<replay::validate::Diagnosis> try_forced_algorithms(Session& session,
                                                               const std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
