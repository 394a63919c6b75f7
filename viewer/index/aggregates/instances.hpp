#pragma once
// The n-th of operations that are alike, over ranks: iterations beside each other, whenever they took place.

#include <cstdint>
#include <vector>

#include "viewer/index/runs/alike.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

inline constexpr std::uint32_t kMostInstances = 2048, kMostInstanceRanks = 256;
inline constexpr std::int8_t kNoInstance = -128;

struct Instances {
  std::uint32_t instances = 0;        // the largest number on any rank
  std::uint32_t first = 0, rows = 0;  // instances first .. first + rows - 1 are in `own`
  std::vector<std::uint32_t> ranks;   // ascending; of more than kMostInstanceRanks those of greatest excess
  std::vector<std::int8_t> own;       // by instance, then by rank: log_of() own excess; not judged: of the whole time
};

Instances instances_of(const Runs& runs, const OperationsAlike& alike, std::uint32_t first);

}  // namespace plumbline::viewer
