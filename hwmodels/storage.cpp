#include "hwmodels/storage.hpp"

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

Time Storage::access(std::uint32_t file_system, Access kind, Bytes size, Time now) {
  const Duration cost = access_time(file_systems_[file_system], kind, cache_, size);
  if (kind == Access::kWrite) dirty_[file_system] += size;
  if (cache_ == CacheCase::kCached) return now + cost;
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
