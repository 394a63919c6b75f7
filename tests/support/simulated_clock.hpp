#pragma once
// A node's clock that runs wrong in a known way, and exchanges with it. True time is that of the reference.

#include <cmath>
#include <cstdint>
#include <random>

#include "base/clock_fit.hpp"

namespace plumbline::test {

inline constexpr std::int64_t kSecond = 1'000'000'000;  // ns

struct SimulatedClock {
  std::int64_t behind_ns = 0;  // reference - node at true time 0
  double fast_ppm = 0;
  std::int64_t stepped_at = INT64_MAX, step_ns = 0;  // in true time

  std::int64_t node_ns(std::int64_t true_ns) const {
    const std::int64_t drifted = static_cast<std::int64_t>(std::floor(static_cast<double>(true_ns) * fast_ppm * 1e-6));
    return true_ns - behind_ns + drifted + (true_ns >= stepped_at ? step_ns : 0);
  }
};

// Delays: a least one in each direction, and beyond it exponentially distributed jitter.
struct SimulatedNetwork {
  std::int64_t there_ns = 20'000, back_ns = 20'000;
  double jitter_ns = 5'000;

  template <class Random>
  std::int64_t delay(std::int64_t least, Random& random) const {
    return least + static_cast<std::int64_t>(std::exponential_distribution<>(1 / jitter_ns)(random));
  }
};

template <class Random>
clocks::Burst exchange_at(std::int64_t true_ns, std::size_t count, const SimulatedClock& clock,
                          const SimulatedNetwork& network, Random& random) {
  clocks::Burst burst;
  for (std::size_t i = 0; i < count; ++i) {
    clocks::Exchange e;
    e.sent = clock.node_ns(true_ns);
    true_ns += network.delay(network.there_ns, random);
    e.taken = true_ns;
    true_ns += 700;
    e.answered = true_ns;
    true_ns += network.delay(network.back_ns, random);
    e.received = clock.node_ns(true_ns);
    burst.push_back(e);
  }
  return burst;
}

}  // namespace plumbline::test
