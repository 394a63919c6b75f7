#pragma once
// The switch as arithmetic: when a frame that a node sent at a given time is handed to its receivers, or that it is
// dropped. No I/O and no clock: the caller brings frames and times.
//
// A frame takes stages. Each direction of a cable, a *lane*, is a server behind a queue: dropped when more than the
// queue's limit waits, then perhaps lost, else served from max(now, free) for wire/rate; latency later it is at the
// other end. Between two lanes stands the switch's backplane, if it has one: a server that all its frames share.
// The wire size of a frame is its size + 24 B. Stages are served in the order of arrival there; equal times in the
// order in which they became known. A change of settings concerns what is served afterwards; what is scheduled keeps
// its time.
//
// The *allowance* is what a frame loses before it is read and after it was handed out, from one node's kernel to the
// other's. It is part of the latency of the two ports on the way: each is shorter by half of it, never below zero.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "base/units.hpp"
#include "sim/random.hpp"
#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

using FrameId = std::uint32_t;  // the caller's; small numbers, reused after the frame has left
using PortId = std::uint32_t;   // index in Settings::ports
using CableId = std::uint32_t;  // ports first, then uplinks

inline constexpr PortId kEverybody = std::numeric_limits<PortId>::max();  // broadcast, or an unknown receiver
inline constexpr Bytes kWireOverhead{24};                                 // preamble 8, checksum 4, gap 12
inline constexpr Bytes kAdapterQueue{8'000'000};                          // of a node towards its switch
inline constexpr Bytes kBackplaneQueue{16'000'000};
inline constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};

struct Counters {
  std::uint64_t frames = 0;  // served
  std::uint64_t bytes = 0;   // of these, without kWireOverhead
  std::uint64_t drops = 0;   // the queue was full
  std::uint64_t lost = 0;    // by the share of loss
  std::uint64_t max_queue_bytes = 0;
};

// The frames that are scheduled on a server and have not left it: their sum, by the time of leaving.
class Backlog {
 public:
  std::uint64_t bytes_at(Time now);
  void add(Time leaves, std::uint64_t bytes);  // `leaves` never before that of the previous one

 private:
  struct Item {
    Time leaves;
    std::uint64_t bytes = 0;
  };
  std::vector<Item> ring_ = std::vector<Item>(64);  // its size is a power of two
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t bytes_ = 0;
};

struct Lane {
  std::uint32_t to = 0;  // a switch, or kNode
  BytesPerSecond rate;
  Bytes limit;
  Time free;          // when its last scheduled frame has gone
  Time last_arrival;  // a cable keeps the order, whatever becomes of its latency
  Backlog backlog;
  Counters counters;
  sim::RandomStream luck;
};
inline constexpr std::uint32_t kNode = std::numeric_limits<std::uint32_t>::max();

struct Cable {
  Duration latency;
  double loss = 0;
  bool half_duplex = false;
  std::array<Lane, 2> lanes;
  Duration allowance = {};  // of its latency

  Duration delay() const { return std::max(Duration{}, latency - allowance); }
};

struct Switch {
  BytesPerSecond backplane;
  Time free;
  Backlog backlog;
  Counters counters;
  std::vector<CableId> cables;
  std::vector<CableId> towards;  // by port
};

// A frame, whole, at a switch: before its backplane, or behind it.
struct Stage {
  Time at;
  std::uint64_t number = 0;  // settles ties
  FrameId frame = 0;
  std::uint32_t on_switch = 0;
  CableId came_over = 0;
  bool behind_backplane = false;
};

struct Delivery {
  Time at;
  std::uint64_t number = 0;
  FrameId frame = 0;
  PortId port = 0;
};

struct Later {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }
};
template <typename T>
using EarliestFirst = std::priority_queue<T, std::vector<T>, Later>;

// What the fabric must know about a frame that is in it.
struct Passing {
  Bytes size;
  PortId destination = 0;
  std::uint32_t copies = 0;
};

struct Fabric {
  std::uint32_t port_count = 0;
  std::vector<Cable> cables;
  std::vector<Switch> switches;
  std::vector<Passing> passing;  // by FrameId
  EarliestFirst<Stage> stages;
  EarliestFirst<Delivery> deliveries;
  std::vector<FrameId> finished;  // no copy of these is left; the caller takes them out
  std::uint64_t number = 0;
  Duration patience;  // a stage that is taken this long after its time still delays no delivery
};

Fabric make_fabric(const Settings& settings);

// New settings for what is served from now on.
void change_cable(Fabric& fabric, CableId cable, const CableSettings& settings);
void change_backplane(Fabric& fabric, std::uint32_t on_switch, BytesPerSecond rate);
void change_allowance(Fabric& fabric, Duration from_node_to_node);
void reset_counters(Fabric& fabric);

// A frame that `port` sends at `now`, never before an earlier `now`. `destination` is a port or kEverybody.
void take_in(Fabric& fabric, Time now, PortId port, FrameId frame, Bytes size, PortId destination);

// Takes every stage up to `until`.
void advance(Fabric& fabric, Time until);

// The next delivery due at `until` or before, among the stages taken so far. The caller hands the frame out and then
// calls leave().
std::optional<Delivery> next_delivery(Fabric& fabric, Time until);
void leave(Fabric& fabric, FrameId frame);

// When the caller must look again: the next delivery, or a stage that may lead to one. kNever when nothing is on its
// way.
Time wake_time(const Fabric& fabric);

}  // namespace plumbline::lab
