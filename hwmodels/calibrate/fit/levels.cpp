#include "hwmodels/calibrate/fit/levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"
#include "base/statistics/order.hpp"

namespace plumbline::hw::calibration {
namespace {

// Relative distance upward.
double step(const Measured& low, const Measured& high) { return std::log(high.value / low.value); }

// First index of each level behind the first.
std::vector<std::size_t> cuts_of(std::span<const Measured> sorted, const GapRule& rule) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < sorted.size(); ++i) steps.push_back(step(sorted[i - 1], sorted[i]));
  const double scatter = steps.size() >= 3 ? rule.steps * statistics::median(steps) : 0;
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double known = rule.spreads * (sorted[i - 1].spread + sorted[i].spread) / 2;
    if (steps[i - 1] > std::max({std::log1p(rule.least), known, scatter})) cuts.push_back(i);
  }
  return cuts;
}

}  // namespace

std::vector<std::uint32_t> levels_of(std::span<const Measured> values, const GapRule& rule) {
  for (const Measured& each : values) PLUMBLINE_CHECK(each.value > 0, "levels need positive values");
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a].value < values[b].value; });
  std::vector<Measured> sorted;
  for (const std::size_t i : order) sorted.push_back(values[i]);
  const std::vector<std::size_t> cuts = cuts_of(sorted, rule);
  std::vector<std::uint32_t> levels(values.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    levels[order[i]] = static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), i) - cuts.begin());
  return levels;
}

}  // namespace plumbline::hw::calibration
