#pragma once
// What a recording does not tell of servers is what their caches held before. Two replays bound it
// (docs/models/file-servers.md).

#include <cstdint>
#include <map>
#include <utility>

#include "base/units.hpp"
#include "hwmodels/platform/storage_parts.hpp"

namespace plumbline::hw::storage {

enum class Bracket : std::uint8_t {
  kAsGiven,  // as the platform says; page caches are empty at the beginning
  kBest,     // page caches hold whatever is read, and write back as early as they can
  kWorst,    // nothing that is read is in memory; a write is done when it is on the device
};

// The server at that end.
Server at_end_of(Bracket bracket, const Server& server);

// Bytes that were written to a file on a server since it was last synced.
class Unsynced {
 public:
  void add(std::uint32_t server, std::uint32_t file, std::uint64_t bytes) { bytes_[{server, file}] += bytes; }
  std::uint64_t take(std::uint32_t server, std::uint32_t file) { return std::exchange(bytes_[{server, file}], 0); }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> bytes_;
};

}  // namespace plumbline::hw::storage
