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

// Sizes between which the time changes.
struct Bracket {
  std::uint64_t low = 0, high = 0;  // the last size before, the first one behind

  bool operator==(const Bracket&) const = default;
};

struct RefineRule {
  std::uint64_t resolution = 256;  // a change is known to lie within so many bytes
  // How far off a time must be. Half of the smallest change in Table 2 of Hoefler et al. (SCI, a fall by 7 %), so that
  // what points that are far apart leave of it is seen.
  double deviation = 0.04;
  std::uint32_t least_beside = 4;  // points on either side of a change; those who look for it need them
  std::uint32_t messages = 10;     // of a train
  std::size_t most_sizes = 1000;
};

// Where points[gap] and points[gap + 1] may have a change between them. Lines through two points before it and two
// behind are each drawn on over the gap: the less wrong of both counts, for a change elsewhere spoils one of them.
// Behind the last gap of a piece there is no point, and only the line before it counts; and before the first one behind
// a change only the line behind it.
struct Suspect {
  std::size_t gap = 0;
  // How far off PRTT(1, 0, s) and the gap of messages are, of the greater one's value; above 0 where they rise.
  double one = 0, busy = 0;

  double deviation() const;  // of the one that is farther off
};
// The worst first. `changes` are known, ascending: no line is drawn across them, and they are not told again.
std::vector<Suspect> suspects(std::span<const SizePoint> points, std::span<const Bracket> changes = {});

// More points beside a change that is known: in the widest gap on a side that has too few before the next change.
std::optional<std::uint64_t> beside(std::span<const SizePoint> points, std::span<const Bracket> changes,
                                    const Bracket& change, const RefineRule& rule);

std::uint64_t middle_of(const Bracket& bracket);

}  // namespace plumbline::bench::network
