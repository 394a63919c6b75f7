#pragma once
// How fast memory is used for the first time, timed.

#include <optional>

#include "base/node/facts.hpp"

namespace plumbline::node {

// Writes to one byte of each page of up to 256 MiB of new memory, and of what is given back and taken again: a third of
// a second at most, and no more than a sixteenth of the memory that is free. `idle` is the quarter of the slowest
// pieces of 4 MiB, because what other processes gave back just now is given out first. Nothing where less than 32 MiB
// could be written.
std::optional<FirstUse> time_first_use();

}  // namespace plumbline::node
