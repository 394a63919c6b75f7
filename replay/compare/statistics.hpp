#pragma once
// The few statistics that a verdict rests on; exact where a formula is exact.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/statistics/false_discovery.hpp"
#include "base/statistics/sign_test.hpp"

namespace plumbline::replay {

using statistics::benjamini_hochberg;
using statistics::sign_test;

// The lower middle value after sorting; zero without values. Reorders its argument.
template <typename Values>
typename Values::value_type median(Values& values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The smallest number of values that together hold `part` of the sum of the positive ones. Reorders its argument.
std::uint64_t carriers(std::span<std::int64_t> values, double part);

}  // namespace plumbline::replay
