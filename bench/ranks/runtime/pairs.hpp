#pragma once
// Families of which each cell is of some ranks: pairs, or one with two others.

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/ranks/runtime/family.hpp"
#include "bench/ranks/runtime/rounds.hpp"

namespace plumbline::bench {

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
