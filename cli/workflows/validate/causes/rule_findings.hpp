#pragma once
// Rules that the machine violates, measured again, and with what they cost the suite.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// What persists and costs the suite something. The others become observations; what is not judged is noted.
std::vector<replay::validate::Diagnosis> violated_rules(Session& session);

}  // namespace plumbline::cli::validate
