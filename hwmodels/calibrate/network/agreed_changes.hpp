#pragma once
// Changes of protocol that each run placed for itself -> those that runs agree on.

#include <cstdint>
#include <vector>

#include "hwmodels/calibrate/observations/observations.hpp"

namespace plumbline::hw::calibration {

struct AgreedChange {
  std::uint64_t low = 0, high = 0;
  std::uint32_t runs = 0;

  bool operator==(const AgreedChange&) const = default;
};

// Runs saw one change where their brackets touch; it counts where half of the `runs` and more have it, and is where
// most of them put it, or the middle one of these. Of pairs of one kind. Ascending.
std::vector<AgreedChange> agreed_changes(std::vector<SeenChange> seen, std::uint32_t runs);

}  // namespace plumbline::hw::calibration
