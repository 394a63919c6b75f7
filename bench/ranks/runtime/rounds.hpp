#pragma once
// Which ranks are measured with each other, and which of them at once.

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::bench {

// Ranks that are measured with each other, in the order of their communicator.
using Group = std::vector<std::uint32_t>;
// Groups that have no rank in common, measured at once.
using Round = std::vector<Group>;

// All pairs {a, b}, a < b, of `ranks` in the fewest rounds, by turning all but one rank round a table (1-factorisation,
// Kirkman, 1847: of an even number n - 1 rounds, of an odd one n).
std::vector<Round> pairs_in_rounds(std::uint32_t ranks);

// Given groups, each in the first round that has room for it.
std::vector<Round> in_rounds(std::span<const Group> groups);

// All {i, j, k}, j < k, that i sends to; disjoint ones are put together as they come.
std::vector<Round> triplets_in_rounds(std::uint32_t ranks);

// Everybody in a pair at random, rank 0 first in the first one; of an odd number one is left out.
Round random_matching(std::uint32_t ranks, std::uint64_t seed);

// Each group a round of its own.
template <class AGroup>
std::vector<std::vector<AGroup>> one_by_one(const std::vector<std::vector<AGroup>>& rounds) {
  std::vector<std::vector<AGroup>> single;
  for (const std::vector<AGroup>& round : rounds)
    for (const AGroup& group : round) single.push_back({group});
  return single;
}

}  // namespace plumbline::bench
