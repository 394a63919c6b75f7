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
// times what both are known to, and than `widths` times the typical step inside of the level below and of the one
// above: values that are merely scattered have gaps at their ends, too. docs/calibration.md, "Classes".
struct GapRule {
  double least = 0.10;
  double spreads = 2;
  double widths = 6;
};

// Of each value its level, from 0, the lowest.
std::vector<std::uint32_t> levels_of(std::span<const Measured> values, const GapRule& rule = {});

}  // namespace plumbline::hw::calibration
