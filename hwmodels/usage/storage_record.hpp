#pragma once
// What the file servers of a platform, their caches and their devices did in the course of a run. Recorded by
// hwmodels/storage/record_use.hpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/usage/step_history.hpp"

namespace plumbline::hw {

// Sums since the beginning of the run, and what waits now.
struct ServerSample {
  Duration busy;  // its CPU
  Duration held;  // the interface of its node, for packets that its cache refused
  std::uint64_t requests = 0;
  Bytes written, read;        // by its clients: taken by the cache; asked for
  std::uint32_t waiting = 0;  // requests that its CPU has not looked at, with the one in hand

  bool operator==(const ServerSample&) const = default;
};

struct CacheSample {
  Bytes used;                 // now: memory for data under way; of a page cache, for dirty data
  Bytes hits;                 // read without the device
  std::uint64_t refused = 0;  // packets
  std::uint32_t waiting = 0;  // jobs that the device has not been given
  std::uint32_t parked = 0;   // packets that it has refused so far

  bool operator==(const CacheSample&) const = default;
};

struct DeviceSample {
  Duration busy;        // while it had at least one access
  Bytes written, read;  // by accesses that are done
  std::uint64_t accesses = 0;
  std::uint64_t seeks = 0;    // of a hard disk: accesses that did not begin where the one before ended
  std::uint32_t waiting = 0;  // accesses given and not done

  bool operator==(const DeviceSample&) const = default;
};

enum class DeviceAction : std::uint8_t { kRead, kWrite, kFlush };

// One access of a device: what it was given, when, when it began with it, and when it was done.
struct LoggedAccess {
  static constexpr Time kNever{-1};

  Time given, begun = kNever, done = kNever;
  std::uint64_t offset = 0, bytes = 0;  // in the part of the file that lies on this server
  std::uint32_t file = 0;
  DeviceAction action = DeviceAction::kRead;

  bool operator==(const LoggedAccess&) const = default;
};

// In the order in which they were given, from the first one on.
struct AccessLog {
  std::vector<LoggedAccess> accesses;
  std::uint64_t left_out = 0;  // for which there was no room
};

// By server; nothing where it was not asked for, or there are no servers.
struct StorageRecord {
  std::vector<std::string> servers, caches, devices;  // names: "d0", "d0 cache", "d0 disk"
  std::optional<StepHistory<ServerSample>> server_use;
  std::optional<StepHistory<CacheSample>> cache_use;
  std::optional<StepHistory<DeviceSample>> device_use;
  std::vector<AccessLog> accesses;  // of the devices
  std::vector<std::string> files;   // their paths, by number
};

}  // namespace plumbline::hw
