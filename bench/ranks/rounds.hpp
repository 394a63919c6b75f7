#pragma once
// Which ranks are measured with each other, and which of them at once.

#include <cstdint>
#include <vector>

namespace plumbline::bench {

// Ranks that are measured with each other, in the order of their communicator.
using Group = std::vector<std::uint32_t>;
// Groups that have no rank in common, measured at once.
using Round = std::vector<Group>;

// All pairs of `ranks` in the fewest rounds, by turning all but one rank round a table (1-factorisation: of an even
// number n - 1 rounds, of an odd one n).
std::vector<Round> pairs_in_rounds(std::uint32_t ranks);

// Each group a round of its own.
std::vector<Round> one_by_one(const std::vector<Round>& rounds);

// All {i, j, k}, j < k, that i sends to; disjoint ones are put together as they come.
std::vector<Round> triplets_in_rounds(std::uint32_t ranks);

// Everybody in a pair at random, rank 0 first in the first one; of an odd number one is left out.
Round random_matching(std::uint32_t ranks, std::uint64_t seed);

}  // namespace plumbline::bench
