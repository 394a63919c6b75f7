#pragma once
// From raw samples to one figure per size. No normal distribution is assumed anywhere.

#include <cstdint>
#include <span>
#include <vector>

#include "base/statistics/order.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::hw::calibration {

using statistics::median;

// Relative half-width of a 95 % interval of the median, from order statistics; below 6 values, which no such interval
// exists for, from the smallest to the largest.
double spread_of_median(std::vector<double> values);

// Relative half-width of what another round would show: from the value that a tenth of them do not exceed to the one
// that nine tenths do not, by nearest rank; at least that of the median's interval. The median alone is known better
// with each round, while a machine that changes between two levels stays as it is.
double spread_of_rounds(std::vector<double> values);

// What a series is to tell. kTypical: the median over the rounds of the median of each round (a round, not a sample, is
// independent). kUndisturbed: the same, but where that is more than 1.5 times the lowest 5 % of all samples, these:
// then most samples were taken while something else had the processor, which is not a property of the machine.
enum class Estimate { kTypical, kUndisturbed };

struct SizeSummary {
  std::uint64_t size = 0;
  double value = 0;
  double spread = 0;  // relative; of the rounds, or from the lowest 5 % to the typical value (at most 1)
  std::uint32_t rounds = 0;
  bool disturbed = false;  // the lowest 5 % were taken
};

// One per size, ascending. Empty when the series is not there.
std::vector<SizeSummary> summarise(const bench::Series* series, Estimate estimate);

}  // namespace plumbline::hw::calibration
