#pragma once
// Locations with what a library did inside of the calls of another location (docs/reference/trace-format-inside.md).

#include <cstdint>
#include <vector>

#include "tracer/archive/model.hpp"

namespace plumbline::replay {

// By location: the one with the inside of its calls, or archive::kUndefined.
std::vector<std::uint32_t> inside_locations(const archive::Definitions& definitions);

// By location: whether it is one of those itself.
std::vector<bool> is_inside_location(const archive::Definitions& definitions);

// By communicator: whether it is a context of the library. Its ranks are world ranks, and its messages are inside of
// calls.
std::vector<bool> is_context(const archive::Definitions& definitions);

}  // namespace plumbline::replay
