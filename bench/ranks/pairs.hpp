#pragma once
// Which ranks are measured with each other, and which of them at once.

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/ranks/family.hpp"

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

// For "ranks", the parameter of families that measure groups: "one": {0, 1} or {0, 1, 2}; "all": every group, one by
// one; "rounds": every group, as many at once as have no rank in common.
inline constexpr FamilyParameter kWhichRanks = {
    "ranks",
    "\"one\": the first ranks; \"all\": all, one after the other; \"rounds\": all, as many at once as possible", "one",
    true};
std::vector<Round> rounds_of_pairs(const Request& request, std::uint32_t ranks);
std::vector<Round> rounds_of_triplets(const Request& request, std::uint32_t ranks);

// Measures each group on a communicator of its own, for each size, and gives its cells; `measure` is called on the
// ranks of a group, with how many groups are under way, and answers its cell. Collective over context.world.
using MeasureGroup = std::function<Cell(MPI_Comm group, std::uint64_t bytes, std::uint32_t at_once)>;
void measure_groups(const Context& context, const Request& request, const std::vector<Round>& rounds,
                    const MeasureGroup& measure);

}  // namespace plumbline::bench
