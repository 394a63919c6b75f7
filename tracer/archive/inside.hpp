#pragma once
// Locations of what happens inside of the calls of others (docs/reference/trace-format-inside.md). They speak for no
// rank: whoever walks over the locations of ranks passes over them by Location::rank.

#include <cstdint>
#include <optional>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

// Added to the number of a location: that of what is inside of its calls. Numbers of threads end below it.
inline constexpr std::uint64_t kInsideLocation = std::uint64_t{1} << 51;

// The otf2_id of the location inside of whose calls that happened which this one has; nothing for one of calls.
std::optional<std::uint64_t> inside_of(const Location& location);

}  // namespace plumbline::archive
