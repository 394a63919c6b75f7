#pragma once
// What a validation comes to, in a word, a sentence and an exit code: every form of the report begins with it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

// Those that count: not suppressed.
std::vector<const Diagnosis*> findings(const Validation& validation);
std::size_t suppressed_findings(const Validation& validation);

// kFindings where something was found; kCannotRunHere where that prevents any measurement (Check::prevents), and where
// nothing was found and a stage was broken off by the machine; kTooNoisy
// where nothing was found, but could not have been: interrupted, a stage incomplete, nothing checked, no run of the
// suite complete, or suite.slower not judged. Else kAsExpected.
ExitCode exit_code(const Validation& validation);

// "findings", "no findings", "cannot run here", "broken off", "too noisy to tell", "incomplete".
std::string_view verdict_word(const Validation& validation);

// "2 findings: they cost 31 % of the suite."
std::string verdict_sentence(const Validation& validation);

// "52 of 71 checks made, 2 found something, 1 suppressed".
std::string checked_sentence(const Validation& validation);
// "9 could not run (4: no such file; 5 for other reasons)"; "" where there is none. At most `most` reasons, the most
// frequent first; the others are counted.
std::string unmade_sentence(const Validation& validation, CheckState state, std::size_t most);
// "2 min 31 s: pre-flight 2.0 s, measure 61 s (interrupted)".
std::string time_sentence(const Validation& validation);
// "2 min 31 s".
std::string total_time(const Validation& validation);
// "quiet", or "disturbed: " and why.
std::string machine_sentence(const Validation& validation);

// "costs 4.1 s, 21 % of the suite", "costs up to ..", "its cost was not measured".
std::string cost_sentence(const Diagnosis& diagnosis);
// " at n0, n1 and 3 more"; "" where there are none.
std::string places_text(const std::vector<std::string>& places, std::size_t most = 3);

// "31 %", "2.4 %", "0.4 %".
std::string share_text(double share);
// "4.1 s"; also of what does not fit a Duration.
std::string seconds_text(double seconds);
// "12", "3.5 Mbit/s".
std::string datum_text(const Datum& datum);

// Lines of a remedy, under the MPI that they are for; those of the MPI that a diagnosis was seen with, or of both.
struct RemedyGroup {
  std::string_view mpi;  // "Open MPI", "MPICH"; "" for either or none
  const std::vector<std::string>* lines = nullptr;
};
std::vector<RemedyGroup> remedy_groups(const Remedy& remedy, std::string_view mpi = {});

}  // namespace plumbline::replay::validate
