#include "replay/mpi/transfers/noise.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sim/random.hpp"

namespace plumbline::replay::mpi {

Noise::Noise(const hw::Platform& platform, std::span<const std::uint32_t> nodes, std::uint64_t seed, Time origin) {
  if (std::none_of(platform.nodes.begin(), platform.nodes.end(), [](const hw::Node& n) { return n.noise.has_value(); }))
    return;
  ranks_.resize(nodes.size());
  for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
    const std::optional<hw::Noise>& noise = platform.nodes[nodes[rank]].noise;
    if (!noise || noise->duration.value == Duration{}) continue;
    const Duration period = noise->period.value;
    PLUMBLINE_CHECK(noise->duration.value < period, "noise leaves something of the CPU");
    sim::RandomStream random(seed, fmt::format("noise of node {} rank {}", nodes[rank], rank));
    const auto phase = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(period.ps)));
    ranks_[rank] = {period, noise->duration.value, origin + Duration{phase}};
  }
}

// A period is the time taken, then what is left of it; work counts in the latter only. It ends with its last
// picosecond, also where the CPU is taken right behind that.
Time Noise::stretched(const Rhythm& rhythm, Time begin, Duration work) {
  const std::int64_t period = rhythm.period.ps, taken = rhythm.duration.ps, left = period - taken;
  std::int64_t place = (begin - rhythm.phase).ps % period;
  if (place < 0) place += period;
  const std::int64_t done = std::max(place - taken, std::int64_t{0}) + work.ps;  // since the CPU was left last, or next
  const std::int64_t whole = (done - 1) / left;
  return begin + Duration{whole * period + taken + (done - whole * left) - place};
}

}  // namespace plumbline::replay::mpi
