#pragma once
// Nobody is accused on one measurement: what the suite or a rule seems to show is measured twice more.

#include <span>
#include <string>
#include <vector>

#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

inline constexpr std::uint32_t kRetests = 2;

// Of one run of the suite.
struct Suspicion {
  const SuiteResult* run = nullptr;
  replay::validate::Diagnosis diagnosis;
};

// What a run showed when it was made again. Withheld: where it says nothing of what waits.
struct Repetition {
  std::vector<replay::validate::Diagnosis> found;
  std::vector<Withheld> withheld = {};
};

// The cost of a suspicion each time, but for repetitions that say nothing of it. `unclear`: why one says nothing; then
// the suspicion does not persist, because nobody is accused on less than two repetitions.
struct Repeated {
  replay::validate::Retest retest;
  std::string unclear = {};
};
Repeated repeated(const replay::validate::Diagnosis& suspected, const std::string& entry,
                  std::span<const Repetition> repetitions);

// Records the runs again in which something is suspected, and keeps what is found each time. What does not persist
// becomes an observation.
std::vector<replay::validate::Diagnosis> confirmed(Session& session, std::vector<Suspicion> suspicions);

double planned_seconds_of_retests();

}  // namespace plumbline::cli::validate
