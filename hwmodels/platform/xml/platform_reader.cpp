// Reads the XML form of a platform in one pass; what can only be judged on the whole is judged by
// hwmodels/platform/platform_rules.cpp.

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"
#include "hwmodels/platform/fabric_parts.hpp"
#include "hwmodels/platform/fields/storage_fields.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/platform_rules.hpp"
#include "hwmodels/platform/xml/fabric_reader.hpp"
#include "hwmodels/platform/xml/message_times_xml.hpp"
#include "hwmodels/platform/xml/node_reader.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/platform/xml/read_fields.hpp"
#include "hwmodels/platform/xml/storage_reader.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {
namespace {

using tinyxml2::XMLElement;

constexpr const char* kExample = "see docs/reference/platform.md";
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

class PlatformReader {
 public:
  explicit PlatformReader(std::string file) : file_(std::move(file)) {}

  Platform read(const XMLElement& root) {
    XmlElement element = wrap(root, "<platform>");
    const std::string version = element.required_text("version");
    if (!version.empty() && version != "1")
      element.fault(fmt::format("has version '{}', and this program reads version 1", version),
                    "use a newer Plumbline, or calibrate again");
    platform_.name = element.text("name");
    platform_.mpi = element.text("mpi");
    platform_.created = element.text("created");
    platform_.network = kNetworkModels[element.word("network", all_words(kNetworkModels))].value;
    const std::vector<const XMLElement*> children =
        element.children({"node", "nodes", "switch", "edge", "star", "fat-tree", "torus", "dragonfly", "route",
                          "packets", "inside", "between", "filesystem", "place", "server"});
    element.finish();
    read_vertices(children);
    storage_.read_servers(children, [this](const XmlElement& server, const std::string& node) {
      const bool resolved = lines_.all_resolved;
      const std::uint32_t found = vertex(server, node, "node", platform_.nodes.size());
      lines_.all_resolved = resolved;  // no way leads over a server
      return found;
    });
    for (const XMLElement* child : children) read_part(*child);
    for (const XMLElement* child : children)
      if (std::string_view(child->Name()) == "route") read_route(*child);
    storage_.check();
    check_platform(platform_, lines_, {file_, root.GetLineNum()}, diagnostics_);
    diagnostics_.throw_if_any();
    return std::move(platform_);
  }

 private:
  XmlElement wrap(const XMLElement& element, std::string subject = {}) {
    return XmlElement(element, file_, diagnostics_, std::move(subject));
  }

  // Nodes first: fabrics count them. Then switches, those of fabrics in their places: edges name both.
  void read_vertices(std::span<const XMLElement* const> children) {
    for (const XMLElement* child : children)
      if (std::string_view(child->Name()).starts_with("node")) read_node(*child);
    number_vertices(platform_.nodes, 0);
    for (const XMLElement* child : children) {
      if (std::string_view(child->Name()) == "switch") read_switch(*child);
      if (is_fabric(child->Name())) read_fabric_switches(*child);
    }
    number_vertices(platform_.switches, platform_.nodes.size());
  }

  template <class Thing>
  void number_vertices(const std::vector<Thing>& things, std::size_t number) {
    // Of names used twice the first one counts.
    for (const Thing& thing : things) vertices_.emplace(thing.name, static_cast<std::uint32_t>(number++));
  }

  void read_part(const XMLElement& xml) {
    const std::string_view name = xml.Name();
    if (name == "edge") read_edge(xml);
    if (is_fabric(xml.Name())) read_fabric_edges(xml);
    if (name == "packets") read_packets(xml);
    if (name == "inside") read_transport(wrap(xml), xml, platform_.inside, &lines_.inside);
    if (name == "between") read_between(xml);
    if (name == "filesystem") read_file_system(xml);
    if (name == "place") read_place(xml);
  }

  void read_node(const XMLElement& xml) {
    NodesRead read = read_nodes(xml, wrap(xml), platform_.network);
    if (read.nodes.empty()) lines_.all_resolved = nodes_complete_ = names_complete_ = false;
    for (Node& node : read.nodes) {
      platform_.nodes.push_back(std::move(node));
      lines_.nodes.push_back(xml.GetLineNum());
      lines_.interfaces.push_back(read.has_interface);
    }
  }

