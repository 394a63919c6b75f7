#pragma once
// What a component of a platform has done.

#include <cstdint>

#include "base/units.hpp"

namespace plumbline::hw {

// Busy and bytes since the beginning of the run; packets, or accesses of a device, that wait now.
struct ComponentUse {
  Duration busy;
  Bytes bytes;
  std::uint32_t waiting = 0;

  bool operator==(const ComponentUse&) const = default;
};

struct ComponentSample {
  std::uint32_t component = 0;
  ComponentUse use;
};

}  // namespace plumbline::hw
