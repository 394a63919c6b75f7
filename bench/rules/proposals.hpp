#pragma once
// What may be set where a rule is violated, in the words of each library.

#include <string>
#include <string_view>
#include <vector>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {

struct Proposal {
  std::string why = {};                 // one sentence
  std::vector<std::string> lines = {};  // variables of the environment "NAME=value", hints "hint NAME=value"
};

// For the outcome's MPI ("openmpi", "mpich") and operation. Without lines where the library has no setting for it: then
// `why` says what a program can do. A proposal is to be tried, for what it sets holds at every size.
Proposal proposal_for(const RuleOutcome& outcome);

}  // namespace plumbline::bench
