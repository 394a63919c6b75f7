#pragma once
// The network of packets, which the messages of ranks share with whoever else sends over it.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/topology/topology.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::mpi {

// In the numbers of messages that ranks have not sent.
inline constexpr std::uint32_t kNotOfRanks = 0x8000'0000;

struct PacketNetwork {
  // `nodes`: of each rank.
  PacketNetwork(const hw::Platform& platform, std::span<const std::uint32_t> nodes, hw::NetworkOptions options);

  // An event with a component of the topology, and all rounds behind it up to one in which something is notified, or
  // before which an event is due. `event`: the last one, after the call.
  void handle(sim::Event& event, sim::EventQueue& queue);

  // While it handles more than one round: before the first one of a time that is `first` or later `look` is called with
  // that time, and says when it is to be called next.
  void watch(Time first, std::function<Time(Time now)> look);

  hw::Topology topology;
  hw::StoreAndForward network;
  std::vector<std::uint32_t> endpoints;         // of each rank
  std::vector<hw::Notification> notifications;  // of the last event, of all messages

 private:
  Time next_look_{std::numeric_limits<std::int64_t>::max()};
  std::function<Time(Time now)> look_;
};

}  // namespace plumbline::replay::mpi
