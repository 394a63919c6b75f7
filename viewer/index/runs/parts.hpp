#pragma once
// What the time of an operation consists of.

#include <cstdint>

#include "base/units.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Times of an operation, and what of its duration is what. Durations add up exactly:
//   observed = free + inherited + structure + stack - gained  where it is judged.
// free: in the free run. inherited: what the anchored expectation (of the bracket, the point nearest to what was
// observed) has above the free run; it may be negative. structure, stack: excess.hpp; neither is negative. gained: what
// it was observed below the bracket. Of an operation that is not judged, and without an expectation, only `begin` and
// `observed` are meant: the others are 0, and `judged` is false.
struct Parts {
  Time begin;
  Duration observed, free, lower, upper, band;
  Duration inherited, structure, stack, gained;
  Duration own;  // structure + stack - gained
  bool judged = false;
};

// `operation` < operations of `rank`; both are checked by the caller.
Parts parts_of(const Runs& runs, std::uint32_t rank, std::uint32_t operation);

}  // namespace plumbline::viewer
