#pragma once
// Suspects are measured again before anything is said: only what persists is a finding.

#include <span>
#include <string>
#include <vector>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {

// A violation that is to be seen again.
struct Suspect {
  const Rule* rule = nullptr;
  std::size_t comparison = 0;
  std::string mpi;
  std::uint32_t nodes = 1, per_node = 1;
  std::string of_fast, of_slow;
  std::vector<RuleCell> cells;  // of both sides
  double fast_s = 0, slow_s = 0;
};

Suspect suspect_of(const RuleOutcome& outcome);

// The worst outcome of each rule that is violated as a whole.
std::vector<Suspect> suspects_of(const RulesVerdict& verdict);

// A campaign of both sides of all suspects, and of nothing else, in random order: each side is the other one's twin.
// With another MPI among those of the options its cells are a second one. Of the options sizes are not looked at, and
// runs are 5: of fewer no test shows anything at 0.01. Measure it twice, with different seeds.
std::string retest_text(const std::vector<Suspect>& suspects, const RulesCampaign& options);

struct RuleRetest {
  std::vector<double> fast_s, slow_s;            // of each campaign that has the suspect
  std::vector<double> twin_fast_s, twin_slow_s;  // the same under other MPIs, where those were measured
  bool persists = false;                         // in every campaign, and in one at least
};

// In each campaign it is violated by itself: p up to 0.05, ratio and quartiles as in the options. Adjusting for many is
// not needed, for nothing was chosen by these data.
RuleRetest retest_of(const Suspect& suspect, std::span<const Campaign> again, const RuleOptions& options = {});

}  // namespace plumbline::bench
