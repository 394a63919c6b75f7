#pragma once
// Times calls that need something done before each of them which does not count, on all ranks of a communicator at
// once. What the library (bench.h) has no place for: a file that must be dirty, or new, or not in memory.

#include <functional>
#include <span>
#include <vector>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

struct TimedCall {
  std::function<void()> prepare;  // may be empty
  std::function<void()> execute;
};

struct CallTimes {
  std::vector<double> seconds;   // [repetitions], of the slowest rank
  std::vector<double> of_ranks;  // [repetitions][ranks]
  bool reached = false;          // the precision
};

// One repetition is all calls in turn, each behind a barrier; they end together when each has been measured often
// enough (stopping.hpp) or the budget is over, but not before one repetition. Where a call throws Error, so does this,
// and on the other ranks nothing comes back: call it within all_or_none(). Collective over `comm`; the answer is on its
// rank 0.
std::vector<CallTimes> time_calls(MPI_Comm comm, std::span<const TimedCall> calls, const Effort& effort);

// What cells of these calls say of how they were timed.
void describe_timing(const Effort& effort, const CallTimes& times, bool keep_ranks, Cell& cell);

}  // namespace plumbline::bench
