#pragma once
// A disk with three classes of access and an elevator (PIOsimHD's RefinedDisk; docs/models/storage-devices.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "hwmodels/platform/storage_parts.hpp"
#include "hwmodels/storage/access.hpp"

namespace plumbline::hw::storage {

enum class SeekClass : std::uint8_t { kContiguous, kShort, kAverage };

// Where the last access ended.
struct HeadPosition {
  std::uint32_t file = kNone;
  std::uint64_t offset = 0;
};

SeekClass seek_class(const HardDisk& disk, HeadPosition head, std::uint32_t file, std::uint64_t offset);

// Seek and transfer. Reads and writes alike.
Duration access_time(const HardDisk& disk, SeekClass seek, Bytes size);

// What waits for the disk, and in which order it is taken: what lies in the file of the last access at its end or
// behind it, ascending; then the flushes of this file; then what has waited longest.
class Elevator {
 public:
  void add(const DeviceAccess& access) { waiting_.push_back(access); }
  bool empty() const { return waiting_.empty(); }
  DeviceAccess take(HeadPosition head);

 private:
  std::vector<DeviceAccess> waiting_;  // in the order of arrival; as many as the cache gives at a time
};

}  // namespace plumbline::hw::storage
