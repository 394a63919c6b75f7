#pragma once
// What the components of the platform did, as lines of text.

#include <cstddef>
#include <string>
#include <vector>

#include "replay/report/report.hpp"

namespace plumbline::replay {

// A line of titles, then at most `most` components. All that is in bytes is one column, what waits another; what else
// a component tells stands below it.
std::vector<std::string> component_lines(const Report& report, std::size_t most);

}  // namespace plumbline::replay
