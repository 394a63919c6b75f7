#pragma once
// The deciding half of a comparison: which rows are slower, which only noisy (docs/models/verdicts.md).

#include "replay/compare/result/comparison.hpp"

namespace plumbline::replay {

// Fewer samples than this decide nothing by a sign test, whatever they are.
inline constexpr std::uint64_t kFewSamples = 5;

// Sets p-values, verdicts and reasons of all rows.
void test_rows(Comparison& comparison);

}  // namespace plumbline::replay
