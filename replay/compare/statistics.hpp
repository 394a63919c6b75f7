#pragma once
// The few statistics that a verdict rests on; exact where a formula is exact.

#include <cstdint>
#include <span>
#include <vector>

#include "base/statistics/false_discovery.hpp"

namespace plumbline::replay {

// One-sided sign test: the chance that at least `above` of `samples` lie above a mark that is not below the median,
// P(X >= above) for X ~ Binomial(samples, 1/2). Samples equal to the mark count as not above. 1 without samples.
double sign_test(std::uint64_t above, std::uint64_t samples);

using statistics::benjamini_hochberg;

// The lower middle value after sorting; 0 without values. Reorders its argument.
std::int64_t median(std::vector<std::int64_t>& values);

// The smallest number of values that together hold `part` of the sum of the positive ones. Reorders its argument.
std::uint64_t carriers(std::vector<std::int64_t>& values, double part);

}  // namespace plumbline::replay
