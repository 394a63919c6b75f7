#pragma once
// Settings that somebody has changed: what each of them costs, measured against the same run without it.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Of the observations on settings of each MPI those that cost something become diagnoses, and are marked as explained;
// the others stay what they are.
std::vector<replay::validate::Diagnosis> try_settings(Session& session);

}  // namespace plumbline::cli::validate
