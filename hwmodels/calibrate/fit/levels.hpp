#pragma once
// Values that are alike, found by the gaps between them: how many levels there are is not given.

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::hw::calibration {

struct Measured {
  double value = 0;   // > 0
  double spread = 0;  // relative
};

// Sorted, two neighbours are of different levels when they are farther apart than `least` (relative), than `spreads`
// times what both are known to, and, of four values and more, than `steps` times the median of all steps: values that
// are merely scattered have gaps, too. docs/models/calibration-campaign.md.
struct GapRule {
  double least = 0.10;
  double spreads = 2;
  double steps = 6;
};

// Of each value its level, from 0, the lowest.
std::vector<std::uint32_t> levels_of(std::span<const Measured> values, const GapRule& rule = {});

}  // namespace plumbline::hw::calibration
