#pragma once
// What may be set where a rule is violated, in the words of each library.

#include <string>
#include <string_view>
#include <vector>

#include "bench/rules/rules.hpp"
#include "bench/rules/tracks.hpp"

namespace plumbline::bench {

struct Proposal {
  std::string why = {};                 // one sentence
  std::vector<std::string> lines = {};  // variables of the environment "NAME=value", hints "hint NAME=value"
  std::string file = {};                // contents of a tuning file that a line names as kTuningFile; empty: none
};
inline constexpr char kTuningFile[] = "{tuning-file}";

// For the outcome's MPI ("openmpi", "mpich") and operation. Without lines where the library has no setting for it: then
// `why` says what a program can do. A proposal is to be tried, for what it sets holds at every size.
Proposal proposal_for(const RuleOutcome& outcome);

// For what is violated at some sizes of a comparison: where the library reads one, a tuning file that sets the
// algorithm at these sizes and this number of ranks alone; else as above, for the worst of them.
Proposal proposal_for(const GuidelineTrack& track, const RulesVerdict& verdict);

// The lines of a proposal whose tuning file is at this path.
std::vector<std::string> lines_with(const Proposal& proposal, const std::string& path);

}  // namespace plumbline::bench
