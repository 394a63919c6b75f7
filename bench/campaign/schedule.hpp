#pragma once
// The order of a campaign. It depends on the description alone, so that a campaign that was cut off goes on in it.

#include <cstdint>
#include <vector>

#include "bench/campaign/description.hpp"

namespace plumbline::bench {

// One start of the ranks that is asked for.
struct Start {
  std::uint32_t mpi = 0, layout = 0;  // indices in the description
  std::uint32_t repetition = 0;
  std::uint64_t seed = 0;

  bool operator==(const Start&) const = default;
};

// Every combination of MPI and layout once, in random order, before any comes again: what changes slowly on the machine
// falls on all of them alike.
std::vector<Start> starts_of(const Description& description);

// All that is asked of a start, in an order of its own.
Plan plan_of(const Description& description, const Start& start);

}  // namespace plumbline::bench
