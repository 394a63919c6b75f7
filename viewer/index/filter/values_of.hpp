#pragma once
// The value of one field of many operations.

#include <cstdint>
#include <span>

#include "viewer/index/filter/fields.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Of the operations `first` .. of the rank, as ValueRange has them; `is_there[i]` = 0 where an operation has no such
// value: a time of one that is not judged, a tag of one without message. Both of one length.
void values_of(const Runs& runs, Field field, std::uint32_t rank, std::uint32_t first, std::span<std::int64_t> values,
               std::span<std::uint8_t> is_there);

}  // namespace plumbline::viewer
