#pragma once
// What the families of the network share: which pairs, and cells made of what they measured.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/ranks/network/rank_pair.hpp"
#include "bench/ranks/runtime/catalogue.hpp"

namespace plumbline::bench::network {

inline constexpr FamilyParameter kFirstOfPair = {
    "a", "one rank of the pair; -1: the first pair between nodes, and the first inside of a node, those that there are",
    "-1"};
inline constexpr FamilyParameter kSecondOfPair = {"b", "the other rank of the pair", "-1"};

// As "a" and "b" say. Throws Error where they are no two ranks.
std::vector<Pair> pairs_asked_for(const Request& request, const Places& places);

// What one rank found, of which rank 0 must hear.
struct Found {
  std::vector<Cell> cells;
  std::vector<std::string> notes;
};
void give_all(const Context& context, const Found& own);  // collective

// Of this rank, which is in the pair `own`; null where it is in none. Throws on all ranks if it must on one.
// Collective.
std::unique_ptr<RankPair> rank_pair_in(MPI_Comm comm, const Pair* own, std::uint64_t largest);

// How many trips of the largest message a family may take for a pair before it tells anything: several times what its
// search takes at most, so that only what hangs is ended.
inline constexpr double kTripsOfAPair = 2000;

// Calls `measure` on both ranks of each pair, one pair after the other, and gives what it found. Collective.
using MeasurePair = std::function<void(RankPair& pair_of_ranks, const Pair& pair, Found& found)>;
void measure_pairs(const Context& context, const std::vector<Pair>& pairs, std::uint64_t largest,
                   const MeasurePair& measure, double trips = kTripsOfAPair);

// Of one pair and one size.
Cell cell_of_pair(const Request& request, const Pair& pair, std::uint64_t bytes, std::string_view part);
void fill(Cell& cell, const Effort& effort, const std::vector<double>& seconds, bool reached);

// The sizes of a request; where they are adaptive, those between the two ends that double.
std::vector<std::uint64_t> sizes_of(const Request& request);
std::uint64_t largest_of(const Request& request);

// How long a measurement may take, by a parameter of the family beside the budget of the effort.
Effort within(Effort effort, double seconds);

// So many times, whatever comes out.
Effort counted(Effort effort, std::uint32_t repetitions);

}  // namespace plumbline::bench::network
