#pragma once
// What a storage system is made of, as plain data of a platform: devices, servers with their caches, and how a file
// system spreads its files over servers. Models: docs/models/file-servers.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/parameter.hpp"

namespace plumbline::hw {

// A disk with three classes of access (PIOsimHD's RefinedDisk): where the last access to the same file ended, no seek;
// within `close`, half a turn and `track_to_track`; anything else, half a turn and `average_seek`.
struct HardDisk {
  Parameter<Duration> average_seek, track_to_track, turn;
  Bytes close{1'000'000};  // of PIOsimHD's PVSDisk
  Parameter<BytesPerSecond> rate;

  bool operator==(const HardDisk&) const = default;
};

// `channels` accesses at a time; each takes its latency beside the others, then moves its bytes at the rate of the
// device, one access after another.
struct Flash {
  Parameter<Duration> read_latency, write_latency;
  Parameter<BytesPerSecond> read_rate, write_rate;  // of the device
  std::uint32_t channels = 1;
  std::uint32_t queue_depth = 32;  // accesses that it has taken; more wait outside, where they can be reordered

  bool operator==(const Flash&) const = default;
};

// A file system in memory, or PIOsimHD's SimpleDisk: latency + bytes/rate, one access at a time.
struct SimpleDevice {
  Parameter<Duration> latency;
  Parameter<BytesPerSecond> rate;

  bool operator==(const SimpleDevice&) const = default;
};

struct Device {
  std::optional<HardDisk> disk;  // exactly one of these
  std::optional<Flash> flash;
  std::optional<SimpleDevice> simple;

  bool operator==(const Device&) const = default;
};

// What a server does between its network and its device: the layers of PIOsimHD, or the page cache of an operating
// system, as under a local file system or NFS (docs/models/server-caches.md).
enum class CachePolicy { kNone, kWriteBehind, kAggregation, kAggregationReorder, kServerDirected, kPageCache };

struct ServerCache {
  CachePolicy policy = CachePolicy::kAggregation;
  Bytes memory{1'000'000'000};    // for data on the way to and from the device; of a page cache, for all it holds
  Bytes granularity{10'485'760};  // largest access to the device
  std::uint32_t concurrent = 1;   // accesses that the device is given at a time
  // Of the page cache: dirty bytes from which on they are written back, and beyond which writers wait.
  std::optional<Bytes> dirty_background, dirty_limit;

  bool operator==(const ServerCache&) const = default;
};

// Without other numbers, those that Linux has by default: 10 % and 20 % of the memory (dirty_background_ratio and
// dirty_ratio in its Documentation/admin-guide/sysctl/vm.rst).
inline Bytes dirty_background(const ServerCache& cache) {
  return cache.dirty_background.value_or(Bytes{cache.memory.count / 10});
}
inline Bytes dirty_limit(const ServerCache& cache) { return cache.dirty_limit.value_or(Bytes{cache.memory.count / 5}); }

// A data or metadata server: a process on a node of the network.
struct Server {
  std::string name;
  std::uint32_t node = 0;
  Device device;
  ServerCache cache;
  Parameter<Duration> request;  // CPU time of one request for data or a flush; one after another

  bool operator==(const Server&) const = default;
};

// How the first server of a file follows from its path.
enum class FilePlacement : std::uint8_t {
  kPathHash,     // by a hash of our own: files are spread evenly, where it is not known how
  kGlusterHash,  // as GlusterFS does: by its hash of the name, and of the path of the directory in the volume
};

// How a file system spreads a file over its servers: stripe i lies on server (first + i mod count) mod n of the n it
// uses.
struct Distribution {
  std::vector<std::uint32_t> servers;     // indices into Platform::servers; empty: not distributed
  std::optional<std::uint32_t> metadata;  // index; absent: metadata costs the client's open and close alone
  Bytes stripe{65'536};
  std::uint32_t stripe_count = 0;  // servers of one file; 0: all
  FilePlacement placement = FilePlacement::kPathHash;
  bool local = false;            // a node sees only the server that it holds, as with a disk in each node
  std::uint32_t list_limit = 0;  // extents of one request; a longer list becomes several, one after another. 0: any
  Parameter<Duration> create, lookup, stat;  // of the metadata server: each takes its CPU, one after another
  std::optional<Parameter<Duration>> close;  // the same; absent: it is not told

  bool operator==(const Distribution&) const = default;
};

}  // namespace plumbline::hw
