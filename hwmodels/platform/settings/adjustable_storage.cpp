#include "hwmodels/platform/settings/adjustable_storage.hpp"

#include <algorithm>

#include "hwmodels/platform/fields/storage_fields.hpp"
#include "hwmodels/platform/settings/set_fields.hpp"

namespace plumbline::hw {
namespace {

std::optional<std::uint32_t> server_named(std::string_view name, std::span<const Server> servers) {
  const auto found = std::ranges::find(servers, name, &Server::name);
  if (found == servers.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - servers.begin());
}

// Names with spaces between them, as in a platform file; nothing when one is not there, or twice, or there is none.
std::optional<std::vector<std::uint32_t>> servers_named(std::string_view text, std::span<const Server> servers) {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) {
      const std::optional<std::uint32_t> number = server_named(text.substr(0, end), servers);
      if (!number || std::ranges::count(numbers, *number) > 0) return std::nullopt;
      numbers.push_back(*number);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

template <class Thing>
std::vector<std::string> names_of(std::span<const Thing> things) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  return names;
}

void add_metadata(const std::string& name, Distribution& distribution, std::span<const Server> servers,
                  AdjustableParameters& parameters) {
  parameters.add(
      name + ".server", "the name of a server",
      [&distribution, servers](std::string_view text) {
        const std::optional<std::uint32_t> server = server_named(text, servers);
        if (server) distribution.metadata = server;
        return server.has_value();
      },
      [servers] { return names_of(servers); });
  if (distribution.metadata) metadata_fields(distribution, SetFields(name, parameters));
}

// Where each node has its own server there is nothing to spread and nobody to ask.
void add_distribution(const std::string& name, Distribution& distribution, std::span<const Server> servers,
                      AdjustableParameters& parameters) {
  fields(distribution, SetFields(name, parameters));
  if (distribution.local) return;
  parameters.add(name + ".servers", "names of servers, each once, with spaces between them",
                 [&distribution, servers](std::string_view text) {
                   std::optional<std::vector<std::uint32_t>> numbers = servers_named(text, servers);
                   if (!numbers) return false;
                   distribution.servers = *std::move(numbers);
                   return true;
                 });
  add_metadata(name + ".metadata", distribution, servers, parameters);
}

void add_device(const std::string& name, Device& device, AdjustableParameters& parameters) {
  if (device.disk) fields(*device.disk, SetFields(name + ".disk", parameters));
  if (device.flash) fields(*device.flash, SetFields(name + ".flash", parameters));
  if (device.simple) fields(*device.simple, SetFields(name + ".device", parameters));
}

}  // namespace

void add_file_system(FileSystem& file_system, std::span<const Server> servers, AdjustableParameters& parameters) {
  const std::string name = "filesystem." + file_system.name;
  fields(file_system.cached_write, SetFields(name + ".cached-write", parameters));
  if (file_system.exclusive_write) parameters.duration(name + ".cached-write.exclusive", *file_system.exclusive_write);
  fields(file_system.cached_read, SetFields(name + ".cached-read", parameters));
  const bool is_distributed = !file_system.distribution.servers.empty();
  if (is_distributed) {
    add_distribution(name, file_system.distribution, servers, parameters);
  } else {
    fields(file_system.device_write, SetFields(name + ".device-write", parameters));
    fields(file_system.device_read, SetFields(name + ".device-read", parameters));
  }
  fields(file_system, SetFields(name, parameters));
}

void add_server(Server& server, std::span<const Node> nodes, AdjustableParameters& parameters) {
  const std::string name = "server." + server.name;
  parameters.add(
      name + ".node", "the name of a node",
      [&server, nodes](std::string_view text) {
        const auto found = std::ranges::find(nodes, text, &Node::name);
        if (found == nodes.end()) return false;
        server.node = static_cast<std::uint32_t>(found - nodes.begin());
        return true;
      },
      [nodes] { return names_of(nodes); });
  fields(server, SetFields(name, parameters));
  add_device(name, server.device, parameters);
  fields(server.cache, SetFields(name + ".cache", parameters));
}

}  // namespace plumbline::hw
