#include "hwmodels/platform/settings/storage_knobs.hpp"

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
                  KnobList& knobs) {
  knobs.add(
      name + ".server", "the name of a server",
      [&distribution, servers](std::string_view text) {
        const std::optional<std::uint32_t> server = server_named(text, servers);
        if (server) distribution.metadata = server;
        return server.has_value();
      },
      [servers] { return names_of(servers); });
  if (distribution.metadata) metadata_fields(distribution, SetFields(name, knobs));
}

// Where each node has its own server there is nothing to spread and nobody to ask.
void add_distribution(const std::string& name, Distribution& distribution, std::span<const Server> servers,
                      KnobList& knobs) {
  fields(distribution, SetFields(name, knobs));
  if (distribution.local) return;
  knobs.add(name + ".servers", "names of servers, each once, with spaces between them",
            [&distribution, servers](std::string_view text) {
              std::optional<std::vector<std::uint32_t>> numbers = servers_named(text, servers);
              if (numbers) distribution.servers = *std::move(numbers);
              return numbers.has_value();
            });
  add_metadata(name + ".metadata", distribution, servers, knobs);
}

void add_device(const std::string& name, Device& device, KnobList& knobs) {
  if (device.disk) fields(*device.disk, SetFields(name + ".disk", knobs));
  if (device.flash) fields(*device.flash, SetFields(name + ".flash", knobs));
  if (device.simple) fields(*device.simple, SetFields(name + ".device", knobs));
}

}  // namespace

void add_file_system(FileSystem& file_system, std::span<const Server> servers, KnobList& knobs) {
  const std::string name = "filesystem." + file_system.name;
  fields(file_system.cached_write, SetFields(name + ".cached-write", knobs));
  if (file_system.exclusive_write) knobs.duration(name + ".cached-write.exclusive", *file_system.exclusive_write);
  fields(file_system.cached_read, SetFields(name + ".cached-read", knobs));
  const bool is_distributed = !file_system.distribution.servers.empty();
  if (is_distributed) {
    add_distribution(name, file_system.distribution, servers, knobs);
  } else {
    fields(file_system.device_write, SetFields(name + ".device-write", knobs));
    fields(file_system.device_read, SetFields(name + ".device-read", knobs));
  }
  fields(file_system, SetFields(name, knobs));
}

void add_server(Server& server, std::span<const Node> nodes, KnobList& knobs) {
  const std::string name = "server." + server.name;
  knobs.add(
      name + ".node", "the name of a node",
      [&server, nodes](std::string_view text) {
        const auto found = std::ranges::find(nodes, text, &Node::name);
        if (found == nodes.end()) return false;
        server.node = static_cast<std::uint32_t>(found - nodes.begin());
        return true;
      },
      [nodes] { return names_of(nodes); });
  fields(server, SetFields(name, knobs));
  add_device(name, server.device, knobs);
  fields(server.cache, SetFields(name + ".cache", knobs));
}

}  // namespace plumbline::hw
