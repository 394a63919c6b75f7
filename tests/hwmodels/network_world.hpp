#pragma once
// Messages sent by hand through a store-and-forward network, and when they were sent and delivered.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"

namespace plumbline::hw {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

struct Sending {
  std::uint32_t message = 0;
  std::uint32_t source_node = 0, target_node = 0;
  Bytes size;
  Time at;
  Bytes buffer = {};  // of its sender
};

struct Times {
  Time sent, delivered;
  bool operator==(const Times&) const = default;
};

class NetworkWorld {
 public:
  explicit NetworkWorld(Topology topology, Packets packets = {})
      : topology_(std::move(topology)), network_(topology_, packets) {}

  // The source rank is the number of the source node; sequence numbers run in the order of the calls.
  void send(const Sending& sending) {
    network_.send(sending.message, sending.source_node, sending.target_node, sending.size, sending.source_node,
                  sequence_++, sending.at, queue_, {.buffer = sending.buffer});
  }

  // Until nothing moves; `delivered` may send more. Each message is sent once and delivered once, in this order.
  void run(const std::function<void(std::uint32_t message, Time now)>& delivered = {}) {
    std::vector<Notification> out;
    while (!queue_.empty()) {
      const sim::Event event = queue_.pop();
      out.clear();
      network_.handle(event, queue_, out);
      for (const Notification& notification : out) {
        if (notification.kind == Notification::Kind::kBuffered) {
          buffered_[notification.message] = event.at;
          continue;
        }
        if (notification.kind == Notification::Kind::kSent) {
          EXPECT_TRUE(times_.emplace(notification.message, Times{event.at, {}}).second) << "sent twice";
          continue;
        }
        ASSERT_EQ(times_.count(notification.message), 1U) << "delivered before it was sent";
        EXPECT_EQ(times_[notification.message].delivered, Time{}) << "delivered twice";
        times_[notification.message].delivered = event.at;
        if (delivered) delivered(notification.message, event.at);
      }
    }
    EXPECT_EQ(network_.messages_under_way(), 0U);
  }

  Time delivered(std::uint32_t message) const { return times_.at(message).delivered; }
  Time buffered(std::uint32_t message) const { return buffered_.at(message); }
  Time sent(std::uint32_t message) const { return times_.at(message).sent; }
  const std::map<std::uint32_t, Times>& times() const { return times_; }
  Topology& topology() { return topology_; }
  const StoreAndForward& network() const { return network_; }

 private:
  Topology topology_;
  StoreAndForward network_;
  sim::EventQueue queue_;
  std::uint32_t sequence_ = 0;
  std::map<std::uint32_t, Times> times_;
  std::map<std::uint32_t, Time> buffered_;
};

}  // namespace plumbline::hw
