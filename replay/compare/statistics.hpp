#pragma once
// The few statistics that a verdict rests on; exact where a formula is exact.

#include <cstdint>
#include <span>
#include <vector>

#include "base/statistics/false_discovery.hpp"
#include "base/statistics/sign_test.hpp"

namespace plumbline::replay {

using statistics::benjamini_hochberg;
using statistics::sign_test;

// The lower middle value after sorting; 0 without values. Reorders its argument.
std::int64_t median(std::vector<std::int64_t>& values);

// The smallest number of values that together hold `part` of the sum of the positive ones. Reorders its argument.
std::uint64_t carriers(std::vector<std::int64_t>& values, double part);

}  // namespace plumbline::replay
