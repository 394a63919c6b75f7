#pragma once
// How much of their time processors are taken away from a program that computes: by other processes, the kernel, or
// whoever stops the whole node. Timed as the "selfish" benchmark does (Beckman, Iskra, Yoshii, Coghlan: The Influence
// of Operating Systems on the Performance of Collective Operations at Extreme Scale, Cluster 2006): a loop reads the
// clock, and what lies between two readings beyond the usual is an interruption.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::node {

// Seconds of the interruptions of each processor, in order, while all of them computed for `seconds`.
struct Interrupted {
  double seconds = 0;
  std::map<std::uint32_t, std::vector<double>> of_processors;
};

// `usual`, `worst`: the share of its time that was taken from the processor in the middle (of an even number the lesser
// one), and from that which lost most, `worst_processor`. `length`, s: half of what the usual processor lost was lost
// in interruptions of so long or longer; 0: it lost nothing.
struct Interruptions {
  double usual = 0, worst = 0, length = 0;
  std::uint32_t worst_processor = 0, processors = 0;

  bool operator==(const Interruptions&) const = default;
};

// Nothing where no processor was looked at.
std::optional<Interruptions> interruptions_of(const Interrupted& seen);

// One thread computes on each processor that this process may use: a second. What takes less than
// 10 us, as the kernel's clock does, is no interruption. Of one processor 16,384 are told at most.
Interrupted time_interruptions();

// As facts "noise.usual_share", .., and back; nothing where they are not there.
void add_interruptions(Facts& facts, const Interruptions& of);
std::optional<Interruptions> interruptions_in(const Facts& facts);

}  // namespace plumbline::node
