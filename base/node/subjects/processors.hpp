#pragma once
// What each processor of a node says of itself, joined to one value.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/node/source.hpp"

namespace plumbline::node {

inline constexpr const char* kProcessors = "/sys/devices/system/cpu";

// The numbers of the directories cpu0, cpu1, .., ascending.
std::vector<std::uint32_t> processors_in(Source& source);

// The first line of `file` in each processor's directory; without those that have none.
std::map<std::uint32_t, std::string> lines_of_processors(Source& source, const std::string& file);

// "performance" where all say the same, else "performance:0-2,4 powersave:3".
std::string joined(const std::map<std::uint32_t, std::string>& lines);

}  // namespace plumbline::node