  void read_fabric_switches(const XMLElement& xml) {
    const auto find = [this](const XmlElement& element, const std::string& text) {
      return node_range(element, text, "node or range of nodes");
    };
    const auto nodes = static_cast<std::uint32_t>(platform_.nodes.size());
    std::optional<Fabric> fabric = read_fabric(wrap(xml), xml, nodes, find);
    if (!fabric) {
      lines_.all_resolved = names_complete_ = false;
      return;
    }
    make_switches(*fabric, platform_);
    lines_.switches.resize(platform_.switches.size(), xml.GetLineNum());
    fabrics_.emplace(&xml, *std::move(fabric));
  }

  void read_fabric_edges(const XMLElement& xml) {
    const auto found = fabrics_.find(&xml);
    if (found == fabrics_.end()) return;
    Fabric& fabric = found->second;
    make_edges(fabric, platform_);
    lines_.edges.resize(platform_.edges.size(), xml.GetLineNum());
    read_exceptions(wrap(xml), xml, fabric, platform_);
    platform_.fabrics.push_back(std::move(fabric));
  }

  void read_switch(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    Switch device;
    device.name = element.required_text("name");
    device.rate = element.rate("rate");
    close(element, {});
    platform_.switches.push_back(std::move(device));
    lines_.switches.push_back(xml.GetLineNum());
  }

  void read_edge(const XMLElement& xml) {
    const char* const from = xml.Attribute("from");
    const char* const to = xml.Attribute("to");
    const char* const name = xml.Attribute("name");
    Edge edge;
    edge.name = name != nullptr ? name : fmt::format("{}-{}", from ? from : "", to ? to : "");
    XmlElement element = wrap(xml, fmt::format("edge '{}'", edge.name));
    element.text("name");
    edge.from = vertex(element, element.required_text("from"), "node or switch", kAll);
    edge.to = vertex(element, element.required_text("to"), "node or switch", kAll);
    if (from != nullptr && to != nullptr && std::string_view(from) == to)
      element.fault("ends where it begins", "an edge joins two nodes or switches");
    fields(edge, ReadFields(element));
    close(element, {});
    platform_.edges.push_back(std::move(edge));
    lines_.edges.push_back(xml.GetLineNum());
  }

  void read_packets(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    once(element, lines_.packets, xml);
    fields(platform_.packets, ReadFields(element));
    if (platform_.packets.granularity.count < kLeastPacket)
      element.fault("has a granularity below 64B", "write for example granularity=\"100KiB\"");
    close(element, {});
  }

  // Names are read as they stand, else without the space around them.
  void read_route(const XMLElement& xml) {
    XmlElement element =
        wrap(xml, fmt::format("route from '{}' to '{}'", attribute(xml, "from"), attribute(xml, "to")));
    FixedRoute route;
    route.from = vertex(element, element.required_text("from"), "node", platform_.nodes.size());
    route.to = vertex(element, element.required_text("to"), "node", platform_.nodes.size());
    const std::string via = element.required_text("via");
    close(element, {});
    for (std::size_t begin = 0; begin < via.size() + 1 && !via.empty();) {
      const std::size_t end = std::min(via.find(',', begin), via.size());
      route.edges.push_back(edge_named(element, via.substr(begin, end - begin)));
      begin = end + 1;
    }
    platform_.routes.push_back(std::move(route));
    lines_.routes.push_back(xml.GetLineNum());
  }

  std::uint32_t edge_named(const XmlElement& element, const std::string& text) {
    if (edges_.empty())
      for (std::uint32_t i = 0; i < platform_.edges.size(); ++i) edges_.emplace(platform_.edges[i].name, i);
    const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    const std::string name = first == text.npos ? "" : text.substr(first, last - first + 1);
    for (const std::string& candidate : {text, name})
      if (const auto found = edges_.find(candidate); found != edges_.end()) return found->second;
    lines_.all_resolved = false;
    if (names_complete_)
      element.fault(fmt::format("names an edge '{}' that is not there", name), hint(name, edges_, kAll));
    return 0;
  }

