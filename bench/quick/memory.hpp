#pragma once
// How fast memory is copied, by one core and by all of them together, beyond the caches.

#include "bench/results/measurements.hpp"

namespace plumbline::bench {

void measure_memory(double seconds, Measurements& into);

}  // namespace plumbline::bench
