#pragma once
// Load balance, serialisation and transfer over time, which multiply to parallel efficiency (POP Centre of Excellence,
// "POP Standard Metrics for Parallel Performance Analysis", pop-coe.eu). In a window of length w, with the time c that
// a rank computes and the time s that it waits for others to begin:
//   load balance     mean c / max c
//   serialisation    max c / max (c + s)
//   transfer         max (c + s) / w
// POP takes max (c + s) from a replay on a network without latency and with unlimited bandwidth; here, for each window,
// it is what is left when all time in calls is taken away in which nobody else was waited for.

#include <cstdint>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Efficiency {
  std::vector<Time> bins;                                     // their begins, and the end of the last
  std::vector<double> load_balance, serialisation, transfer;  // 0 to 1; 1 where nobody computed
};

// bins > 0; range.begin < range.end.
Efficiency efficiency_of(const Runs& runs, const Matches& matches, TimeRange range, std::uint32_t bins);

}  // namespace plumbline::viewer
