#pragma once
// Nobody is accused on one measurement: what the suite or a rule seems to show is measured twice more.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

inline constexpr std::uint32_t kRetests = 2;

// Of one run of the suite.
struct Suspicion {
  const SuiteResult* run = nullptr;
  replay::validate::Diagnosis diagnosis;
};

// Records the runs again in which something is suspected, and keeps what is found each time. What does not persist
// becomes an observation.
std::vector<replay::validate::Diagnosis> confirmed(Session& session, std::vector<Suspicion> suspicions);

double planned_seconds_of_retests();

}  // namespace plumbline::cli::validate
