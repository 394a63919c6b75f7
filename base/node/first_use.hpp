#pragma once
// How fast memory is used for the first time, timed.

#include <optional>

#include "base/node/facts.hpp"

namespace plumbline::node {

// Writes to one byte of each page of up to 2 GiB of new memory, and of what is given back and taken again: a second at
// most, and no more than an eighth of the memory that is free. `idle` is the slowest of pieces that follow each other,
// 32 MiB of them, because what others gave back just now is given out first. Nothing where less could be written.
std::optional<FirstUse> time_first_use();

}  // namespace plumbline::node