  void read_between(const XMLElement& xml) {
    if (xml.Attribute("from") == nullptr && xml.Attribute("to") == nullptr)
      return read_transport(wrap(xml), xml, platform_.between, &lines_.between);
    XmlElement element =
        wrap(xml, fmt::format("<between> from '{}' to '{}'", attribute(xml, "from"), attribute(xml, "to")));
    PairTransport pair;
    const auto a = node_range(element, element.required_text("from"), "node or range of nodes");
    const auto b = node_range(element, element.required_text("to"), "node or range of nodes");
    if (a) std::tie(pair.first_a, pair.last_a) = *a;
    if (b) std::tie(pair.first_b, pair.last_b) = *b;
    read_transport(std::move(element), xml, pair.transport, nullptr);
    platform_.pairs.push_back(std::move(pair));
  }

  // A transport with a `line` may appear once.
  void read_transport(XmlElement element, const XMLElement& xml, Transport& transport, int* line) {
    if (line != nullptr) once(element, *line, xml);
    fields(transport, ReadFields(element));
    const std::vector<const XMLElement*> ranges = close(element, {"range"});
    if (ranges.empty()) element.fault("has no <range>", kExample);
    for (const XMLElement* range : ranges) transport.ranges.push_back(read_range(*range));
    check_ranges(transport, ranges);
  }

  MessageRange read_range(const XMLElement& xml) {
    const char* upto = xml.Attribute("upto");
    XmlElement element = wrap(xml, upto != nullptr ? fmt::format("range up to '{}'", upto) : "open range");
    MessageRange range;
    fields(range, platform_.network, ReadFields(element));
    const NetworkModel& network = model_of(platform_);
    if (network.needs_gap && !element.has("gap"))
      element.fault(fmt::format("has no gap, and the network is {}", network.name), "add gap=\"1us\"");
    const std::vector<const XMLElement*> times = close(element, {"times"});
    range.times = read_times(element, times);
    if (network.needs_times && times.empty())
      element.fault(fmt::format("has no <times>, and the network is {}", network.name), kExample);
    return range;
  }

  void check_ranges(const Transport& transport, std::span<const XMLElement* const> elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const bool last = i + 1 == elements.size();
      const bool given = elements[i]->Attribute("upto") != nullptr;
      const std::optional<Bytes>& upto = transport.ranges[i].upto;
      if (last && given)
        wrap(*elements[i], "the last range").fault("has an end", "remove its upto, so that every size has a range");
      if (!last && !given) wrap(*elements[i], "a range before the last").fault("has no upto", "add upto=\"64KiB\"");
      const std::string subject = upto ? fmt::format("range up to '{}'", format_exact(*upto)) : "the last range";
      check_sizes(transport.ranges[i], i > 0 ? transport.ranges[i - 1].upto : std::nullopt,
                  wrap(*elements[i], subject));
      if (last || i == 0 || !upto || !transport.ranges[i - 1].upto) continue;
      if (*upto <= *transport.ranges[i - 1].upto)
        wrap(*elements[i], fmt::format("range up to '{}'", format_exact(*upto)))
            .fault("does not end after the one before", "order the ranges by upto");
    }
  }

  void read_file_system(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    FileSystem fs;
    fs.name = element.required_text("name");
    const std::vector<const XMLElement*> parts = close(
        element, {"path", "cached-write", "cached-read", "device-write", "device-read", "metadata", "distribution"});
    for (const XMLElement* part : parts)
      if (std::string_view(part->Name()) == "path") read_path(*part, fs);
    const bool distributed = storage_.read_distribution(element, parts, fs.distribution);
    read_access(element, parts, "cached-write", fs.cached_write, distributed,
                distributed ? nullptr : &fs.exclusive_write);
    read_access(element, parts, "cached-read", fs.cached_read, distributed);
    if (!distributed) {
      read_access(element, parts, "device-write", fs.device_write);
      read_access(element, parts, "device-read", fs.device_read);
    }
    if (const XMLElement* metadata = only(element, parts, "metadata", distributed)) {
      XmlElement costs = wrap(*metadata, fmt::format("metadata of {}", element.subject()));
      fields(fs, ReadFields(costs));
      close(costs, {});
    }
    platform_.file_systems.push_back(std::move(fs));
    lines_.file_systems.push_back(xml.GetLineNum());
  }

