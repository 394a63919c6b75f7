#pragma once
// Which operation is held against which: by rank and index, in programs of the same structure.

#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// Throws Error (not comparable) when the columns do not belong to the program: other numbers of ranks or operations,
// or made from an archive of other content.
void require_same_run(const Program& observed, const Expected& expected, const CompareOptions& names);

// A reference run as columns beside the operations of `observed`: lower and upper are its durations, the band is 0,
// ideal_io the POSIX data operations that it made; as-run is lower and upper but for split calls (split_runs.hpp).
// Failed polls are left out. Where the structures differ, what pairs is compared (differing_runs.hpp); throws Error
// (not comparable) naming the first difference where that is too little.
Expected columns_of_run(const Program& observed, const Program& reference, const CompareOptions& names,
                        const Scratch& scratch = {});

}  // namespace plumbline::replay
