#include "hwmodels/platform/xml/node_reader.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/node_names.hpp"
#include "hwmodels/platform/part_rules.hpp"
#include "hwmodels/platform/xml/read_fields.hpp"

namespace plumbline::hw {
namespace {

constexpr std::uint32_t kMostNodes = 1'000'000;

Sockets read_sockets(XmlElement element, std::uint32_t cores) {
  Sockets sockets;
  fields(sockets, ReadFields(element));
  element.finish();
  element.children({});
  for (const PartFault& fault : faults_of(sockets, cores)) element.fault(fault.what, fault.hint);
  return sockets;
}

Noise read_noise(XmlElement element) {
  Noise noise;
  fields(noise, ReadFields(element));
  element.finish();
  element.children({});
  if (element.has("period") && element.has("duration"))
    for (const PartFault& fault : faults_of(noise)) element.fault(fault.what, fault.hint);
  return noise;
}

void read_parts(const XmlElement& element, const std::vector<const tinyxml2::XMLElement*>& parts, Node& node) {
  for (const tinyxml2::XMLElement* part : parts) {
    const bool is_noise = std::string_view(part->Name()) == "noise";
    XmlElement inner = element.of(*part, fmt::format("{} of {}", part->Name(), element.subject()));
    if (is_noise ? node.noise.has_value() : node.sockets.has_value()) inner.fault("appears twice", "remove one");
    if (is_noise)
      node.noise = read_noise(std::move(inner));
    else
      node.sockets = read_sockets(std::move(inner), node.cores);
  }
}

// The nodes of a template; none after a fault.
std::vector<Node> expanded(const XmlElement& element, const Node& node) {
  std::vector<Node> nodes;
  const std::optional<NumberedNames> names = parse_numbered_names(node.name);
  if (!names) {
    if (!node.name.empty())
      element.fault("has a name that is not a range", "write for example name=\"n0-n15\"; of one node, <node>");
    return nodes;
  }
  if (names->count() > kMostNodes) {
    element.fault(fmt::format("makes {} nodes", names->count()), fmt::format("at most {}", kMostNodes));
    return nodes;
  }
  nodes.assign(names->count(), node);
  for (std::uint32_t i = 0; i < names->count(); ++i) nodes[i].name = names->name(i);
  return nodes;
}

}  // namespace

NodesRead read_nodes(const tinyxml2::XMLElement& xml, XmlElement element, NetworkKind network) {
  NodesRead read;
  Node node;
  node.name = element.required_text("name");
  const bool needs_memory = model_of(network).has_components && xml.FirstChildElement("sockets") == nullptr;
  fields(node, needs_memory, ReadFields(element));
  read.has_interface = element.has("interface-rate");
  element.finish();
  read_parts(element, element.children({"sockets", "noise"}), node);
  if (std::string_view(xml.Name()) == "nodes")
    read.nodes = expanded(element, node);
  else
    read.nodes.push_back(std::move(node));
  return read;
}

}  // namespace plumbline::hw
