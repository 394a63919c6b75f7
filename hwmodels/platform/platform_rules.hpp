#pragma once
// What must hold for a platform as a whole.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// Where the parts of a platform stand in its file; 0 for parts that are not there.
struct PlatformLines {
  std::vector<int> nodes, switches, edges, file_systems, placements, routes;
  std::vector<bool> interfaces;  // per node, whether it has an interface rate, right or wrong
  int packets = 0, inside = 0, between = 0;
  bool all_resolved = true;  // every name of a node, switch or edge was found
};

struct PlatformFile {
  std::string name;
  int root_line = 1;
};

// Notes: no node, names used twice, no transport, nodes without an interface rate, pairs of nodes without a way between
// them, routes that do not lead to their target or pass a thing twice, paths served twice, ranks placed twice.
void check_platform(const Platform& platform, const PlatformLines& lines, const PlatformFile& file,
                    Diagnostics& diagnostics);

}  // namespace plumbline::hw
