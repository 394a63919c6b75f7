#pragma once
// A platform: what a machine can do, as plain data. Read from and written to XML by
// hwmodels/platform/xml/platform_xml.hpp, where every number carries its unit; made by hand or by `plumbline
// calibrate`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/fabric.hpp"
#include "hwmodels/platform/message_times.hpp"
#include "hwmodels/platform/parameter.hpp"
#include "hwmodels/platform/storage_parts.hpp"

namespace plumbline::hw {

enum class Protocol { kEager, kRendezvous };

// What one message of up to `upto` bytes costs beside the wires. Uncontended one-way time of s bytes, eager:
//   send + s/send_rate  +  latency + route(s)  +  receive + s/receive_rate
// where route(s) is the time in the components of the network. The first and last term keep the CPU of the sending and
// of the receiving rank busy (o_s(s) and o_r(s) of LogGP), `latency` does not. Rendezvous: a request and a
// clear-to-send without payload (at the costs of the first range) go before; when the sender is free its transport
// says.
struct MessageRange {
  std::optional<Bytes> upto;  // inclusive; absent in the last range of a transport
  Protocol protocol = Protocol::kEager;
  Parameter<Duration> send, receive, latency;
  std::optional<Parameter<BytesPerSecond>> send_rate, receive_rate;  // absent: no cost per byte
  // g and 1/G of LogGP: an interface is busy with a message of s bytes for gap + (s-1)/gap_rate. The networks LogGP
  // and sampled use them; `latency` is the L of the former.
  Parameter<Duration> gap;
  std::optional<Parameter<BytesPerSecond>> gap_rate;
  // Of the sampled network only, in any order: `send` and `receive` are part of them, and `latency` is not used.
  std::vector<MessageTimes> times = {};

  bool operator==(const MessageRange&) const = default;
};

// Who goes on with a transfer that has begun: the ranks, while they are in MPI calls; a thread of the library, at the
// cost of the CPU; or the network interface, at no cost.
enum class Progress { kInCalls, kThread, kHardware };

// Until when the sender of a rendezvous waits: until its data has arrived (or all of it but what is buffered has left),
// or until the receiver has copied it.
enum class SenderFree { kArrived, kCopied };

// How messages travel between two ranks of one node, or of two nodes. Ranges ascend; the last one is open.
struct Transport {
  std::vector<MessageRange> ranges;
  Progress progress = Progress::kInCalls;
  // One connection in each direction of each pair of ranks, as with TCP: what one rank sends to another, payload and
  // control messages of the protocol alike, leaves it one after the other
  // (docs/models/serialised-rendezvous.md).
  bool ordered = false;
  // What the sender's side keeps for it, as the send buffer of a socket does: the sender of a rendezvous is free when
  // no more of its data is still to leave. 0: none, it is free when the data has arrived.
  Parameter<Bytes> send_buffer = {};
  // kCopied: the receiver copies the data of a rendezvous from the memory of the sender, while it is in MPI. Where
  // interfaces go on with transfers it is as kArrived.
  SenderFree sender_free = SenderFree::kArrived;

  bool operator==(const Transport&) const = default;
};

// A transport of its own for some pairs of nodes, in both directions. Ranges of nodes, both ends included.
struct PairTransport {
  std::uint32_t first_a = 0, last_a = 0, first_b = 0, last_b = 0;
  Transport transport;

  bool operator==(const PairTransport&) const = default;
};

// The sockets of a node: each a component that whatever enters, leaves or passes it is served by, joined by a link of
// two directions to the interconnect of the node, which stands between the sockets and the interface. Ranks fill the
// sockets in the order of their numbers on the node, cores / count at a time.
struct Sockets {
  std::uint32_t count = 1;
  Parameter<BytesPerSecond> rate;        // of a socket, for messages that leave, enter or pass it
  Parameter<BytesPerSecond> local_rate;  // of the same component, for messages between two of its own ranks
  Parameter<Duration> latency;           // of the link
  Parameter<BytesPerSecond> link_rate;   // of each direction of it
  Parameter<BytesPerSecond> interconnect_rate;

