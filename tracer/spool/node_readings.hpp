#pragma once
// Reading the copies of /proc and /sys that the tracer makes of each node (node_format.h). What was broken off gives
// what was whole; nothing throws because of what a file holds.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/node/copy.hpp"
#include "tracer/spool/format/node_format.h"

namespace plumbline::spool {

struct NodeReading {
  std::uint64_t realtime_ns = 0;
  std::uint64_t took_ns = 0;           // 0: it was broken off
  pl_node_stop stopped = PL_NODE_ALL;  // before all files were copied
  bool is_whole = false;               // else it was broken off
  node::Copy copy;
};

struct NodeReadings {
  std::optional<NodeReading> begin, end;
};

NodeReadings parse_node_readings(std::string_view text);

// Of the process that has written this spool; none where it was not the one of its node, or nothing can be read.
NodeReadings node_readings_beside(const std::filesystem::path& spool);

}  // namespace plumbline::spool
