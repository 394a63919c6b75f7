#pragma once
// How fast memory is used for the first time, timed.

#include <optional>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::node {

// Of the seconds that pieces of 4 MiB took one after another. `idle`: the slowest eight that follow each other,
// `recent`: the usual eight, both by the middle one of them, because one may have met an interrupt. Nothing of fewer
// than eight.
std::optional<FirstUse> first_use_of(const std::vector<double>& idle_s, const std::vector<double>& recent_s);

// Writes to one byte of each page of up to 2 GiB of new memory, and of what is given back and taken again: a second at
// most unless 32 MiB take longer, and no more than an eighth of the memory that is free. What others gave back just now
// is given out first, so that much is looked at and the slowest of it counts. Nothing where there are no 32 MiB.
std::optional<FirstUse> time_first_use();

}  // namespace plumbline::node
