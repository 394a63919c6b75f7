#include "hwmodels/platform/xml/fabric_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hwmodels/platform/fabric_parts.hpp"

namespace plumbline::hw {
namespace {

using tinyxml2::XMLElement;

FatTree read_fat_tree(XmlElement& element) {
  FatTree tree;
  const std::uint32_t levels = element.count("levels", 1, 1);
  tree.down = element.counts("down", ',');
  tree.up = element.counts("up", ',');
  tree.count = element.counts("count", ',');
  const auto check = [&](const char* name, const std::vector<std::uint32_t>& numbers) {
    if (numbers.empty() || numbers.size() == levels) return;
    element.fault(fmt::format("has {} levels and {} numbers in {}", levels, numbers.size(), name),
                  "one for each level, the lowest first");
  };
  check("down", tree.down);
  check("up", tree.up);
  check("count", tree.count);
  return tree;
}

// Nothing when numbers are missing, which has been noted.
std::optional<decltype(Fabric::shape)> read_shape(XmlElement& element, std::string_view name) {
  if (name == "star") return Star{};
  if (name == "fat-tree") {
    FatTree tree = read_fat_tree(element);
    const std::size_t levels = tree.down.size();
    if (levels == 0 || tree.up.size() != levels || tree.count.size() != levels) return std::nullopt;
    return tree;
  }
  if (name == "torus") {
    Torus torus;
    torus.dimensions = element.counts("dimensions", 'x');
    torus.nodes = element.count("nodes", 1, 1);
    if (torus.dimensions.empty()) return std::nullopt;
    return torus;
  }
  Dragonfly dragonfly;
  for (const char* required : {"groups", "routers"}) element.required_text(required);
  dragonfly.groups = element.count("groups", 1, 1);
  dragonfly.routers = element.count("routers", 1, 1);
  dragonfly.nodes = element.count("nodes", 1, 1);
  dragonfly.global = element.count("global-links", 1, 1);
  return dragonfly;
}

LinkTemplate read_link(XmlElement& element, const char* latency, const char* rate, const LinkTemplate& otherwise) {
  return {element.optional_duration(latency).value_or(otherwise.latency),
          element.optional_rate(rate).value_or(otherwise.rate)};
}

// Switches or edges of one fabric by name, and where exceptions were made for them.
template <class Thing>
class ByName {
 public:
  explicit ByName(std::span<Thing> things) {
    for (Thing& thing : things) things_.emplace(thing.name, &thing);
  }

  // The thing that an exception names; nothing, with a fault noted, when it is not there or named again.
  Thing* find(XmlElement& element, int line) {
    const std::string name = element.required_text("name");
    const auto found = things_.find(name);
    if (found == things_.end()) {
      if (!name.empty()) element.fault("is not a part of it", hint(name));
      return nullptr;
    }
    const auto [first, is_new] = lines_.emplace(name, line);
    if (!is_new) element.fault(fmt::format("appears again (first in line {})", first->second), "remove one");
    return is_new ? found->second : nullptr;
  }

 private:
  std::string hint(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& [other, thing] : things_) known.push_back(other);
    constexpr std::size_t kTooManyToList = 20;
    const std::string text = suggestion(name, known);
    return known.size() > kTooManyToList && !text.starts_with("did") ? "see docs/reference/platform.md" : text;
  }

  std::map<std::string, Thing*> things_;
  std::map<std::string, int> lines_;
};

void read_link_exception(XmlElement& element, Edge* edge) {
  const auto latency = element.optional_duration("latency");
  const auto rate = element.optional_rate("rate");
  const bool half = element.word("duplex", {"full", "half"}) == 1;
  if (edge == nullptr) return;
  edge->latency = latency.value_or(edge->latency);
  edge->rate = rate.value_or(edge->rate);
  if (element.has("duplex")) edge->half_duplex = half;
}

}  // namespace

bool is_fabric(const char* element) {
  const auto is_this = [element](std::string_view name) { return name == element; };
  return std::any_of(kFabricElements.begin(), kFabricElements.end(), is_this);
}

std::optional<Fabric> read_fabric(XmlElement element, const XMLElement& xml, std::uint32_t nodes,
                                  const FindNodes& find_nodes) {
  const std::string_view name = xml.Name();
  Fabric fabric;
  fabric.prefix = element.text("prefix");
  fabric.half_duplex = element.word("duplex", {"full", "half"}) == 1;
  fabric.switch_rate = element.rate("switch-rate");
  const LinkTemplate link{element.duration("latency"), element.rate("rate")};
  if (name == "star") {
    fabric.node_link = link;
  } else {
    fabric.switch_link = link;
    fabric.node_link = read_link(element, "node-latency", "node-rate", link);
  }
  if (name == "dragonfly") fabric.global_link = read_link(element, "global-latency", "global-rate", link);
  auto shape = read_shape(element, name);
  const bool some = element.has("members");
  const std::string members = some ? element.required_text("members") : element.text("members");
  element.finish();
  element.children({"link", "switch"});
  if (!shape) return std::nullopt;
  fabric.shape = *std::move(shape);
  const std::optional<NodeRange> range = some ? find_nodes(element, members) : NodeRange{0, nodes - 1};
  if (!range) return std::nullopt;
  fabric.first_node = range->first;
  fabric.members = range->second - range->first + 1;
  const std::string fault = fault_of_shape(fabric);
  if (fault.empty()) return fabric;
  element.fault(fault, "see docs/reference/platform.md");
  return std::nullopt;
}

void read_exceptions(const XmlElement& element, const XMLElement& xml, const Fabric& fabric, Platform& platform) {
  if (xml.FirstChildElement() == nullptr) return;
  ByName<Switch> switches(std::span(platform.switches).subspan(fabric.first_switch, switches_of(fabric)));
  ByName<Edge> edges(std::span(platform.edges).subspan(fabric.first_edge, edges_of(fabric)));
  for (const XMLElement* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    XmlElement inner = element.of(*child);
    const std::string_view name = child->Name();
    if (name != "switch" && name != "link") continue;  // noted by read_fabric
    if (name == "switch") {
      Switch* device = switches.find(inner, child->GetLineNum());
      const Parameter<BytesPerSecond> rate = inner.rate("rate");
      if (device != nullptr) device->rate = rate;
    } else {
      read_link_exception(inner, edges.find(inner, child->GetLineNum()));
    }
    inner.finish();
    inner.children({});
  }
}

}  // namespace plumbline::hw
