#pragma once
// What the components of the platform did in the expected run, as OTF2 metrics on a location of their own each
// (docs/reference/trace-format-expected.md).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/usage/use_history.hpp"
#include "replay/expect/columns/component_totals.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {

// OTF2's numbers of these locations begin here.
inline constexpr std::uint64_t kFirstUseLocation = std::uint64_t{1} << 53;

class UseLocations {
 public:
  // Adds the locations of all components that were ever used; before Writer::declare(). `names`, `kinds`: by component;
  // no kinds: none is told.
  UseLocations(archive::Definitions& definitions, std::span<const std::string> names, const hw::UseHistory& history,
               std::span<const std::string> kinds = {});

  // Writes their events. Returns the time of the last one.
  Time write(archive::Writer& writer) const;

 private:
  const hw::UseHistory& history_;
  std::uint32_t metric_ = 0;
  std::vector<std::pair<std::uint64_t, std::size_t>> locations_;  // OTF2's number, component
};

// What each of these components did between two times, whatever the members of its metrics; longest busy first, of
// equal ones in their order in the archive.
std::vector<ComponentTotals> read_use(archive::Reader& reader, Time begin, Time end);

}  // namespace plumbline::replay
