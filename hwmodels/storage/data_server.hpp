#pragma once
// One file server: what it has taken of the network, its CPU, its cache and its device. What the messages of clients
// mean to it is the business of FileServers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwmodels/platform/storage_parts.hpp"
#include "hwmodels/storage/bracket.hpp"
#include "hwmodels/storage/cache_model.hpp"
#include "hwmodels/storage/device.hpp"
#include "hwmodels/storage/fifo.hpp"
#include "hwmodels/storage/load_meter.hpp"

namespace plumbline::hw::storage {

struct ServerUse {
  Duration cpu_busy;
  Duration held;      // while the interface of its node was held
  Bytes hits;         // read without the device
  Bytes most_memory;  // that its cache has used at a time
  LoadMeter waiting;  // jobs in the cache that the device has not been given
  LoadMeter parked;   // packets that the cache has refused so far
  std::uint64_t refused = 0;
  std::uint64_t requests = 0;  // that its CPU was asked to look at
};

class DataServer {
 public:
  // The events of its device carry `device_component`.
  DataServer(const Server& server, std::uint32_t device_component, Bracket bracket = Bracket::kAsGiven);

  std::uint32_t node() const { return server_.node; }
  const Server& parameters() const { return server_; }
  CacheModel& cache() { return cache_; }
  const CacheModel& cache() const { return cache_; }
  const DeviceModel& device() const { return device_; }
  const DeviceUse& device_use() const { return device_.use(); }
  const ServerUse& use() const { return use_; }

  // When the CPU has done something of this cost that begins now or when it is free.
  Time occupy_cpu(Duration cost, Time now);

  void count_hits(Bytes size) { use_.hits += size; }

  // By `now`, which is not before what was handled last.
  Duration cpu_busy(Time now) const { return use_.cpu_busy - std::max(cpu_free_ - now, Duration{}); }
  Duration held_for(Time now) const { return held_ ? use_.held + (now - held_since_) : use_.held; }
  std::uint32_t requests_waiting(Time now) const;  // with the one in hand

  void log_accesses(std::size_t most) { device_.log_accesses(most); }

  // Packets that the cache has refused, in the order of their arrival.
  struct Packet {
    std::uint32_t portion = 0;
    Bytes bytes;
  };
  bool must_park(Bytes packet) const { return !parked_.empty() || !cache_.accepts(packet); }
  void park(Packet packet, Time now);
  bool can_unpark() const { return !parked_.empty() && cache_.accepts(parked_.front().bytes); }
  Packet unpark(Time now);

  // Bytes that the interface could send at once, or not so any more.
  void change_sendable(std::int64_t by) { sendable_ += by; }

  // Gives the device whatever it may do now.
  void feed_device(Time now, sim::EventQueue& queue);

  // Handles an event of the device; appends who is served by it.
  void handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Served>& served);

  // Whether the interface should be held: packets are parked, and it has nothing to send. (PIOsimHD holds it in any
  // case, and hangs when the memory that the packets wait for belongs to data that waits for the interface.)
  bool wants_hold() const { return !parked_.empty() && sendable_ == 0; }
  bool held() const { return held_; }
  void set_held(bool held, Time now);

 private:
  bool is_stuck() const;
  void note(Time now);

  Server server_;
  CacheModel cache_;
  DeviceModel device_;
  Fifo<Packet> parked_;
  std::int64_t sendable_ = 0;
  Time cpu_free_;
  Fifo<Time> looked_at_;  // when its CPU has done what it was asked; what is over goes with the next request
  bool held_ = false;
  Time held_since_;
  ServerUse use_;
};

}  // namespace plumbline::hw::storage
