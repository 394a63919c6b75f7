#include "cli/verbs/info/platform_summary.hpp"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/platform/node_names.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::cli {
namespace {

using replay::plural;

template <class T>
std::string text_of(const hw::Parameter<T>& p) {
  return p.spread > 0 ? fmt::format("{} ± {}", format(p.value), format_percent(p.spread)) : format(p.value);
}

std::string text_of(const hw::AccessCost& cost) { return text_of(cost.call) + " + " + text_of(cost.rate); }

// Nothing of the network that is meant without a word.
std::string network_of(const hw::Platform& platform) {
  const hw::NetworkModel& network = hw::model_of(platform);
  return network.value == hw::kNetworkModels[0].value ? "" : fmt::format(", {}", network.name);
}

std::string head(const hw::Platform& platform) {
  const std::string switches =
      platform.switches.size() == 1 ? "1 switch" : fmt::format("{} switches", platform.switches.size());
  return fmt::format("platform '{}'{}: {}, {}, {}{}\n", platform.name,
                     platform.mpi.empty() ? "" : " for " + platform.mpi, plural(platform.nodes.size(), "node"),
                     switches, plural(platform.edges.size(), "edge"), network_of(platform));
}

// Alike ones with numbered names are told together.
std::string nodes(const hw::Platform& platform) {
  std::string text;
  for (std::size_t i = 0, alike = 0; i < platform.nodes.size(); i += alike) {
    alike = hw::alike_nodes(platform.nodes, i);
    const hw::Node& node = platform.nodes[i];
    const std::string names =
        alike == 1 ? "node " + node.name : fmt::format("nodes {} to {}", node.name, platform.nodes[i + alike - 1].name);
    const std::string memory = node.memory_rate.value.count == 0 ? "" : ", memory " + text_of(node.memory_rate);
    text += fmt::format("  {}: {}{}\n", names, plural(node.cores, "core"), memory);
  }
  return text;
}

// Alike ones together, in the order of the first of each kind.
std::string links(const hw::Platform& platform) {
  std::vector<std::string> kinds;
  std::map<std::string, std::size_t> count;
  for (const hw::Edge& edge : platform.edges) {
    const std::string kind = fmt::format("{}, latency {}{}", text_of(edge.rate), text_of(edge.latency),
                                         edge.half_duplex ? ", one direction at a time" : "");
    if (count[kind]++ == 0) kinds.push_back(kind);
  }
  std::string text;
  for (const std::string& kind : kinds) text += fmt::format("  {}: {}\n", plural(count[kind], "edge"), kind);
  return text;
}

std::string transport(const char* name, const hw::Transport& transport) {
  if (transport.ranges.empty()) return {};
  std::string text = fmt::format("  {}\n", name);
  for (const hw::MessageRange& range : transport.ranges)
    text += fmt::format("    {:<16} {:<11} send {}, receive {}, latency {}\n",
                        range.upto ? "up to " + format(*range.upto) : "above",
                        range.protocol == hw::Protocol::kEager ? "eager" : "rendezvous", text_of(range.send),
                        text_of(range.receive), text_of(range.latency));
  return text;
}

std::string device(const hw::Device& device) {
  if (device.disk)
    return fmt::format("hard disk {}, seek {}, {} to the next track, {} a turn", text_of(device.disk->rate),
                       text_of(device.disk->average_seek), text_of(device.disk->track_to_track),
                       text_of(device.disk->turn));
  if (device.flash)
    return fmt::format("flash {} written, {} read, {}", text_of(device.flash->write_rate),
                       text_of(device.flash->read_rate), plural(device.flash->channels, "channel"));
  return device.simple ? fmt::format("{} + {}", text_of(device.simple->latency), text_of(device.simple->rate))
                       : std::string("no device");
}

std::string_view policy(hw::CachePolicy policy) {
  switch (policy) {
    case hw::CachePolicy::kNone:
      return "no cache";
    case hw::CachePolicy::kWriteBehind:
      return "write-behind";
    case hw::CachePolicy::kAggregation:
      return "aggregation";
    case hw::CachePolicy::kAggregationReorder:
      return "aggregation with reordering";
    case hw::CachePolicy::kServerDirected:
      return "server-directed";
    case hw::CachePolicy::kPageCache:
      return "page cache";
  }
  return "";
}

std::string cache(const hw::ServerCache& cache) {
  return cache.policy == hw::CachePolicy::kNone ? std::string(policy(cache.policy))
                                                : fmt::format("{} of {}", policy(cache.policy), format(cache.memory));
}

// All but its name and node is the same.
bool alike(const hw::Server& a, const hw::Server& b) {
  return a.device == b.device && a.cache == b.cache && a.request == b.request;
}

std::string servers(const hw::Platform& platform) {
  const std::span<const hw::Server> all(platform.servers);
  std::string text;
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    for (next = first + 1; next < all.size() && alike(all[first], all[next]);) ++next;
    const hw::Server& server = all[first];
    const std::string names =
        next - first == 1 ? fmt::format("server {} on {}", server.name, platform.nodes[server.node].name)
                          : fmt::format("servers {} to {} on {} to {}", server.name, all[next - 1].name,
                                        platform.nodes[server.node].name, platform.nodes[all[next - 1].node].name);
    text += fmt::format("  {}: {}, {}, {} a request\n", names, device(server.device), cache(server.cache),
                        text_of(server.request));
  }
  return text;
}

std::string distribution(const hw::Platform& platform, const hw::Distribution& spread) {
  std::string text = fmt::format("{}, stripes of {}", plural(spread.servers.size(), "server"), format(spread.stripe));
  if (spread.stripe_count > 0) text += fmt::format(", a file on {}", spread.stripe_count);
  if (spread.local) text += ", each node its own";
  if (spread.metadata)
    text += fmt::format("; metadata on {}: create {}, lookup {}, stat {}", platform.servers[*spread.metadata].name,
                        text_of(spread.create), text_of(spread.lookup), text_of(spread.stat));
  return text;
}

std::string file_systems(const hw::Platform& platform) {
  std::string text;
  for (const hw::FileSystem& fs : platform.file_systems) {
    std::string paths;
    for (const std::string& path : fs.paths) paths += " " + path;
    const std::string what = fs.distribution.servers.empty()
                                 ? fmt::format("write {} cached, {} on the device; read {} cached, {} from the device",
                                               text_of(fs.cached_write), text_of(fs.device_write),
                                               text_of(fs.cached_read), text_of(fs.device_read))
                                 : distribution(platform, fs.distribution);
    text += fmt::format("  file system {} for{}: {}\n", fs.name, paths, what);
  }
  return text;
}

}  // namespace

std::string describe_platform(const hw::Platform& platform) {
  return head(platform) + nodes(platform) + links(platform) + transport("messages inside a node", platform.inside) +
         transport("messages between nodes", platform.between) + servers(platform) + file_systems(platform);
}

}  // namespace plumbline::cli
