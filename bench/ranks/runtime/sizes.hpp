#pragma once
// Which sizes are measured: those of the request, or between its two ends as many as the curve needs.

#include <cstdint>
#include <functional>

#include "bench/ranks/runtime/adaptive_sizes.hpp"
#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// Throws Error for numbers that make no rule.
AdaptiveRule adaptive_rule(const Request& request);

// Calls `measure` for each size, on all ranks; what it answers on rank 0, a time, decides the next one where they are
// adaptive. Collective.
void for_each_size(const Context& context, const Request& request, const std::function<double(std::uint64_t)>& measure);

// Of the repetitions that count; 0 without any.
double median_time(const Cell& cell);

}  // namespace plumbline::bench
