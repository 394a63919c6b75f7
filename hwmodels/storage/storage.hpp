#pragma once
// Storage as a bracket: every access either all from the page cache or all from the device. What a program observes
// should lie between the two; only what lies outside is excess. Formulas: docs/models/storage-bounds.md.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

enum class CacheCase : std::uint8_t { kCached, kDevice };
enum class Access : std::uint8_t { kRead, kWrite };

// The file systems of a platform under load. Files are numbered by the caller. Calls must come in the order of their
// `now`; each returns when it is done.
class Storage {
 public:
  Storage(std::span<const FileSystem> file_systems, CacheCase cache);

  // kCached: beside all others; where the file system has an exclusive part of writes, that of a write begins when
  // those of the writes to the same file before it are over. kDevice: after what the device of this file system was
  // given before.
  Time access(std::uint32_t file_system, std::uint32_t file, Access kind, Bytes size, Time now);

  // Beside all others in both cases.
  Time open(std::uint32_t file_system, Time now) const;
  Time close(std::uint32_t file_system, Time now) const;

  // kCached: its own cost: everything may have been written back already. kDevice: waits until the device has done all
  // it was given, and writes what was written since the last sync as if nothing of it had been written back.
  Time sync(std::uint32_t file_system, Time now);

 private:
  Time write_to_cache(const FileSystem& file_system, std::uint32_t file, Duration cost, Bytes size, Time now);

  std::vector<FileSystem> file_systems_;
  CacheCase cache_;
  std::vector<Time> free_at_;      // per file system, when its device has done all it was given
  std::vector<Time> unlocked_at_;  // per file, when no write holds its inode; shorter where none was written
  std::vector<Bytes> dirty_;       // per file system, written since the last sync
};

// Time of one access that nobody else disturbs: cost of the call + size / rate.
Duration access_time(const FileSystem& file_system, Access kind, CacheCase cache, Bytes size);

}  // namespace plumbline::hw
