#pragma once
// What a measurement does, seen from outside of the library: when this rank was in the operation, and when in the calls
// of MPI that stand next to it (witness.cpp wraps them). Between the end of one and the begin of the next the library
// reads the clock; so its readings are known to lie between two moments, however long the rank had no core.

#include <cstdint>
#include <functional>
#include <vector>

namespace plumbline::test {

struct Seen {
  enum class What { kOperation, kBarrier, kReceive, kOtherCall };
  What what = What::kOtherCall;
  std::int64_t begin = 0, end = 0;  // CLOCK_MONOTONIC, ns: one clock for all ranks of a machine
};

// What is between the two is noted, in its order; the first is a moment when nothing had begun.
void begin_to_watch();
std::vector<Seen> end_to_watch();

// Calls of MPI in it must be PMPI's.
void watch_operation(const std::function<void()>& operation);

}  // namespace plumbline::test
