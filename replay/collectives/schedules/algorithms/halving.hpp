#pragma once
// The halves that ranks change in Rabenseifner's algorithms, as Open MPI and MPICH cut them.

#include "replay/collectives/schedules/blocks.hpp"

namespace plumbline::replay::collectives::schedules {

// Step `i` of a rank: its partner's number in the fold has bit i of its own changed; elements that it sends and
// receives in reduce-scatter, and the other way round in the phase that gathers.
struct HalvingStep {
  std::uint32_t partner = 0;
  std::uint64_t sent = 0, received = 0;
};

// Open MPI: each half is cut in halves again, the lower one rounded down; the lower number keeps the lower half.
std::vector<HalvingStep> halve_elements(std::uint64_t count, std::uint32_t power, std::uint32_t number);

// MPICH: `count` elements are cut into `power` blocks, the first ones one element longer, and the blocks are halved.
std::vector<HalvingStep> halve_blocks(std::uint64_t count, std::uint32_t power, std::uint32_t number);
// MPICH's non-blocking reductions: the last block has all that is left.
std::vector<HalvingStep> halve_blocks_rest_last(std::uint64_t count, std::uint32_t power, std::uint32_t number);

using Halving = std::vector<HalvingStep> (*)(std::uint64_t count, std::uint32_t power, std::uint32_t number);

}  // namespace plumbline::replay::collectives::schedules
