#pragma once
// What passes longer than usual between two calls of one rank. Ranks wait for each other's longest times, which means
// over iterations do not tell: those that matter stand in the model beside the means.

#include <cstddef>

#include "replay/model/fold/loops.hpp"

namespace plumbline::replay::model {

struct NotableLimits {
  double enough = 0;     // ps: so much of a rank may pass beyond the means and not be told
  std::size_t most = 0;  // of a rank
};

// Leaves in each statement the longest of its notable passages, as what they take beyond the mean of the others, and
// takes that out of its sum; until `enough` is left of the rank, or `most` are told. Returns how much is left; ps.
double keep_longest(FoldedBlock& block, const NotableLimits& limits);

}  // namespace plumbline::replay::model
