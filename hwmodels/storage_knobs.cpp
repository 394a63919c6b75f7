#include "hwmodels/storage_knobs.hpp"

#include <algorithm>
#include <limits>

namespace plumbline::hw {
namespace {

constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
constexpr const char* kCount = "a number, at least 1";

void add_access(const std::string& name, AccessCost& cost, KnobList& knobs) {
  knobs.duration(name + ".call", cost.call);
  knobs.rate(name + ".rate", cost.rate);
}

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
  if (!distribution.metadata) return;
  knobs.duration(name + ".create", distribution.create);
  knobs.duration(name + ".lookup", distribution.lookup);
  knobs.duration(name + ".stat", distribution.stat);
  knobs.duration(name + ".close", distribution.close);
}

// Where each node has its own server there is nothing to spread and nobody to ask.
void add_distribution(const std::string& name, Distribution& distribution, std::span<const Server> servers,
                      KnobList& knobs) {
  knobs.count_or_all(name + ".list-limit", distribution.list_limit);
  if (distribution.local) return;
  knobs.bytes(name + ".stripe", distribution.stripe, Bytes{1});
  knobs.count_or_all(name + ".count", distribution.stripe_count);
  knobs.add(name + ".servers", "names of servers, each once, with spaces between them",
            [&distribution, servers](std::string_view text) {
              std::optional<std::vector<std::uint32_t>> numbers = servers_named(text, servers);
              if (numbers) distribution.servers = *std::move(numbers);
              return numbers.has_value();
            });
  add_metadata(name + ".metadata", distribution, servers, knobs);
}

void add_device(const std::string& name, Device& device, KnobList& knobs) {
  if (device.disk) {
    HardDisk& disk = *device.disk;
    knobs.duration(name + ".disk.average-seek", disk.average_seek);
    knobs.duration(name + ".disk.track-to-track", disk.track_to_track);
    knobs.duration(name + ".disk.turn", disk.turn);
    knobs.bytes(name + ".disk.close", disk.close, {});
    knobs.rate(name + ".disk.rate", disk.rate);
  }
  if (device.flash) {
    Flash& flash = *device.flash;
    knobs.duration(name + ".flash.read-latency", flash.read_latency);
    knobs.duration(name + ".flash.write-latency", flash.write_latency);
    knobs.rate(name + ".flash.read-rate", flash.read_rate);
    knobs.rate(name + ".flash.write-rate", flash.write_rate);
    knobs.number(name + ".flash.channels", kCount, flash.channels, 1U, kMost);
    knobs.number(name + ".flash.queue-depth", kCount, flash.queue_depth, 1U, kMost);
  }
  if (device.simple) {
    knobs.duration(name + ".device.latency", device.simple->latency);
    knobs.rate(name + ".device.rate", device.simple->rate);
  }
}

void add_cache(const std::string& name, ServerCache& cache, KnobList& knobs) {
  knobs.word(name + ".policy", cache.policy, kCachePolicies);
  knobs.bytes(name + ".memory", cache.memory, {});
  knobs.bytes(name + ".granularity", cache.granularity, {});
  knobs.number(name + ".concurrent", kCount, cache.concurrent, 1U, kMost);
  if (cache.policy != CachePolicy::kPageCache) return;
  knobs.bytes(name + ".dirty-background", cache.dirty_background);
  knobs.bytes(name + ".dirty-limit", cache.dirty_limit);
}

}  // namespace

void add_file_system(FileSystem& file_system, std::span<const Server> servers, KnobList& knobs) {
  const std::string name = "filesystem." + file_system.name;
  add_access(name + ".cached-write", file_system.cached_write, knobs);
  if (file_system.exclusive_write) knobs.duration(name + ".cached-write.exclusive", *file_system.exclusive_write);
  add_access(name + ".cached-read", file_system.cached_read, knobs);
  const bool is_distributed = !file_system.distribution.servers.empty();
  if (is_distributed) {
    add_distribution(name, file_system.distribution, servers, knobs);
  } else {
    add_access(name + ".device-write", file_system.device_write, knobs);
    add_access(name + ".device-read", file_system.device_read, knobs);
  }
  knobs.duration(name + ".open", file_system.open);
  knobs.duration(name + ".close", file_system.close);
  knobs.duration(name + ".sync", file_system.sync);
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
  knobs.duration(name + ".request", server.request);
  add_device(name, server.device, knobs);
  add_cache(name + ".cache", server.cache, knobs);
}

}  // namespace plumbline::hw
