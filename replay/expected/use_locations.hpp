#pragma once
// What the components of the platform did in the expected run, as OTF2 metrics on a location of their own each
// (docs/trace-format.md, "Expected archives").

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/use_history.hpp"
#include "tracer/archive/writer.hpp"

namespace plumbline::replay {

class UseLocations {
 public:
  // Adds the locations of all components that were ever used; before Writer::declare(). `names`: by component.
  UseLocations(archive::Definitions& definitions, std::span<const std::string> names, const hw::UseHistory& history);

  // Writes their events. Returns the time of the last one.
  Time write(archive::Writer& writer) const;

 private:
  const hw::UseHistory& history_;
  std::uint32_t metric_ = 0;
  std::vector<std::pair<std::uint64_t, std::size_t>> locations_;  // OTF2's number, component
};

}  // namespace plumbline::replay
