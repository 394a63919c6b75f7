#include "bench/ranks/network/absence.hpp"

#include <algorithm>

#include "base/statistics/order.hpp"

namespace plumbline::bench::network {

double lateness(Duo& duo, std::uint64_t bytes, double least) {
  const double smallest = typical_trip(duo, 1), its = typical_trip(duo, bytes);
  return std::max({least, 4 * smallest, 2 * its});
}

Samples sends_to_absent(Duo& duo, std::uint64_t bytes, Absence absence, double late, const Effort& effort) {
  const auto late_ns = static_cast<std::int64_t>(late * 1e9);
  return repeat(duo, effort, [&] {
    double taken = 0;
    if (duo.leads()) {
      const std::int64_t begin = now_ns();
      duo.send(bytes);
      taken = static_cast<double>(since_ns(begin)) * 1e-9;
      duo.receive(0);
    } else {
      if (absence == Absence::kInCalls)
        duo.be_in_calls_for(late_ns);
      else
        spin(late_ns);
      duo.receive(bytes);
      duo.send(0);
    }
    return Once{taken, 0};
  });
}

bool waits(const Duo& duo, const Samples& sends, double late) {
  return duo.told(duo.leads() && statistics::median(sends.seconds) >= late / 2);
}

}  // namespace plumbline::bench::network
