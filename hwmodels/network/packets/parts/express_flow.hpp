#pragma once
// The packets of one pair of nodes on the last part of its route, which nobody else uses. When each of them begins
// service in each hop follows from the packets before it alone, so it is known at once. The recurrence:
// docs/internals/store-and-forward.md, "Fast path".

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/network/packets/parts/records.hpp"

namespace plumbline::hw {

// A round of an instant.
struct Instant {
  Time at;
  std::uint32_t round = 0;

  constexpr auto operator<=>(const Instant&) const = default;
};

struct Passage {  // of a packet through one hop
  Instant begin;
  Duration service;

  Instant end() const { return {begin.at + service, 0}; }
  // The hop before has its window back one round later.
  Instant release() const { return {begin.at, begin.round + 1}; }
};

struct ExpressPacket {
  std::uint32_t packet = 0;
  std::uint32_t entry = 0;  // hop at which it came
  Instant arrival;          // there
  bool ahead = false;       // made by the source ahead of its time, which is its arrival
  // Set by advance():
  std::uint64_t blocked = 0;  // bit per hop: the pair was blocked once the packet had begun there
  Time end = {};              // of the service in the last hop
};

class ExpressFlow {
 public:
  static constexpr std::uint32_t kMostHops = 64;

  // `latency`: behind each hop.
  void start(std::span<const Duration> latency) {
    hops_ = static_cast<std::uint32_t>(latency.size());
    latency_.assign(latency.begin(), latency.end());
    first_ = size_ = 0;
    passages_.resize(packets_.size() * hops_);
  }

  std::uint32_t hops() const { return hops_; }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Oldest first.
  ExpressPacket& operator[](std::size_t i) { return packets_[slot(i)]; }
  const ExpressPacket& operator[](std::size_t i) const { return packets_[slot(i)]; }
  Passage& passage(std::size_t i, std::uint32_t hop) { return passages_[slot(i) * hops_ + hop]; }
  const Passage& passage(std::size_t i, std::uint32_t hop) const { return passages_[slot(i) * hops_ + hop]; }
  ExpressPacket& front() { return packets_[first_]; }
  ExpressPacket& back() { return packets_[slot(size_ - 1)]; }

  void push_back(const ExpressPacket& packet) {
    if (size_ == packets_.size()) grow();
    packets_[slot(size_++)] = packet;
  }
  void pop_front() {
    first_ = (first_ + 1) & (packets_.size() - 1);
    --size_;
  }

  // Sends the last packet, whose services are set, through its hops; `pair_queues` are those of the pair.
  void advance(const packets::PairQueue* pair_queues);

  // When packet i arrives at a hop that it passes.
  Instant arrival(std::size_t i, std::uint32_t hop) const;

  // When the next hop has taken so many packets that the window of `hop` is open again, packet i being the last one
  // that began there; nothing: long ago, or it was never closed.
  std::optional<Instant> reopening(std::size_t i, std::uint32_t hop, const packets::PairQueue& pair_queue) const;

 private:
  std::size_t slot(std::size_t i) const { return (first_ + i) & (packets_.size() - 1); }
  bool is_blocked_by(std::size_t i, std::uint32_t hop, const packets::PairQueue& pair_queue) const;
  Instant release(std::size_t i, std::uint32_t hop) const {
    return hop + 1 == hops_ ? passage(i, hop).end() : passage(i, hop + 1).release();
  }
  void grow();

  std::uint32_t hops_ = 0;
  std::vector<Duration> latency_;
  std::size_t first_ = 0, size_ = 0;
  std::vector<ExpressPacket> packets_;  // a ring, its size a power of two
  std::vector<Passage> passages_;       // per packet and hop
};

}  // namespace plumbline::hw
