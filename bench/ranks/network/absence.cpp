#include "bench/ranks/network/absence.hpp"

#include <algorithm>

#include "base/statistics/order.hpp"

namespace plumbline::bench::network {

double lateness(RankPair& pair_of_ranks, std::uint64_t bytes, double least) {
  const double smallest = typical_trip(pair_of_ranks, 1), its = typical_trip(pair_of_ranks, bytes);
  return std::max({least, 4 * smallest, 2 * its});
}

Samples sends_to_absent(RankPair& pair_of_ranks, std::uint64_t bytes, Absence absence, double late,
                        const Effort& effort) {
  const auto late_ns = static_cast<std::int64_t>(late * 1e9);
  return repeat(pair_of_ranks, effort, [&] {
    double taken = 0;
    if (pair_of_ranks.leads()) {
      const std::int64_t begin = now_ns();
      pair_of_ranks.send(bytes);
      taken = static_cast<double>(since_ns(begin)) * 1e-9;
      pair_of_ranks.receive(0);
    } else {
      if (absence == Absence::kInCalls)
        pair_of_ranks.be_in_calls_for(late_ns);
      else
        spin(late_ns);
      pair_of_ranks.receive(bytes);
      pair_of_ranks.send(0);
    }
    return Once{taken, 0};
  });
}

bool waits(const RankPair& pair_of_ranks, const Samples& sends, double late) {
  return pair_of_ranks.told(pair_of_ranks.leads() && statistics::median(sends.seconds) >= late / 2);
}

}  // namespace plumbline::bench::network
