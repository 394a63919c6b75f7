#pragma once
// What a node has learnt of its clock against another one's: a file of text in the directory where spools are gathered,
// `HOST.NUMBER.exchanges`. It is whole after every burst of exchanges, however the one that writes it may end.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/clock_fit.hpp"

namespace plumbline::record {

// CLOCK_MONOTONIC as the processes of a node read it: of one start of one kernel, in one time namespace.
struct NodeClockName {
  std::string boot_id;
  std::int64_t namespace_ns = 0;  // by which the time namespace has shifted it

  auto operator<=>(const NodeClockName&) const = default;
};

// Of this process.
NodeClockName this_clock();

// Offsets as in /proc/self/timens_offsets (time_namespaces(7)); 0 where it says nothing of CLOCK_MONOTONIC.
std::int64_t monotonic_offset(std::istream& timens_offsets);

struct ExchangeRecord {
  NodeClockName node, reference;
  std::string node_host, reference_host;
  std::vector<clocks::Burst> bursts;
  std::uint64_t rounds = 0;  // that were made; of each burst the clocks::tightest are kept
};

class ExchangeFile {
 public:
  // Creates the file with what is known in the beginning. Throws std::ios_base::failure.
  ExchangeFile(const std::filesystem::path& path, const ExchangeRecord& record);

  void add(const clocks::Burst& burst, std::uint64_t rounds);

 private:
  std::ofstream file_;
};

// Throws Error, located, when it is none or damaged. What was cut off in the middle of a line is left out.
ExchangeRecord read_exchanges(const std::filesystem::path& path);

// All below a directory, sorted.
std::vector<std::filesystem::path> find_exchanges(const std::filesystem::path& directory);

}  // namespace plumbline::record
