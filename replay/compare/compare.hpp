#pragma once
// Holds what a program did against what it should have done, or against another run (docs/models/excess.md).

#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// Throws Error with ExitCode::kNotComparable when the structures differ, naming the first difference.
Comparison compare(const Program& observed, const Expected& expected, const CompareOptions& options = {});

// Two observed runs; the second is the reference. Nothing is inherited, and the band is 0.
Comparison compare(const Program& observed, const Program& reference, const CompareOptions& options = {});

// Both of the above: `expected` belongs to `observed`, and `reference` says what it was made from.
Comparison compare_columns(const Program& observed, const Expected& expected, ReferenceRun reference,
                           const CompareOptions& options);

}  // namespace plumbline::replay
