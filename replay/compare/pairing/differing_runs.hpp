#pragma once
// Two observed runs whose programs differ in some operations.
//
// Operations of a rank pair where call, function and file of the call site, communicator (by its members), peer and
// bytes agree, in the order in which alignment.hpp finds them; lines of call sites may have moved, and of receives from
// any source peer and bytes are chance. What pairs is compared, what does not is not judged, and told.

#include <string>

#include "base/error.hpp"
#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// As columns_of_run() (pairing.hpp), which has found `difference`; the columns' remarks tell what is only in one run.
// Throws Error (not comparable) with that difference where less than half of the operations of the longer run pair.
Expected columns_of_differing_runs(const Program& observed, const Program& reference, const CompareOptions& names,
                                   const Problem& difference, const Scratch& scratch);

}  // namespace plumbline::replay