  void read_path(const XMLElement& xml, FileSystem& fs) {
    XmlElement element = wrap(xml);
    std::string prefix = element.required_text("prefix");
    if (!prefix.empty() && prefix.front() != '/') element.fault("has a prefix that does not begin with /");
    close(element, {});
    fs.paths.push_back(std::move(prefix));
  }

  void read_access(const XmlElement& file_system, std::span<const XMLElement* const> parts, const char* name,
                   AccessCost& cost, bool optional = false, std::optional<Parameter<Duration>>* exclusive = nullptr) {
    const XMLElement* xml = only(file_system, parts, name, optional);
    if (xml == nullptr) return;
    XmlElement element = wrap(*xml, fmt::format("{} of {}", name, file_system.subject()));
    fields(cost, ReadFields(element));
    if (exclusive != nullptr) *exclusive = element.optional_duration("exclusive");
    if (exclusive != nullptr && *exclusive && (*exclusive)->value > cost.call.value)
      element.fault("has an exclusive part that is longer than the call", "give at most what the call takes");
    close(element, {});
  }

  // A range of nodes takes the ranks in equal parts.
  void read_place(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    Placement place;
    const std::string ranks = element.required_text("ranks"), node = element.required_text("node");
    const bool is_range = parse_ranks(ranks, place);
    if (!ranks.empty() && !is_range)
      element.fault(fmt::format("has ranks='{}', which is not a range of ranks", ranks), "write ranks=\"0-3\"");
    const std::optional<NodeRange> nodes = node_range(element, node, "node");
    close(element, {});
    if (!is_range || !nodes) return;
    const std::uint64_t count = std::uint64_t{place.last_rank} - place.first_rank + 1;
    const std::uint64_t of_nodes = nodes->second - nodes->first + 1;
    if (count % of_nodes != 0)
      return element.fault(fmt::format("places {} ranks on {} nodes", count, of_nodes), "as many for each node");
    const auto each = static_cast<std::uint32_t>(count / of_nodes);
    for (std::uint32_t i = 0; i < of_nodes; ++i) {
      const std::uint32_t first = place.first_rank + i * each;
      platform_.placements.push_back({first, first + (each - 1), nodes->first + i});
      lines_.placements.push_back(xml.GetLineNum());
    }
  }

  static bool parse_ranks(const std::string& text, Placement& place) {
    const char* end = text.data() + text.size();
    std::from_chars_result result = std::from_chars(text.data(), end, place.first_rank);
    place.last_rank = place.first_rank;
    if (result.ec != std::errc()) return false;
    if (result.ptr == end) return true;
    if (*result.ptr != '-') return false;
    result = std::from_chars(result.ptr + 1, end, place.last_rank);
    return result.ec == std::errc() && result.ptr == end && place.first_rank <= place.last_rank;
  }

  // The only element of this name among `parts`; a fault when there is more than one, or none and it is not optional.
  const XMLElement* only(const XmlElement& parent, std::span<const XMLElement* const> parts, std::string_view name,
                         bool optional = false) {
    const XMLElement* found = nullptr;
    for (const XMLElement* part : parts) {
      if (name != part->Name()) continue;
      if (found != nullptr) wrap(*part).fault(fmt::format("appears twice in {}", parent.subject()), "remove one");
      found = part;
    }
    if (found == nullptr && !optional) parent.fault(fmt::format("has no <{}>", name), kExample);
    return found;
  }

  void once(const XmlElement& element, int& line, const XMLElement& xml) {
    if (line != 0) element.fault(fmt::format("appears again (first in line {})", line), "remove one");
    line = xml.GetLineNum();
  }

  std::vector<const XMLElement*> close(XmlElement& element, std::initializer_list<const char*> children) {
    element.finish();
    return element.children(children);
  }

