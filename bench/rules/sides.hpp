#pragma once
// Both sides of a rule, as far as a campaign has them.

#include <string>
#include <vector>

#include "bench/rules/rules.hpp"
#include "bench/rules/series.hpp"

namespace plumbline::bench {

struct RuleMeasurements {
  std::vector<RuleSeries> all;
  RuleOptions options;
};

// The rule in this layout, at each size that both sides were measured at, by comparison and size; nothing is judged
// yet. `lacking`: becomes what was not measured, where nothing is there.
std::vector<RuleOutcome> sides_of(const Rule& rule, const RuleLayout& layout, const RuleMeasurements& measured,
                                  std::string& lacking);

}  // namespace plumbline::bench
