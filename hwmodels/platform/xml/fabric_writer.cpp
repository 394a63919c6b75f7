#include "hwmodels/platform/xml/fabric_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "hwmodels/platform/fabric_parts.hpp"
#include "hwmodels/platform/fabric_shape.hpp"
#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kElements[] = {"star", "fat-tree", "torus", "dragonfly"};  // in the order of the variant

std::string number_text(std::uint32_t n) { return fmt::format("{}", n); }

struct ShapeWriter {
  XmlLine& line;

  void operator()(const Star& /*star*/) const {}
  void operator()(const FatTree& tree) const {
    line.add("levels", fmt::format("{}", tree.down.size())).add("down", fmt::format("{}", fmt::join(tree.down, ",")));
    line.add("up", fmt::format("{}", fmt::join(tree.up, ",")));
    line.add("count", fmt::format("{}", fmt::join(tree.count, ",")));
  }
  void operator()(const Torus& torus) const {
    line.add("dimensions", fmt::format("{}", fmt::join(torus.dimensions, "x"))).add("nodes", number_text(torus.nodes));
  }
  void operator()(const Dragonfly& dragonfly) const {
    line.add("groups", number_text(dragonfly.groups)).add("routers", number_text(dragonfly.routers));
    line.add("nodes", number_text(dragonfly.nodes)).add("global-links", number_text(dragonfly.global));
  }
};

// What differs from `usual` has attributes of its own.
void add_link(XmlLine& line, const char* kind, const LinkTemplate& link, const LinkTemplate& usual) {
  if (link.latency != usual.latency) line.add(fmt::format("{}-latency", kind).c_str(), link.latency);
  if (link.rate != usual.rate) line.add(fmt::format("{}-rate", kind).c_str(), link.rate);
}

std::string write_exceptions(const Platform& platform, const Fabric& fabric) {
  std::string text;
  for (std::uint32_t i = 0; i < switches_of(fabric); ++i) {
    const Switch& device = platform.switches[fabric.first_switch + i];
    if (device.rate != fabric.switch_rate)
      text += XmlLine(2, "switch").add("name", device.name).add("rate", device.rate).closed();
  }
  const std::vector<Wire> wires = shape_of(fabric)->wires();
  for (std::size_t i = 0; i < wires.size(); ++i) {
    const Edge& edge = platform.edges[fabric.first_edge + i];
    const LinkTemplate& usual = link_of(fabric, wires[i].link);
    if (edge.latency == usual.latency && edge.rate == usual.rate && edge.half_duplex == fabric.half_duplex) continue;
    XmlLine line(2, "link");
    line.add("name", edge.name).add("latency", edge.latency).add("rate", edge.rate);
    text += line.add("duplex", edge.half_duplex ? "half" : "full").closed();
  }
  return text;
}

}  // namespace

std::string node_range_text(const Platform& platform, std::uint32_t first, std::uint32_t last) {
  const std::string& name = platform.nodes[first].name;
  return first == last ? name : fmt::format("{}-{}", name, platform.nodes[last].name);
}

std::string write_fabric(const Platform& platform, const Fabric& fabric) {
  const char* const element = kElements[fabric.shape.index()];
  XmlLine line(1, element);
  line.add_unless_empty("prefix", fabric.prefix);
  std::visit(ShapeWriter{line}, fabric.shape);
  const bool all = fabric.first_node == 0 && fabric.members == platform.nodes.size();
  if (!all && fabric.members > 0)
    line.add("members", node_range_text(platform, fabric.first_node, fabric.first_node + fabric.members - 1));
  const bool is_star = std::holds_alternative<Star>(fabric.shape);
  const LinkTemplate& usual = is_star ? fabric.node_link : fabric.switch_link;
  line.add("latency", usual.latency).add("rate", usual.rate);
  if (!is_star) add_link(line, "node", fabric.node_link, usual);
  if (std::holds_alternative<Dragonfly>(fabric.shape)) add_link(line, "global", fabric.global_link, usual);
  line.add("switch-rate", fabric.switch_rate);
  if (fabric.half_duplex) line.add("duplex", "half");
  const std::string exceptions = write_exceptions(platform, fabric);
  if (exceptions.empty()) return line.closed();
  return line.opened() + exceptions + fmt::format("  </{}>\n", element);
}

}  // namespace plumbline::hw
