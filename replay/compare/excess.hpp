#pragma once
// Excess of one operation over what was expected of it.

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

// What algorithm and hints lost by the model: as-run less ideal, taken where the observed time lies between the two
// runs of the bracket (all cached, all on the device), and never more than the operation took beyond the ideal.
constexpr Duration structure_loss(Duration observed, Duration lower, Duration upper, Duration as_run,
                                  Duration as_run_upper) {
  const double span = static_cast<double>((as_run_upper - as_run).ps);
  double place = observed >= as_run_upper ? 1 : 0;
  if (observed > as_run && observed < as_run_upper) place = static_cast<double>((observed - as_run).ps) / span;
  const double cached = static_cast<double>((as_run - lower).ps),
               device = static_cast<double>((as_run_upper - upper).ps);
  const Duration loss{static_cast<std::int64_t>((1 - place) * cached + place * device)};
  return std::clamp(loss, Duration{}, std::max(observed - lower, Duration{}));
}

}  // namespace plumbline::replay