  bool operator==(const Sockets&) const = default;
};

// What takes the CPU away from a rank: every `period`, for `duration`.
struct Noise {
  Parameter<Duration> period, duration;

  bool operator==(const Noise&) const = default;
};

// Where ranks run. Its interface to the network is a component with a rate; messages inside it share `memory_rate`,
// unless it has sockets.
struct Node {
  std::string name;
  std::uint32_t cores = 1;
  double speed = 1;  // compute times are divided by it
  std::optional<Sockets> sockets;
  std::optional<Noise> noise;
  Parameter<BytesPerSecond> memory_rate;     // of all local messages together; ignored when there are sockets
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
  bool half_duplex = false;  // both directions are one component

  bool operator==(const Edge&) const = default;
};

struct Packets {
  Bytes granularity{102'400};  // payload of a full packet (the default of PIOsimHD)
  Bytes header{40};            // carried by the first packet of a message
  // What a node puts into the queue of its cable for one other node before another one's turn comes; 0: a packet.
  Parameter<Bytes> send_queue = {};

  bool operator==(const Packets&) const = default;
};

// A way from one node to another that is not left to the search for the shortest one; the way back is another route.
struct FixedRoute {
  std::uint32_t from = 0, to = 0;    // nodes
  std::vector<std::uint32_t> edges;  // in turn

  bool operator==(const FixedRoute&) const = default;
};

enum class NetworkKind { kStoreAndForward, kLogGP, kSampled };

// Cost of one call on an open file: call + bytes/rate.
struct AccessCost {
  Parameter<Duration> call;
  Parameter<BytesPerSecond> rate;

  bool operator==(const AccessCost&) const = default;
};

// A file system as a bracket: every buffered access costs at least `cached`, at most `device` (page cache decision).
// Calls served by the cache run beside each other, but for writes to one file; the device serves one after another.
// Where `distribution` names servers the model is a distributed file system, and these costs are those of the client
// alone.
struct FileSystem {
  std::string name;
  std::vector<std::string> paths;  // directory prefixes it serves; longest match wins
  AccessCost cached_write, cached_read;
  AccessCost device_write, device_read;
  // The part of a cached write's call in which, as in all of its bytes/rate, other writes to the same file wait: the
  // lock of the inode. Without it they run beside each other.
  std::optional<Parameter<Duration>> exclusive_write = {};
  Parameter<Duration> open, close, sync;
  Distribution distribution;

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
  NetworkKind network = NetworkKind::kStoreAndForward;
  std::vector<FixedRoute> routes;
  Packets packets;
  Transport inside, between;         // between ranks of one node; between nodes (may be empty when there is one node)
  std::vector<PairTransport> pairs;  // the last one that holds for a pair of nodes counts; else `between`
  std::vector<FileSystem> file_systems;
  std::vector<Server> servers;
  std::vector<Placement> placements;
  std::vector<Fabric> fabrics;  // what they consist of is in `switches` and `edges`

  bool operator==(const Platform&) const = default;
};

// The range that a message of `size` bytes falls into.
const MessageRange& range_of(const Transport& transport, Bytes size);

// The transport between ranks of two nodes, which may be one and the same. Walks through `pairs`; for every message of
// a replay there is hwmodels/platform/transports.hpp.
const Transport& transport_of(const Platform& platform, std::uint32_t node, std::uint32_t other);

// The socket, of `sockets`, of the rank that has this number among the ranks of a node with so many cores. Ranks fill
// one socket after the other; where the number of sockets does not divide that of cores, the last one takes the rest;
// ranks beyond the cores begin again at the first socket.
std::uint32_t socket_of_core(std::uint32_t sockets, std::uint32_t cores, std::uint32_t number_on_node);

// What of a path lies below the prefix by which the file system serves it, from the slash on; all of it where none
// does.
std::string_view path_within(const FileSystem& file_system, std::string_view path);

// The file system that serves `path` (longest prefix; a file system with path "/" serves all), or nothing.
std::optional<std::uint32_t> file_system_of(const Platform& platform, const std::string& path);

}  // namespace plumbline::hw
