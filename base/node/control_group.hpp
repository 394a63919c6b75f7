#pragma once
// Control groups: where the kernel tells what this process may have of processors and memory.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/source.hpp"

namespace plumbline::node {

// That of this process for one controller.
struct ControlGroup {
  int version = 2;
  std::string path;                      // as the kernel names it
  std::vector<std::string> directories;  // its own, then those above it up to where the hierarchy is mounted
};

// `controller`: "cpu", "memory". Nothing where there is no such hierarchy.
std::optional<ControlGroup> control_group(Source& source, std::string_view controller);

}  // namespace plumbline::node
