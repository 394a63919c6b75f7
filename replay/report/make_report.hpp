#pragma once
// From a comparison to its report.

#include <optional>
#include <string>
#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"
#include "replay/report/report.hpp"

namespace plumbline::replay {

struct ReportOptions {
  CompareOptions compare;
  std::optional<ModelLateness> lateness;
  std::vector<std::string> notes;  // of the caller, after our own; what begins "incomplete: " comes first
  Scratch scratch = {};            // of two observed runs: where what grows with their operations lies
};

// Both throw Error with ExitCode::kNotComparable when the structures differ.
Report make_report(const Program& observed, const Expected& expected, const ReportOptions& options = {});
// Two observed runs; the second is the reference.
Report make_report(const Program& observed, const Program& reference, const ReportOptions& options = {});

// Of a comparison that was made before, and what it was made from. `reference`: the other run; null: `expected` is of a
// replay.
Report make_report(const Comparison& comparison, const Program& observed, const Expected& expected,
                   const Program* reference, const ReportOptions& options = {});

}  // namespace plumbline::replay
