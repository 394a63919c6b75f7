#pragma once
// Who writes the events of an expected archive.

#include <cstdint>

#include "base/team/shared_work.hpp"

namespace plumbline::replay {

// This process alone, or with others, where more than `most` of them are of no use.
struct WritersOfEvents {
  Workers* workers = nullptr;
  std::uint32_t most = ~0U;
};

}  // namespace plumbline::replay
