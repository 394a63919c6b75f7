#include "replay/mpi/packet_network.hpp"

namespace plumbline::replay::mpi {

// Ranks of a node fill its sockets in order.
PacketNetwork::PacketNetwork(const hw::Platform& platform, std::span<const std::uint32_t> nodes,
                             hw::NetworkOptions options)
    : topology(platform), network(topology, platform.packets, options) {
  std::vector<std::uint32_t> ranks_on(platform.nodes.size());
  for (const std::uint32_t node : nodes) endpoints.push_back(topology.endpoint_of_rank(node, ranks_on[node]++));
}

}  // namespace plumbline::replay::mpi
