#pragma once
// At which sizes messages are measured: first few, then more of them where the time does not go on as it went.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plumbline::bench::network {

// Doubling from the first to the last, both included; the last is no multiple, perhaps.
std::vector<std::uint64_t> doubling_sizes(std::uint64_t first, std::uint64_t last);

struct SizePoint {
  std::uint64_t size = 0;
  double one = 0, busy = 0;  // PRTT(1, 0, s), and what n messages take more than one, each; any unit
};

struct RefineRule {
  std::uint64_t resolution = 256;  // a change is known to lie within so many bytes
  // How far off a time must be. Half of the smallest change in Table 2 of Hoefler et al. (SCI, a fall by 7 %), so that
  // what points that are far apart leave of it is seen.
  double deviation = 0.04;
  std::uint32_t least_beside = 4;  // points on either side of a change; those who look for it need them
};

// Between which two sizes, points[gap] and points[gap + 1], the time changes, and by how much. Lines through two points
// before it and two behind are each drawn on over the gap: the less wrong of both counts, for a change elsewhere spoils
// one of them. Behind the last gap there is no point, and only the line before it counts.
struct Suspect {
  std::size_t gap = 0;
  double deviation = 0;
};
std::vector<Suspect> suspects(std::span<const SizePoint> points);  // the worst first

// The size to measure next, of points that ascend; none when each change is known well enough.
std::optional<std::uint64_t> next_size(std::span<const SizePoint> points, const RefineRule& rule);

}  // namespace plumbline::bench::network
