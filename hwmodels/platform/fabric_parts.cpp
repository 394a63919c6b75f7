#include "hwmodels/platform/fabric_parts.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/check.hpp"
#include "hwmodels/platform/fabric_shape.hpp"

namespace plumbline::hw {
namespace {

const std::string& vertex_name(const Platform& platform, std::uint32_t vertex) {
  const std::size_t nodes = platform.nodes.size();
  return vertex < nodes ? platform.nodes[vertex].name : platform.switches[vertex - nodes].name;
}

}  // namespace

std::uint32_t switches_of(const Fabric& fabric) {
  return static_cast<std::uint32_t>(shape_of(fabric)->size().switches);
}
std::uint32_t edges_of(const Fabric& fabric) { return static_cast<std::uint32_t>(shape_of(fabric)->size().edges); }

void make_switches(Fabric& fabric, Platform& platform) {
  PLUMBLINE_CHECK(fabric.first_node + fabric.members <= platform.nodes.size(), "the members of a fabric are nodes");
  const std::shared_ptr<const FabricShape> shape = shape_of(fabric);
  fabric.first_switch = static_cast<std::uint32_t>(platform.switches.size());
  for (std::uint32_t i = 0; i < shape->size().switches; ++i)
    platform.switches.push_back({fabric.prefix + shape->switch_name(i), fabric.switch_rate});
}

void make_edges(Fabric& fabric, Platform& platform) {
  fabric.first_edge = static_cast<std::uint32_t>(platform.edges.size());
  for (const Wire& wire : shape_of(fabric)->wires()) {
    const LinkTemplate& link = link_of(fabric, wire.link);
    Edge edge;
    edge.from = vertex_of(fabric, platform.nodes.size(), wire.from);
    edge.to = vertex_of(fabric, platform.nodes.size(), wire.to);
    edge.name = fmt::format("{}-{}", vertex_name(platform, edge.from), vertex_name(platform, edge.to));
    if (wire.parallel >= 0) edge.name += fmt::format("#{}", wire.parallel);
    edge.latency = link.latency;
    edge.rate = link.rate;
    edge.half_duplex = fabric.half_duplex;
    platform.edges.push_back(std::move(edge));
  }
}

void add_fabric(Platform& platform, Fabric fabric) {
  make_switches(fabric, platform);
  make_edges(fabric, platform);
  platform.fabrics.push_back(std::move(fabric));
}

std::string fault_of_shape(const Fabric& fabric) {
  const ShapeSize size = shape_of(fabric)->size();
  if (size.members > kMostParts || size.switches > kMostParts || size.edges > kMostParts)
    return fmt::format("has more than {} parts", kMostParts);
  if (size.members != fabric.members)
    return fmt::format("has room for {} nodes, and {} are to be its members", size.members, fabric.members);
  return "";
}

}  // namespace plumbline::hw
