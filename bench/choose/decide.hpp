#pragma once
// Which candidate is the fastest beyond doubt.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::bench::choose {

struct Doubt {
  double chance = 0.01;  // to leave the library's where nobody is faster, of all candidates together
  double gain = 0.05;    // the least share of the library's time that counts as faster
};

// The times of one candidate, one of each round: the median of its repetitions.
using Rounds = std::vector<double>;

// Index of the one to take; 0 is the library's, which is kept unless another one is faster: by the rank-sum test of
// Mann and Whitney at `chance` shared out among the others (Bonferroni), and by `gain` in the median. Of those the one
// with the least median; the first of equals. Who was measured in fewer rounds than the library's is out.
std::size_t decide(std::span<const Rounds> candidates, const Doubt& doubt);

// Who takes `times` as long as the fastest in each round, at least.
bool is_hopeless(const Rounds& candidate, std::span<const Rounds> candidates, double times);

// Rounds below which even the clearest difference says nothing at this chance.
std::uint32_t least_rounds(std::size_t candidates, const Doubt& doubt);

}  // namespace plumbline::bench::choose
