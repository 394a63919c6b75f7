#pragma once
// Excess of one operation over what was expected of it, and what of it algorithm and hints explain.

#include <algorithm>

#include "base/units.hpp"

namespace plumbline::replay {

// Expected is a bracket [lower, upper] (all in the page cache, all on the device; equal where no cache is involved):
// above it the distance to upper, below it the (negative) distance to lower, inside it nothing.
constexpr Duration excess_over(Duration observed, Duration lower, Duration upper) {
  if (observed > upper) return observed - upper;
  if (observed < lower) return observed - lower;
  return {};
}

struct Excess {
  Duration own;        // structure + stack, exactly
  Duration structure;  // what algorithm and hints lost: never negative, never more than own
  Duration stack;      // the rest: what hardware and stack lost
};

// What was observed above the bracket is structure as far as the call as it was run reaches, and stack beyond that.
constexpr Excess excess_of(Duration observed, Duration lower, Duration upper, Duration as_run_upper) {
  const Duration own = excess_over(observed, lower, upper);
  const Duration structure = std::max(std::min(observed, as_run_upper) - upper, Duration{});
  return {own, structure, own - structure};
}

}  // namespace plumbline::replay
