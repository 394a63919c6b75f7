// Reads the XML form of a platform in one pass; what can only be judged on the whole is judged by
// hwmodels/platform_rules.cpp.

#include <fmt/format.h>
#include <tinyxml2.h>

#include <charconv>
#include <limits>
#include <map>
#include <span>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "hwmodels/platform_rules.hpp"
#include "hwmodels/platform_storage_reader.hpp"
#include "hwmodels/platform_xml.hpp"
#include "hwmodels/xml_element.hpp"

namespace plumbline::hw {
namespace {

using tinyxml2::XMLElement;

constexpr const char* kExample = "see docs/reference/platform.md";
constexpr std::size_t kAllVertices = std::numeric_limits<std::size_t>::max();

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
    const std::vector<const XMLElement*> children =
        element.children({"node", "switch", "edge", "packets", "inside", "between", "filesystem", "place", "server"});
    element.finish();
    for (const XMLElement* child : children) read_vertex(*child);
    number_vertices();
    storage_.read_servers(children, [this](const XmlElement& server, const std::string& node) {
      return vertex(server, node, "node", platform_.nodes.size());
    });
    for (const XMLElement* child : children) read_part(*child);
    storage_.check();
    check_platform(platform_, lines_, {file_, root.GetLineNum()}, diagnostics_);
    diagnostics_.throw_if_any();
    return std::move(platform_);
  }

 private:
  XmlElement wrap(const XMLElement& element, std::string subject = {}) {
    return XmlElement(element, file_, diagnostics_, std::move(subject));
  }

  // Nodes and switches first: edges and places name them.
  void read_vertex(const XMLElement& xml) {
    const std::string_view name = xml.Name();
    if (name == "node") read_node(xml);
    if (name == "switch") read_switch(xml);
  }

  void number_vertices() {
    std::uint32_t number = 0;  // of names used twice the first one counts
    for (const Node& node : platform_.nodes) vertices_.emplace(node.name, number++);
    for (const Switch& device : platform_.switches) vertices_.emplace(device.name, number++);
  }

  void read_part(const XMLElement& xml) {
    const std::string_view name = xml.Name();
    if (name == "edge") read_edge(xml);
    if (name == "packets") read_packets(xml);
    if (name == "inside") read_transport(xml, platform_.inside, lines_.inside);
    if (name == "between") read_transport(xml, platform_.between, lines_.between);
    if (name == "filesystem") read_file_system(xml);
    if (name == "place") read_place(xml);
  }

  void read_node(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    Node node;
    node.name = element.required_text("name");
    node.cores = element.count("cores", 1, 1);
    node.memory_rate = element.rate("memory-rate");
    lines_.interfaces.push_back(element.has("interface-rate"));
    node.interface_rate = element.optional_rate("interface-rate").value_or(Parameter<BytesPerSecond>{});
    close(element, {});
    platform_.nodes.push_back(std::move(node));
    lines_.nodes.push_back(xml.GetLineNum());
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
    edge.from = vertex(element, element.required_text("from"), "node or switch", kAllVertices);
    edge.to = vertex(element, element.required_text("to"), "node or switch", kAllVertices);
    if (from != nullptr && to != nullptr && std::string_view(from) == to)
      element.fault("ends where it begins", "an edge joins two nodes or switches");
    edge.latency = element.duration("latency");
    edge.rate = element.rate("rate");
    close(element, {});
    platform_.edges.push_back(std::move(edge));
    lines_.edges.push_back(xml.GetLineNum());
  }

  void read_packets(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    once(element, lines_.packets, xml);
    platform_.packets.granularity = element.bytes("granularity").value_or(platform_.packets.granularity);
    platform_.packets.header = element.bytes("header").value_or(platform_.packets.header);
    if (platform_.packets.granularity.count < 64)
      element.fault("has a granularity below 64B", "write for example granularity=\"100KiB\"");
    close(element, {});
  }

  void read_transport(const XMLElement& xml, Transport& transport, int& line) {
    XmlElement element = wrap(xml);
    once(element, line, xml);
    const std::vector<const XMLElement*> ranges = close(element, {"range"});
    if (ranges.empty()) element.fault("has no <range>", kExample);
    for (const XMLElement* range : ranges) transport.ranges.push_back(read_range(*range));
    check_ranges(transport, ranges);
  }

  MessageRange read_range(const XMLElement& xml) {
    const char* upto = xml.Attribute("upto");
    XmlElement element = wrap(xml, upto != nullptr ? fmt::format("range up to '{}'", upto) : "open range");
    MessageRange range;
    range.upto = element.bytes("upto");
    const std::string protocol = element.required_text("protocol");
    range.protocol = protocol == "rendezvous" ? Protocol::kRendezvous : Protocol::kEager;
    if (!protocol.empty() && protocol != "eager" && protocol != "rendezvous")
      element.fault(fmt::format("has an unknown protocol '{}'", protocol), "write eager or rendezvous");
    range.send = element.duration("send");
    range.receive = element.duration("receive");
    range.latency = element.duration("latency");
    range.send_rate = element.optional_rate("send-rate");
    range.receive_rate = element.optional_rate("receive-rate");
    close(element, {});
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
    read_access(element, parts, "cached-write", fs.cached_write, distributed);
    read_access(element, parts, "cached-read", fs.cached_read, distributed);
    if (!distributed) {
      read_access(element, parts, "device-write", fs.device_write);
      read_access(element, parts, "device-read", fs.device_read);
    }
    if (const XMLElement* metadata = only(element, parts, "metadata", distributed)) {
      XmlElement costs = wrap(*metadata, fmt::format("metadata of {}", element.subject()));
      fs.open = costs.duration("open");
      fs.close = costs.duration("close");
      fs.sync = costs.duration("sync");
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
                   AccessCost& cost, bool optional = false) {
    const XMLElement* xml = only(file_system, parts, name, optional);
    if (xml == nullptr) return;
    XmlElement element = wrap(*xml, fmt::format("{} of {}", name, file_system.subject()));
    cost.call = element.duration("call");
    cost.rate = element.rate("rate");
    close(element, {});
  }

  void read_place(const XMLElement& xml) {
    XmlElement element = wrap(xml);
    Placement place;
    const std::string ranks = element.required_text("ranks"), node = element.required_text("node");
    if (!ranks.empty() && !parse_ranks(ranks, place))
      element.fault(fmt::format("has ranks='{}', which is not a range of ranks", ranks), "write ranks=\"0-3\"");
    place.node = vertex(element, node, "node", platform_.nodes.size());
    close(element, {});
    platform_.placements.push_back(place);
    lines_.placements.push_back(xml.GetLineNum());
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
    if (name.empty()) return 0;  // noted where it was read
    std::vector<std::string> known;
    for (const auto& [other, number] : vertices_)
      if (number < end) known.push_back(other);
    constexpr std::size_t kTooManyToList = 20;
    const std::string hint = suggestion(name, known);
    element.fault(fmt::format("names a {} '{}' that is not there", what, name),
                  known.size() > kTooManyToList && !hint.starts_with("did") ? "" : hint);
    return 0;
  }

  std::string file_;
  Diagnostics diagnostics_;
  Platform platform_;
  PlatformLines lines_;
  std::map<std::string, std::uint32_t> vertices_;  // nodes, then switches
  StorageReader storage_{file_, platform_, diagnostics_};
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