  // The number of the node or switch of that name, below `end`; a fault when there is none.
  std::uint32_t vertex(const XmlElement& element, const std::string& name, const char* what, std::size_t end) {
    const auto found = vertices_.find(name);
    if (found != vertices_.end() && found->second < end) return found->second;
    lines_.all_resolved = false;
    if (name.empty() || !nodes_complete_ || (!names_complete_ && end == kAll)) return 0;  // noted before
    element.fault(fmt::format("names a {} '{}' that is not there", what, name), hint(name, vertices_, end));
    return 0;
  }

  // "n3", or "n0-n15": from the node of one name to that of the other, as they stand in the file.
  std::optional<NodeRange> node_range(const XmlElement& element, const std::string& text, const char* what) {
    if (const std::optional<std::uint32_t> node = node_named(text)) return NodeRange{*node, *node};
    std::vector<NodeRange> ranges;
    for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
      const auto first = node_named(text.substr(0, dash)), last = node_named(text.substr(dash + 1));
      if (first && last && *first <= *last) ranges.emplace_back(*first, *last);
    }
    if (ranges.size() == 1) return ranges.front();
    lines_.all_resolved = false;
    if (!nodes_complete_) return std::nullopt;  // noted before
    if (ranges.size() > 1)
      element.fault(fmt::format("names '{}', which can be read as several ranges of nodes", text), "rename nodes");
    else if (!text.empty())
      element.fault(fmt::format("names a {} '{}' that is not there", what, text),
                    hint(text, vertices_, platform_.nodes.size()));
    return std::nullopt;
  }

  std::optional<std::uint32_t> node_named(const std::string& name) const {
    const auto found = vertices_.find(name);
    if (found == vertices_.end() || found->second >= platform_.nodes.size()) return std::nullopt;
    return found->second;
  }

  // Of those with a number below `end`.
  static std::string hint(const std::string& name, const std::map<std::string, std::uint32_t>& numbers,
                          std::size_t end) {
    std::vector<std::string> known;
    for (const auto& [other, number] : numbers)
      if (number < end) known.push_back(other);
    constexpr std::size_t kTooManyToList = 20;
    const std::string text = suggestion(name, known);
    return known.size() > kTooManyToList && !text.starts_with("did") ? "" : text;
  }

  static const char* attribute(const XMLElement& xml, const char* name) {
    const char* const value = xml.Attribute(name);
    return value != nullptr ? value : "";
  }

  std::string file_;
  Diagnostics diagnostics_;
  Platform platform_;
  PlatformLines lines_;
  std::map<std::string, std::uint32_t> vertices_;  // nodes, then switches
  StorageReader storage_{file_, platform_, diagnostics_};
  std::map<std::string, std::uint32_t> edges_;
  std::map<const XMLElement*, Fabric> fabrics_;  // those whose edges have not been made
  // Whether all nodes, and all switches and edges too, are there to be named: else names that are not are no faults.
  bool nodes_complete_ = true, names_complete_ = true;
};

Platform parse(std::string_view xml, const std::string& file) {
  if (xml.find_first_not_of(" \t\r\n") == xml.npos) throw Error(file, "is empty; a platform is expected", kExample);
  if (xml.find('\0') != xml.npos || !is_utf8(xml)) throw Error(file, "is not text in UTF-8", "is it a platform file?");
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS)
    throw Error(fmt::format("{}:{}", file, document.ErrorLineNum()),
                fmt::format("is not well-formed XML ({})", document.ErrorName()), "is the file complete?");
  const XMLElement* root = document.RootElement();
  if (root == nullptr) throw Error(fmt::format("{}:1", file), "has no element; a <platform> is expected", kExample);
  if (std::string_view(root->Name()) != "platform")
    throw Error(fmt::format("{}:{}", file, root->GetLineNum()),
                fmt::format("begins with <{}>; a <platform> is expected", root->Name()), kExample);
  for (const tinyxml2::XMLNode* node = root->NextSibling(); node != nullptr; node = node->NextSibling())
    if (node->ToComment() == nullptr)
      throw Error(fmt::format("{}:{}", file, node->GetLineNum()), "goes on after </platform>", "remove what follows");
  return PlatformReader(file).read(*root);
}

}  // namespace

Platform parse_platform(const std::string& xml, const std::string& name_for_messages) {
  return parse(xml, name_for_messages);
}

Platform read_platform(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

}  // namespace plumbline::hw
