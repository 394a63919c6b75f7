#pragma once
// What an archive is assembled from beside spools, and how.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::record {

struct AssembleOptions {
  std::vector<std::filesystem::path> exchanges;           // files of clock_file.hpp
  std::string description;                                // of the trace: the command line
  std::vector<std::filesystem::path> samples = {};        // of the nodes (spool::find_samples)
  std::function<void(double share)> progress = {};        // 0 to 1; may be empty
  std::optional<std::uint64_t> stopped_realtime_ns = {};  // the user stopped the run then
  bool anonymize = false;                                 // what users have named gets pseudonyms (pseudonyms.hpp)
};

}  // namespace plumbline::record
