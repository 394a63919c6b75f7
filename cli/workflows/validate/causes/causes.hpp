#pragma once
// The last stage: observations, broken rules and findings of the suite become diagnoses with a measured cost.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

double planned_seconds_to_diagnose(const Session& session);

// Fills the session's validation with diagnoses and observations, each suspect measured again.
void diagnose(Session& session);

}  // namespace plumbline::cli::validate
