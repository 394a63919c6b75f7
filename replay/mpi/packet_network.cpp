#include "replay/mpi/packet_network.hpp"

#include "base/check.hpp"

namespace plumbline::replay::mpi {

// Ranks of a node fill its sockets in order.
PacketNetwork::PacketNetwork(const hw::Platform& platform, std::span<const std::uint32_t> nodes,
                             hw::NetworkOptions options)
    : topology(platform), network(topology, platform.packets, options), is_watched_(!options.express) {
  std::vector<std::uint32_t> ranks_on(platform.nodes.size());
  for (const std::uint32_t node : nodes) endpoints.push_back(topology.endpoint_of_rank(node, ranks_on[node]++));
}

void PacketNetwork::handle(sim::Event& event, sim::EventQueue& queue) {
  notifications.clear();
  do {
    check_context.clock_ps = event.at.ps;
    network.handle(event, queue, notifications);
  } while (notifications.empty() && !is_watched_ && queue.pop_signals(event));
}

}  // namespace plumbline::replay::mpi
