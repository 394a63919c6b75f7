#include "hwmodels/platform/xml/storage_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "hwmodels/platform/fields/storage_fields.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/part_rules.hpp"
#include "hwmodels/platform/xml/read_fields.hpp"

namespace plumbline::hw {
namespace {

using tinyxml2::XMLElement;

constexpr const char* kServerExample = "see <server> in docs/reference/platform.md";

}  // namespace

void StorageReader::fault(int line, std::string what, std::string hint) const {
  diagnostics_.add(fmt::format("{}:{}", file_, line), std::move(what), std::move(hint));
}

void StorageReader::read_servers(std::span<const XMLElement* const> elements, const FindNode& find_node) {
  for (const XMLElement* xml : elements) {
    if (std::string_view(xml->Name()) != "server") continue;
    const char* const node = xml->Attribute("node");
    const auto is_it = [node](const Node& other) { return node != nullptr && other.name == node; };
    placed_.push_back(std::any_of(platform_.nodes.begin(), platform_.nodes.end(), is_it));
    Server server = read_server(*xml, find_node);
    numbers_.emplace(server.name, static_cast<std::uint32_t>(platform_.servers.size()));
    lines_.push_back(xml->GetLineNum());
    platform_.servers.push_back(std::move(server));
  }
}

Server StorageReader::read_server(const XMLElement& xml, const FindNode& find_node) {
  XmlElement element = wrap(xml);
  Server server;
  server.name = element.required_text("name");
  if (server.name.find_first_of(" \t\r\n") != server.name.npos)
    element.fault("has a name with a space in it", "lists of servers have spaces between the names");
  const std::string node = element.required_text("node");
  if (!node.empty()) server.node = find_node(element, node);
  fields(server, ReadFields(element));
  element.finish();
  std::size_t devices = 0, caches = 0;
  for (const XMLElement* part : element.children({"disk", "flash", "device", "cache"})) {
    const bool is_cache = std::string_view(part->Name()) == "cache";
    if (++(is_cache ? caches : devices) > 1)
      wrap(*part).fault(fmt::format("is the second {} of {}", is_cache ? "cache" : "device", element.subject()),
                        "give each server one");
    else if (is_cache)
      read_cache(*part, element, server.cache);
    else
      read_device(*part, element, server.device);
  }
  if (devices == 0) element.fault("has no device", "add <disk …/>, <flash …/> or <device …/>");
  return server;
}

void StorageReader::read_device(const XMLElement& xml, const XmlElement& server, Device& device) {
  const std::string_view name = xml.Name();
  XmlElement element = wrap(xml, fmt::format("{} of {}", name, server.subject()));
  if (name == "disk") {
    fields(device.disk.emplace(), ReadFields(element));
  } else if (name == "flash") {
    fields(device.flash.emplace(), ReadFields(element));
  } else {
    fields(device.simple.emplace(), ReadFields(element));
  }
  element.finish();
  element.children({});
}

void StorageReader::read_cache(const XMLElement& xml, const XmlElement& server, ServerCache& cache) {
  XmlElement element = wrap(xml, fmt::format("cache of {}", server.subject()));
  fields(cache, ReadFields(element));
  for (const PartFault& fault : faults_of(cache)) element.fault(fault.what, fault.hint);
  element.finish();
  element.children({});
}

bool StorageReader::read_distribution(const XmlElement& file_system, std::span<const XMLElement* const> parts,
                                      Distribution& distribution) {
  const XMLElement* found = nullptr;
  for (const XMLElement* part : parts) {
    if (std::string_view(part->Name()) != "distribution") continue;
    if (found != nullptr) wrap(*part).fault(fmt::format("appears twice in {}", file_system.subject()), "remove one");
    found = part;
  }
  if (found == nullptr) return false;
  for (const XMLElement* part : parts)
    if (std::string_view(part->Name()).starts_with("device-"))
      wrap(*part).fault(fmt::format("stands in {}, which has the devices of its servers", file_system.subject()),
                        "remove it");
  XmlElement element = wrap(*found, fmt::format("distribution of {}", file_system.subject()));
  distribution.servers = servers_named(element, element.required_text("servers"));
  const bool counted = element.has("count");
  fields(distribution, ReadFields(element));
  read_costs(element, distribution);
  element.finish();
  element.children({});
  check_distribution(element, distribution, counted);
  return true;
}

void StorageReader::read_costs(XmlElement& element, Distribution& distribution) const {
  const std::string metadata = element.text("metadata");
  if (!metadata.empty()) distribution.metadata = server_named(element, metadata);
  metadata_fields(distribution, [&](const Field& cost, const auto&) {
    if (metadata.empty() && element.has(cost.name))
      element.fault(fmt::format("has a {} and no metadata server", cost.name), "add metadata=\"…\"");
  });
  metadata_fields(distribution, ReadFields(element));
}

void StorageReader::check_distribution(const XmlElement& element, const Distribution& distribution,
                                       bool counted) const {
  for (const PartFault& fault : faults_of(distribution)) element.fault(fault.what, fault.hint);
  if (!distribution.local) return;
  if (counted) element.fault("is local and has a count", "a local file lies on one server; remove it");
  if (distribution.metadata) element.fault("is local and has a metadata server", "remove one of the two");
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t server : distribution.servers)
    if (placed_[server]) nodes.push_back(platform_.servers[server].node);
  for (const PartFault& fault : faults_of_local(std::move(nodes), platform_.nodes))
    element.fault(fault.what, fault.hint);
}

std::vector<std::uint32_t> StorageReader::servers_named(const XmlElement& element, const std::string& text) const {
  std::vector<std::uint32_t> servers;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t\r\n", begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    begin = end;
    const std::optional<std::uint32_t> server = server_named(element, name);
    if (!server) continue;
    if (std::find(servers.begin(), servers.end(), *server) != servers.end())
      element.fault(fmt::format("names server '{}' twice", name), "remove one");
    servers.push_back(*server);
  }
  return servers;
}

std::optional<std::uint32_t> StorageReader::server_named(const XmlElement& element, const std::string& name) const {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [other, number] : numbers_) known.push_back(other);
  constexpr std::size_t kTooManyToList = 20;
  const std::string hint = known.empty() ? "add a <server>" : suggestion(name, known);
  element.fault(fmt::format("names a server '{}' that is not there", name),
                known.size() > kTooManyToList && !hint.starts_with("did") ? "" : hint);
  return std::nullopt;
}

void StorageReader::check() const {
  std::map<std::string_view, int> seen;
  const Bytes packet = platform_.packets.granularity;
  for (std::size_t i = 0; i < platform_.servers.size(); ++i) {
    const Server& server = platform_.servers[i];
    const auto [first, is_new] = seen.emplace(server.name, lines_[i]);
    if (!is_new && !server.name.empty())
      fault(lines_[i], fmt::format("server '{}' has a name that is taken in line {}", server.name, first->second),
            "give each its own name");
    for (const PartFault& found : faults_of(server, packet))
      fault(lines_[i], fmt::format("server '{}' {}", server.name, found.what), found.hint);
  }
  if (!platform_.servers.empty() && !model_of(platform_).has_components)
    fault(lines_.front(), fmt::format("the platform has servers, and its network is {}", model_of(platform_).name),
          "file servers need the network store-and-forward");
}

}  // namespace plumbline::hw
