#pragma once
// From rows to findings (docs/models/findings.md).

#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/diagnose/finding.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// By cost, greatest first; those that are withheld come after those that are not. `expected` is what the comparison
// was made with (for two runs: columns_of_run, and `reference` is the other run).
std::vector<Finding> diagnose(const Comparison& comparison, const Program& observed, const Expected& expected,
                              const Program* reference = nullptr);

}  // namespace plumbline::replay
