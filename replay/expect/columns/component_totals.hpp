#pragma once
// What a component of the platform did in a whole run. Which quantities there are depends on its kind.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace plumbline::replay {

// What adds up in the course of the run: "bytes served", B.
struct UseTotal {
  std::string name, unit;
  std::uint64_t value = 0;

  bool operator==(const UseTotal&) const = default;
};

// What rises and falls, as seen at the samples: "packets waiting", packets.
struct UseLevel {
  std::string name, unit;
  double mean = 0;  // over time
  std::uint64_t most = 0;

  bool operator==(const UseLevel&) const = default;
};

struct ComponentTotals {
  std::string name, kind;  // "l1s0-n0 >", "link"; kind: empty where the archive does not tell
  Duration busy;
  std::vector<UseTotal> totals;
  std::vector<UseLevel> levels;

  bool operator==(const ComponentTotals&) const = default;
};

}  // namespace plumbline::replay
