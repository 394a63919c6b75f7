// Writes a platform as XML. Where all parameters of an element have the same source, it is written once.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/quantity.hpp"
#include "hwmodels/platform_storage_writer.hpp"
#include "hwmodels/platform_xml.hpp"

namespace plumbline::hw {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          result += fmt::format("&#{};", static_cast<int>(c));  // a reader may turn a bare line end into a space
        else
          result += c;
    }
  }
  return result;
}

// One element under construction. Parameters may have sources of their own, so those are written at the end.
class Line {
 public:
  Line(int depth, const char* name) : text_(static_cast<std::size_t>(depth) * 2, ' ') {
    text_ += fmt::format("<{}", name);
  }

  Line& add(const char* attribute, std::string_view value) {
    text_ += fmt::format(" {}=\"{}\"", attribute, escaped(value));
    return *this;
  }

  Line& add_unless_empty(const char* attribute, std::string_view value) {
    return value.empty() ? *this : add(attribute, value);
  }

  template <class T>
  Line& add(const char* attribute, const Parameter<T>& parameter) {
    add(attribute, format_exact(parameter.value));
    if (parameter.spread != 0)
      add(fmt::format("{}-spread", attribute).c_str(), format_exact_fraction(parameter.spread));
    sources_.push_back({attribute, parameter.source});
    return *this;
  }

  template <class T>
  Line& add(const char* attribute, const std::optional<Parameter<T>>& parameter) {
    return parameter ? add(attribute, *parameter) : *this;
  }

  std::string closed() { return end("/>\n"); }
  std::string opened() { return end(">\n"); }

 private:
  struct Source {
    std::string attribute, text;
  };

  std::string end(const char* tail) {
    const auto differs = [this](const Source& source) { return source.text != sources_.front().text; };
    if (!sources_.empty() && std::none_of(sources_.begin(), sources_.end(), differs)) {
      add_unless_empty("source", sources_.front().text);
    } else {
      for (const Source& source : sources_) add_unless_empty((source.attribute + "-source").c_str(), source.text);
    }
    return text_ + tail;
  }

  std::string text_;
  std::vector<Source> sources_;
};

std::string write_node(const Node& node) {
  Line line(1, "node");
  line.add("name", node.name).add("cores", fmt::format("{}", node.cores)).add("memory-rate", node.memory_rate);
  const Parameter<BytesPerSecond>& interface = node.interface_rate;
  if (interface.value.count != 0) line.add("interface-rate", interface);
  return line.closed();
}

std::string write_edge(const Platform& platform, const Edge& edge) {
  const auto name = [&platform](std::uint32_t vertex) {
    return vertex < platform.nodes.size() ? platform.nodes[vertex].name
                                          : platform.switches[vertex - platform.nodes.size()].name;
  };
  Line line(1, "edge");
  line.add("name", edge.name).add("from", name(edge.from)).add("to", name(edge.to));
  return line.add("latency", edge.latency).add("rate", edge.rate).closed();
}

std::string write_transport(const char* name, const Transport& transport) {
  if (transport.ranges.empty()) return "";
  std::string text = fmt::format("  <{}>\n", name);
  for (const MessageRange& range : transport.ranges) {
    Line line(2, "range");
    if (range.upto) line.add("upto", format_exact(*range.upto));
    line.add("protocol", range.protocol == Protocol::kEager ? "eager" : "rendezvous");
    line.add("send", range.send).add("receive", range.receive).add("latency", range.latency);
    text += line.add("send-rate", range.send_rate).add("receive-rate", range.receive_rate).closed();
  }
  return text + fmt::format("  </{}>\n", name);
}

std::string write_access(const char* name, const AccessCost& cost) {
  if (cost == AccessCost{}) return "";  // of a distributed file system
  return Line(2, name).add("call", cost.call).add("rate", cost.rate).closed();
}

std::string write_file_system(const Platform& platform, const FileSystem& fs) {
  std::string text = Line(1, "filesystem").add("name", fs.name).opened();
  for (const std::string& path : fs.paths) text += Line(2, "path").add("prefix", path).closed();
  text += write_distribution(platform, fs.distribution);
  text += write_access("cached-write", fs.cached_write) + write_access("cached-read", fs.cached_read);
  text += write_access("device-write", fs.device_write) + write_access("device-read", fs.device_read);
  text += Line(2, "metadata").add("open", fs.open).add("close", fs.close).add("sync", fs.sync).closed();
  return text + "  </filesystem>\n";
}

std::string write_place(const Platform& platform, const Placement& place) {
  const std::string ranks = place.first_rank == place.last_rank
                                ? fmt::format("{}", place.first_rank)
                                : fmt::format("{}-{}", place.first_rank, place.last_rank);
  return Line(1, "place").add("ranks", ranks).add("node", platform.nodes[place.node].name).closed();
}

}  // namespace

std::string to_xml(const Platform& platform) {
  Line root(0, "platform");
  root.add("version", "1").add_unless_empty("name", platform.name);
  root.add_unless_empty("mpi", platform.mpi).add_unless_empty("created", platform.created);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.opened();
  for (const Node& node : platform.nodes) text += write_node(node);
  for (const Switch& device : platform.switches)
    text += Line(1, "switch").add("name", device.name).add("rate", device.rate).closed();
  for (const Edge& edge : platform.edges) text += write_edge(platform, edge);
  text += Line(1, "packets")
              .add("granularity", format_exact(platform.packets.granularity))
              .add("header", format_exact(platform.packets.header))
              .closed();
  text += write_transport("inside", platform.inside) + write_transport("between", platform.between);
  for (const Server& server : platform.servers) text += write_server(platform, server);
  for (const FileSystem& fs : platform.file_systems) text += write_file_system(platform, fs);
  for (const Placement& place : platform.placements) text += write_place(platform, place);
  return text + "</platform>\n";
}

}  // namespace plumbline::hw
