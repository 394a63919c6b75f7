#pragma once
// A validation against an earlier one of the same machine: what is slower than it was, and which findings came and
// went.

#include <string>
#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

struct BaselineComparison {
  std::vector<Diagnosis> diagnoses;                      // suite.slower, by kBaseline; at most one
  std::vector<std::string> new_findings, gone_findings;  // "net.link.rate, cable n3-s0"
  std::vector<std::string> changes;                      // "kernel 6.1.0-13 is now 6.1.0-15"
  std::vector<std::string> left_out;                     // runs of the suite that only one of the two has
};

// A run of the suite is slower when its median is above that of the baseline by more than its spread: what its own
// repetitions spread, and where there are none, 3 robust standard deviations of all runs' ratios, at least 10 %. The
// suite as a whole is slower when it takes 5 % more and a sign test over its runs shows it (p <= 0.01).
// `name`: of the baseline, for messages. Throws Error (kNotComparable) where nodes, ranks, cores or level differ.
BaselineComparison compare_with_baseline(const Validation& now, const Validation& before, const std::string& name);

// The same, put into `now`: the diagnosis, and what came, went and changed as notes.
void hold_against_baseline(Validation& now, const Validation& before, const std::string& name);

}  // namespace plumbline::replay::validate
