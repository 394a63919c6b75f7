#pragma once
// Maps between the time of the observed run and that of the run it is compared with, linear between points.

#include <cstdint>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Both of one length, ascending together; none repeats in both.
struct TimeMap {
  std::vector<Time> observed, free;
};

// One map for all ranks. Its points are the begin and the end of the run, and of each blocking collective that no rank
// leaves before all have come (barrier, allreduce, allgather, alltoall, reduce_scatter) over all ranks: the begin of
// the last rank, and the end of the last. At most `most` >= 2 points.
TimeMap common_map(const Runs& runs, const Matches& matches, std::size_t most);

// Of one rank: begins and ends of its operations.
TimeMap map_of_rank(const Runs& runs, std::uint32_t rank, std::size_t most);

}  // namespace plumbline::viewer
