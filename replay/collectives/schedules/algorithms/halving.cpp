#include "replay/collectives/schedules/algorithms/halving.hpp"

namespace plumbline::replay::collectives::schedules {

std::vector<HalvingStep> halve_elements(std::uint64_t count, std::uint32_t power, std::uint32_t number) {
  std::vector<HalvingStep> steps;
  std::uint64_t window = count;
  for (std::uint32_t mask = 1; mask < power; mask *= 2) {
    const std::uint32_t partner = number ^ mask;
    const std::uint64_t lower = window / 2, upper = window - lower;
    steps.push_back(number < partner ? HalvingStep{partner, upper, lower} : HalvingStep{partner, lower, upper});
    window = steps.back().received;
  }
  return steps;
}

namespace {

// before(block): elements in front of it.
template <class Before>
std::vector<HalvingStep> halve_blocks_before(std::uint32_t power, std::uint32_t number, Before before) {
  const auto elements = [&](std::uint32_t first, std::uint32_t blocks) {
    return before(std::uint64_t{first} + blocks) - before(first);
  };
  std::vector<HalvingStep> steps;
  std::uint32_t first = 0, blocks = power;
  for (std::uint32_t mask = 1; mask < power; mask *= 2) {
    const std::uint32_t partner = number ^ mask;
    blocks /= 2;
    const std::uint64_t lower = elements(first, blocks), upper = elements(first + blocks, blocks);
    if (number < partner) {
      steps.push_back({partner, upper, lower});
    } else {
      steps.push_back({partner, lower, upper});
      first += blocks;
    }
  }
  return steps;
}

}  // namespace

std::vector<HalvingStep> halve_blocks(std::uint64_t count, std::uint32_t power, std::uint32_t number) {
  return halve_blocks_before(
      power, number, [&](std::uint64_t block) { return block * (count / power) + std::min(block, count % power); });
}

std::vector<HalvingStep> halve_blocks_rest_last(std::uint64_t count, std::uint32_t power, std::uint32_t number) {
  return halve_blocks_before(power, number,
                             [&](std::uint64_t block) { return block == power ? count : block * (count / power); });
}

}  // namespace plumbline::replay::collectives::schedules
