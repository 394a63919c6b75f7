#include "hwmodels/calibrate/network/graph.hpp"

#include <fmt/format.h>

namespace plumbline::hw::calibration {
namespace {

void add_edge(std::uint32_t from, std::uint32_t to, const Parameter<BytesPerSecond>& rate, bool half_duplex,
              Platform& platform) {
  const auto name = [&](std::uint32_t vertex) {
    const std::size_t nodes = platform.nodes.size();
    return vertex < nodes ? platform.nodes[vertex].name : platform.switches[vertex - nodes].name;
  };
  platform.edges.push_back({fmt::format("{}-{}", name(from), name(to)), from, to, {}, rate, half_duplex});
}

bool is_of_node(const Edge& edge, const Platform& platform) { return edge.from < platform.nodes.size(); }

}  // namespace

void add_graph(const Grouping& grouping, const Cables& cables, Platform& platform) {
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  if (nodes < 2) return;
  for (Node& node : platform.nodes) node.interface_rate = unseen_rate(cables.link.value);
  for (std::uint32_t group = 0; group < grouping.groups; ++group)
    platform.switches.push_back({fmt::format("s{}", group), cables.backplane});
  for (std::uint32_t node = 0; node < nodes; ++node)
    add_edge(node, nodes + grouping.group_of[node], cables.link, cables.half_duplex, platform);
  if (grouping.groups == 2) return add_edge(nodes, nodes + 1, cables.uplink, false, platform);
  if (grouping.groups < 2) return;
  platform.switches.push_back({"core", unseen_rate(cables.uplink.value)});
  for (std::uint32_t group = 0; group < grouping.groups; ++group)
    add_edge(nodes + group, nodes + grouping.groups, cables.uplink, false, platform);
}

void set_latencies(const Parameter<Duration>& link, const Parameter<Duration>& uplink, Platform& platform) {
  for (Edge& edge : platform.edges) edge.latency = is_of_node(edge, platform) ? link : uplink;
}

std::uint32_t uplinks_on_the_way(const Grouping& grouping) { return grouping.groups == 2 ? 1 : 2; }

}  // namespace plumbline::hw::calibration
