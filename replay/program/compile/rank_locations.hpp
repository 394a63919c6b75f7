#pragma once
// Which location of an archive speaks for which rank.

#include <cstdint>
#include <string>
#include <vector>

#include "tracer/archive/model.hpp"

namespace plumbline::replay {

// The location that speaks for each rank. Error when there is none, or not exactly one for each.
std::vector<std::uint32_t> locations_by_rank(const archive::Definitions& definitions, const std::string& where);

}  // namespace plumbline::replay
