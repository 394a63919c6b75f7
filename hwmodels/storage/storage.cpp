#include "hwmodels/storage/storage.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::hw {
namespace {

const AccessCost& cost_of(const FileSystem& file_system, Access kind, CacheCase cache) {
  if (kind == Access::kRead) return cache == CacheCase::kCached ? file_system.cached_read : file_system.device_read;
  return cache == CacheCase::kCached ? file_system.cached_write : file_system.device_write;
}

}  // namespace

Duration access_time(const FileSystem& file_system, Access kind, CacheCase cache, Bytes size) {
  const AccessCost& cost = cost_of(file_system, kind, cache);
  return cost.call.value + transfer_time(size, cost.rate.value);
}

Storage::Storage(std::span<const FileSystem> file_systems, CacheCase cache)
    : file_systems_(file_systems.begin(), file_systems.end()),
      cache_(cache),
      free_at_(file_systems.size()),
      dirty_(file_systems.size()) {}

// Linux holds the inode's lock (i_rwsem) from before the first byte of a buffered write is copied until after the last.
Time Storage::write_to_cache(const FileSystem& file_system, std::uint32_t file, Duration cost, Bytes size, Time now) {
  if (!file_system.exclusive_write) return now + cost;
  const Duration exclusive =
      file_system.exclusive_write->value + transfer_time(size, file_system.cached_write.rate.value);
  if (file >= unlocked_at_.size()) unlocked_at_.resize(std::size_t{file} + 1);
  Time& unlocked_at = unlocked_at_[file];
  unlocked_at = std::max(unlocked_at, now + (cost - exclusive)) + exclusive;
  return unlocked_at;
}

Time Storage::access(std::uint32_t file_system, std::uint32_t file, Access kind, Bytes size, Time now) {
  const Duration cost = access_time(file_systems_[file_system], kind, cache_, size);
  if (kind == Access::kWrite) dirty_[file_system] += size;
  if (cache_ == CacheCase::kCached)
    return kind == Access::kWrite ? write_to_cache(file_systems_[file_system], file, cost, size, now) : now + cost;
  Time& free_at = free_at_[file_system];
  free_at = std::max(free_at, now) + cost;
  return free_at;
}

Time Storage::open(std::uint32_t file_system, Time now) const { return now + file_systems_[file_system].open.value; }

Time Storage::close(std::uint32_t file_system, Time now) const { return now + file_systems_[file_system].close.value; }

Time Storage::sync(std::uint32_t file_system, Time now) {
  const FileSystem& fs = file_systems_[file_system];
  const Bytes dirty = std::exchange(dirty_[file_system], Bytes{});
  if (cache_ == CacheCase::kCached) return now + fs.sync.value;
  return std::max(now, free_at_[file_system]) + transfer_time(dirty, fs.device_write.rate.value) + fs.sync.value;
}

}  // namespace plumbline::hw
