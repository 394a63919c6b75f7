#pragma once
// What was measured on a machine: raw samples and the circumstances. Nothing here is an average.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::bench {

struct Sample {
  std::uint64_t size = 0;   // of the message or access in bytes; 0 where the series has none
  std::uint32_t round = 0;  // rounds go over all sizes, minutes or milliseconds apart
  std::uint32_t rank = 0;   // that measured
  double value = 0;

  bool operator==(const Sample&) const = default;
};

// Samples in the order in which they were taken.
struct Series {
  std::string name;  // one of those below
  std::string unit;  // "ns" or "B/s"
  std::vector<Sample> samples;

  bool operator==(const Series&) const = default;
};

struct Environment {
  std::string host, created, kernel, processor;     // created: ISO 8601, UTC
  std::uint32_t cores = 0;                          // that this process may use
  double load_before = 0, load_after = 0;           // load average of one minute
  double stolen = 0;                                // share of processor time that the hypervisor gave to others
  double involuntary_switches = 0;                  // of the two ranks
  std::string mpi, mpi_flavour;                     // library and version; "openmpi" or "mpich"
  double late_ns = 0;                               // how late the receiver was in kSendLate and kSendAway
  std::string directory, mount_point, file_system;  // of the storage series

  bool operator==(const Environment&) const = default;
};

struct Measurements {
  Environment environment;
  std::vector<Series> series;
  std::vector<std::string> notes;  // what went otherwise than planned

  bool operator==(const Measurements&) const = default;
};

// Between two ranks of one node, ns.
inline constexpr std::string_view kClock = "clock";         // one reading of the clock
inline constexpr std::string_view kPingPong = "ping-pong";  // half a round trip
inline constexpr std::string_view kSend = "send";           // MPI_Send that needs no receiver
inline constexpr std::string_view kIsend = "isend";         // MPI_Isend where MPI_Send would wait
inline constexpr std::string_view kReceive = "receive";     // MPI_Recv when the message is there
inline constexpr std::string_view kSendMet = "send-met";    // MPI_Send in a ping-pong, of sizes that wait
inline constexpr std::string_view kSendLate = "send-late";  // MPI_Send; the receiver is in other calls of MPI
inline constexpr std::string_view kSendAway = "send-away";  // MPI_Send; the receiver computes
// Memory, B/s; size: of the buffer of each core.
inline constexpr std::string_view kCopyOneCore = "copy-one-core";
inline constexpr std::string_view kCopyAllCores = "copy-all-cores";  // of all together
// Storage, ns per call.
inline constexpr std::string_view kCachedWrite = "cached-write";
inline constexpr std::string_view kCachedRead = "cached-read";
inline constexpr std::string_view kDeviceWrite = "device-write";
inline constexpr std::string_view kDeviceRead = "device-read";
inline constexpr std::string_view kOpen = "open";  // of a file that this call creates
inline constexpr std::string_view kClose = "close";
inline constexpr std::string_view kSyncClean = "sync-clean";  // fsync with nothing to write
inline constexpr std::string_view kSyncDirty = "sync-dirty";  // fsync after a write of `size`

const Series* find(const Measurements& measurements, std::string_view name);

// Finds or adds.
Series& series(Measurements& measurements, std::string_view name, std::string_view unit);

}  // namespace plumbline::bench
