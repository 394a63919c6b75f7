#pragma once
// Properties of a process in the definitions of an archive.

#include <cstdint>
#include <string_view>

#include "tracer/archive/model.hpp"

namespace plumbline::replay {

// "" where it has none of that name.
std::string_view property(const archive::LocationGroup& group, const char* key);

// 0 where it has none of that name, or one that is no number or negative.
std::int64_t number(const archive::LocationGroup& group, const char* key);

}  // namespace plumbline::replay
