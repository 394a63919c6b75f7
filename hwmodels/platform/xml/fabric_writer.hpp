#pragma once
// Writes a fabric as one element, with what single switches and links of it have of their own inside.

#include <cstdint>
#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// "n3" or "n0-n15".
std::string node_range_text(const Platform& platform, std::uint32_t first, std::uint32_t last);

std::string write_fabric(const Platform& platform, const Fabric& fabric);

}  // namespace plumbline::hw
