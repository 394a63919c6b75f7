#include "replay/mpi/transfers/packet_network.hpp"

#include <utility>

#include "base/check.hpp"

namespace plumbline::replay::mpi {

// Ranks of a node fill its sockets in order.
PacketNetwork::PacketNetwork(const hw::Platform& platform, std::span<const std::uint32_t> nodes,
                             hw::NetworkOptions options)
    : topology(platform), network(topology, platform.packets, options) {
  std::vector<std::uint32_t> ranks_on(platform.nodes.size());
  for (const std::uint32_t node : nodes) endpoints.push_back(topology.endpoint_of_rank(node, ranks_on[node]++));
}

void PacketNetwork::handle(sim::Event& event, sim::EventQueue& queue) {
  notifications.clear();
  while (true) {
    check_context.clock_ps = event.at.ps;
    network.handle(event, queue, notifications);
    if (!notifications.empty() || !queue.pop_signals(event)) return;
    if (event.at >= next_look_) next_look_ = look_(event.at);
  }
}

void PacketNetwork::watch(Time first, std::function<Time(Time now)> look) {
  next_look_ = first;
  look_ = std::move(look);
}

}  // namespace plumbline::replay::mpi
