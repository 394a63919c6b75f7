#pragma once
// A platform: what a machine can do, as plain data. Read from and written to XML by hwmodels/platform_xml.hpp, where
// every number carries its unit; made by hand or by `plumbline calibrate`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace plumbline::hw {

// A number of the platform with what is known about it.
template <class T>
struct Parameter {
  T value{};
  double spread = 0;   // relative half-width of the values that are plausible: 0.05 means ±5 %. 0: not known
  std::string source;  // "calibrate: ping-pong, 30 × 100 repetitions, median"; empty: typed in by hand

  bool operator==(const Parameter&) const = default;
};

enum class Protocol { kEager, kRendezvous };

// What one message of up to `upto` bytes costs beside the wires. Uncontended one-way time of s bytes, eager:
//   send + s/send_rate  +  latency + route(s)  +  receive + s/receive_rate
// where route(s) is the time in the components of the network. The first and last term keep the CPU of the sending and
// of the receiving rank busy (o_s(s) and o_r(s) of LogGP), `latency` does not. Rendezvous: a request and a
// clear-to-send without payload (at the costs of the first range) go before; the sender is free when the data has
// arrived.
struct MessageRange {
  std::optional<Bytes> upto;  // inclusive; absent in the last range of a transport
  Protocol protocol = Protocol::kEager;
  Parameter<Duration> send, receive, latency;
  std::optional<Parameter<BytesPerSecond>> send_rate, receive_rate;  // absent: no cost per byte

  bool operator==(const MessageRange&) const = default;
};

// How messages travel between two ranks of one node, or of two nodes. Ranges ascend; the last one is open.
struct Transport {
  std::vector<MessageRange> ranges;

  bool operator==(const Transport&) const = default;
};

// Where ranks run. Its interface to the network is a component with a rate; messages inside it share `memory_rate`.
struct Node {
  std::string name;
  std::uint32_t cores = 1;
  Parameter<BytesPerSecond> memory_rate;     // of all local messages together
  Parameter<BytesPerSecond> interface_rate;  // ignored when the platform has no edges

  bool operator==(const Node&) const = default;
};

struct Switch {
  std::string name;
  Parameter<BytesPerSecond> rate;  // of the whole switch (its backplane)

  bool operator==(const Switch&) const = default;
};

// A cable: one component in each direction. Ends are indices into the list of vertices: nodes first, then switches.
struct Edge {
  std::string name;
  std::uint32_t from = 0, to = 0;
  Parameter<Duration> latency;
  Parameter<BytesPerSecond> rate;

  bool operator==(const Edge&) const = default;
};

struct Packets {
  Bytes granularity{102'400};  // payload of a full packet (the default of PIOsimHD)
  Bytes header{40};            // carried by the first packet of a message

  bool operator==(const Packets&) const = default;
};

// Cost of one call on an open file: call + bytes/rate.
struct AccessCost {
  Parameter<Duration> call;
  Parameter<BytesPerSecond> rate;

  bool operator==(const AccessCost&) const = default;
};

// A file system as a bracket: every buffered access costs at least `cached`, at most `device` (page cache decision).
// Calls served by the cache run beside each other; the device serves one after another.
struct FileSystem {
  std::string name;
  std::vector<std::string> paths;  // directory prefixes it serves; longest match wins
  AccessCost cached_write, cached_read;
  AccessCost device_write, device_read;
  Parameter<Duration> open, close, sync;

  bool operator==(const FileSystem&) const = default;
};

// "ranks a to b run on this node"; overrides the node names of the archive.
struct Placement {
  std::uint32_t first_rank = 0, last_rank = 0;
  std::uint32_t node = 0;

  bool operator==(const Placement&) const = default;
};

struct Platform {
  std::string name;
  std::string mpi;      // library the transports were measured with; empty: any
  std::string created;  // ISO 8601; empty: written by hand
  std::vector<Node> nodes;
  std::vector<Switch> switches;
  std::vector<Edge> edges;
  Packets packets;
  Transport inside, between;  // between ranks of one node; between nodes (may be empty when there is one node)
  std::vector<FileSystem> file_systems;
  std::vector<Placement> placements;

  bool operator==(const Platform&) const = default;
};

// The range that a message of `size` bytes falls into.
const MessageRange& range_of(const Transport& transport, Bytes size);

// The file system that serves `path` (longest prefix; a file system with path "/" serves all), or nothing.
std::optional<std::uint32_t> file_system_of(const Platform& platform, const std::string& path);

}  // namespace plumbline::hw
