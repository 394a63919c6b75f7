// Writes a platform as XML. Where all parameters of an element have the same source, it is written once.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hwmodels/platform/fabric_parts.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/node_names.hpp"
#include "hwmodels/platform/xml/fabric_writer.hpp"
#include "hwmodels/platform/xml/message_times_xml.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/platform/xml/storage_writer.hpp"
#include "hwmodels/platform/xml/write_fields.hpp"
#include "hwmodels/platform/xml/xml_line.hpp"

namespace plumbline::hw {
namespace {

std::string write_node(const char* element, std::string_view name, const Node& node) {
  XmlLine line(1, element);
  line.add("name", name);
  fields(node, false, WriteFields(line));
  if (!node.sockets && !node.noise) return line.closed();
  std::string text = line.opened();
  if (node.sockets) text += write_part("sockets", *node.sockets);
  if (node.noise) text += write_part("noise", *node.noise);
  return text + fmt::format("  </{}>\n", element);
}

std::string write_nodes(const std::vector<Node>& nodes) {
  constexpr std::size_t kWorthATemplate = 3;
  std::string text;
  for (std::size_t i = 0; i < nodes.size();) {
    const std::size_t count = alike_nodes(nodes, i);
    const std::string range = fmt::format("{}-{}", nodes[i].name, nodes[i + count - 1].name);
    const std::optional<NumberedNames> names = parse_numbered_names(range);
    if (count >= kWorthATemplate && names && names->count() == count && names->name(0) == nodes[i].name) {
      text += write_node("nodes", range, nodes[i]);
      i += count;
    } else {
      text += write_node("node", nodes[i].name, nodes[i]);
      ++i;
    }
  }
  return text;
}

std::string write_edge(const Platform& platform, const Edge& edge) {
  const auto name = [&platform](std::uint32_t vertex) {
    return vertex < platform.nodes.size() ? platform.nodes[vertex].name
                                          : platform.switches[vertex - platform.nodes.size()].name;
  };
  XmlLine line(1, "edge");
  line.add("name", edge.name).add("from", name(edge.from)).add("to", name(edge.to));
  fields(edge, WriteFields(line));
  return line.closed();
}

// Fabrics where their parts stand among the others.
std::string write_network(const Platform& platform) {
  std::string text;
  std::size_t switches = 0, edges = 0;
  const auto write_up_to = [&](std::size_t last_switch, std::size_t last_edge) {
    for (; switches < last_switch; ++switches) {
      const Switch& device = platform.switches[switches];
      text += XmlLine(1, "switch").add("name", device.name).add("rate", device.rate).closed();
    }
    for (; edges < last_edge; ++edges) text += write_edge(platform, platform.edges[edges]);
  };
  for (const Fabric& fabric : platform.fabrics) {
    write_up_to(fabric.first_switch, fabric.first_edge);
    text += write_fabric(platform, fabric);
    switches += switches_of(fabric);
    edges += edges_of(fabric);
  }
  write_up_to(platform.switches.size(), platform.edges.size());
  return text;
}

std::string write_route(const Platform& platform, const FixedRoute& route) {
  std::vector<std::string> via;
  for (const std::uint32_t edge : route.edges) via.push_back(platform.edges[edge].name);
  XmlLine line(1, "route");
  line.add("from", platform.nodes[route.from].name).add("to", platform.nodes[route.to].name);
  return line.add("via", fmt::format("{}", fmt::join(via, ","))).closed();
}

std::string write_range(const MessageRange& range, NetworkKind network) {
  XmlLine line(2, "range");
  fields(range, network, WriteFields(line));
  if (range.times.empty()) return line.closed();
  std::string text = line.opened();
  for (const MessageTimes& times : range.times) text += write_times(times);
  return text + "    </range>\n";
}

std::string write_packets(const Packets& packets) {
  XmlLine line(1, "packets");
  fields(packets, WriteFields(line));
  return line.closed();
}

// `line` has the name of the element and what is its own.
std::string write_transport(XmlLine line, const char* name, const Transport& transport, NetworkKind network) {
  if (transport.ranges.empty()) return "";
  fields(transport, WriteFields(line));
  std::string text = line.opened();
  for (const MessageRange& range : transport.ranges) text += write_range(range, network);
  return text + fmt::format("  </{}>\n", name);
}

std::string write_transports(const Platform& platform) {
  std::string text = write_transport(XmlLine(1, "inside"), "inside", platform.inside, platform.network);
  text += write_transport(XmlLine(1, "between"), "between", platform.between, platform.network);
  for (const PairTransport& pair : platform.pairs) {
    XmlLine line(1, "between");
    line.add("from", node_range_text(platform, pair.first_a, pair.last_a));
    line.add("to", node_range_text(platform, pair.first_b, pair.last_b));
    text += write_transport(std::move(line), "between", pair.transport, platform.network);
  }
  return text;
}

std::string write_access(const char* name, const AccessCost& cost,
                         const std::optional<Parameter<Duration>>& exclusive = {}) {
  if (cost == AccessCost{}) return "";  // of a distributed file system
  XmlLine line(2, name);
  fields(cost, WriteFields(line));
  return line.add("exclusive", exclusive).closed();
}

std::string write_file_system(const Platform& platform, const FileSystem& fs) {
  std::string text = XmlLine(1, "filesystem").add("name", fs.name).opened();
  for (const std::string& path : fs.paths) text += XmlLine(2, "path").add("prefix", path).closed();
  text += write_distribution(platform, fs.distribution);
  text +=
      write_access("cached-write", fs.cached_write, fs.exclusive_write) + write_access("cached-read", fs.cached_read);
  text += write_access("device-write", fs.device_write) + write_access("device-read", fs.device_read);
  return text + write_part("metadata", fs) + "  </filesystem>\n";
}

// How many placements from `first` on put as many ranks each, in turn, on nodes that follow each other.
std::uint32_t dealt(const std::vector<Placement>& placements, std::size_t first) {
  const Placement& one = placements[first];
  const std::uint32_t each = one.last_rank - one.first_rank + 1;
  std::uint32_t count = 1;
  for (; first + count < placements.size(); ++count) {
    const std::uint32_t rank = one.first_rank + count * each;
    if (placements[first + count] != Placement{rank, rank + (each - 1), one.node + count}) break;
  }
  return count;
}

std::string write_places(const Platform& platform) {
  constexpr std::uint32_t kWorthARange = 3;
  std::string text;
  for (std::size_t i = 0; i < platform.placements.size();) {
    std::uint32_t count = dealt(platform.placements, i);
    if (count < kWorthARange) count = 1;
    const Placement& first = platform.placements[i];
    const std::uint32_t last = platform.placements[i + count - 1].last_rank;
    const std::string ranks =
        first.first_rank == last ? fmt::format("{}", last) : fmt::format("{}-{}", first.first_rank, last);
    text += XmlLine(1, "place")
                .add("ranks", ranks)
                .add("node", node_range_text(platform, first.node, first.node + count - 1))
                .closed();
    i += count;
  }
  return text;
}

}  // namespace

std::string to_xml(const Platform& platform) {
  XmlLine root(0, "platform");
  root.add("version", "1").add_unless_empty("name", platform.name);
  root.add_unless_empty("mpi", platform.mpi).add_unless_empty("created", platform.created);
  if (platform.network != kNetworkModels[0].value) root.add("network", word_of(platform.network, kNetworkModels));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.opened();
  text += write_nodes(platform.nodes) + write_network(platform);
  for (const FixedRoute& route : platform.routes) text += write_route(platform, route);
  text += write_packets(platform.packets);
  text += write_transports(platform);
  for (const Server& server : platform.servers) text += write_server(platform, server);
  for (const FileSystem& fs : platform.file_systems) text += write_file_system(platform, fs);
  text += write_places(platform);
  return text + "</platform>\n";
}

}  // namespace plumbline::hw
