#include "hwmodels/calibrate/storage/mount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/assumed.hpp"
#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/storage/servers_fit.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "hwmodels/storage/alone.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

// From this part of what its cable carries on, the cable is what limits a server.
constexpr double kLinkLimits = 0.8;

// Of the first node: its memory, or what its sockets do for their own ranks.
Parameter<BytesPerSecond> memory_of(const Platform& platform) {
  const Node& node = platform.nodes.front();
  return node.memory_rate.value.count == 0 && node.sockets ? node.sockets->local_rate : node.memory_rate;
}

// Nodes and switches have one space of names, and switches that calibration made are called s0, s1 ...
std::string node_name(const Platform& platform, const std::string& host) {
  const bool is_switch = std::any_of(platform.switches.begin(), platform.switches.end(),
                                     [&](const Switch& each) { return each.name == host; });
  return is_switch ? host + "-server" : host;
}

// The node of this host; a new one at the first switch, with a link like the others, where it is none of ours.
std::uint32_t node_of(const MountCells& of, const std::string& host, const ServersFit& fit) {
  Platform& platform = of.into.platform;
  const std::string name = node_name(platform, host);
  const auto found =
      std::find_if(platform.nodes.begin(), platform.nodes.end(), [&](const Node& node) { return node.name == name; });
  if (found != platform.nodes.end()) return static_cast<std::uint32_t>(found - platform.nodes.begin());
  const auto number = static_cast<std::uint32_t>(platform.nodes.size());
  // Switches are numbered behind the nodes.
  for (Edge& edge : platform.edges)
    for (std::uint32_t* end : {&edge.from, &edge.to})
      if (*end >= number) ++*end;
  Node node;
  node.name = name;
  if (!platform.nodes.empty()) {
    node.memory_rate = memory_of(platform);
    node.interface_rate = platform.nodes.front().interface_rate;
  }
  platform.nodes.push_back(std::move(node));
  Edge edge;
  if (!platform.edges.empty()) edge = platform.edges.front();
  edge.name = fmt::format("{}-link", host);
  edge.from = number;
  edge.to = number + 1;
  const double best = std::max(fit.read, fit.write);
  if (static_cast<double>(edge.rate.value.count) < best)
    edge.rate = parameter(BytesPerSecond{static_cast<std::uint64_t>(std::llround(best))}, fit.read_spread,
                          "at least what the server delivers");
  const bool link_limits = best > kLinkLimits * static_cast<double>(edge.rate.value.count);
  note(of,
       fmt::format("server {} is joined to {} by a link like {}'s; {}", host, platform.switches.front().name,
                   platform.edges.empty() ? "no other" : platform.edges.front().name,
                   is_assumed(edge.rate.source) ? "whether it or the way to it limits what it delivers was not measured"
                   : link_limits ? "what it delivers is what that link carries, so that its disk may be faster"
                                 : "it delivers less than that link carries, so its disk or CPU limits it"));
  platform.edges.push_back(std::move(edge));
  return number;
}

std::string without_blanks(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
  return name;
}

// B/s of the cable of a node that has one, as it was measured; 0: that is not known.
double cable_of(const Platform& platform, std::uint32_t node) {
  const Edge* cable = nullptr;
  for (const Edge& edge : platform.edges) {
    if (edge.from != node && edge.to != node) continue;
    if (cable != nullptr) return 0;
    cable = &edge;
  }
  return cable == nullptr || is_assumed(cable->rate.source) ? 0 : static_cast<double>(cable->rate.value.count);
}

// What a device does, from what its server delivers through the cable. In the model data crosses the device and then
// the cable; where the cable alone explains the rate, the device must not take as long again.
Parameter<BytesPerSecond> device_rate(double rate, double spread, const std::string& from, double cable) {
  constexpr double kTimes = 1000;
  if (cable > 0 && rate > kLinkLimits * cable)
    return parameter(
        BytesPerSecond{static_cast<std::uint64_t>(std::llround(kTimes * cable))}, 0,
        "not seen: its server delivers what its cable carries; 1000 times that, so that it decides nothing");
  return parameter(BytesPerSecond{static_cast<std::uint64_t>(std::llround(rate))}, spread, from);
}

// Every server has what servers of its class have: one that is slower is a finding.
Server server_of(const MountCells& of, const ServerRates& rates, const ServersFit& fit) {
  Server server;
  server.name = free_server_name(of.into.platform, without_blanks(rates.name));
  server.node = node_of(of, rates.name.substr(0, rates.name.find(':')), fit);
  server.cache.policy = CachePolicy::kWriteBehind;
  Flash& flash = server.device.flash.emplace();
  const std::string from = fmt::format("{}: storage_calls, {} servers, {} accesses, median of the servers", of.source,
                                       fit.servers.size(), fit.samples);
  const double write = fit.write > 0 ? fit.write : fit.read, read = fit.read > 0 ? fit.read : fit.write;
  flash.read_latency = flash.write_latency = parameter(Duration{}, 0, "part of the calls of the client");
  const double cable = cable_of(of.into.platform, server.node);
  flash.write_rate = device_rate(write, fit.write_spread, from, cable);
  flash.read_rate = device_rate(read, fit.read_spread, from, cable);
  return server;
}

// From a client to a server at the first switch, and back; nothing of the software of either.
Duration way_and_back(const Platform& platform) {
  return platform.edges.empty() ? Duration{} : platform.edges.front().latency.value * 4;
}

// Where buffered calls are no faster than the servers, clients have no cache: each call was one of a server. The model
// has the way there and back and what the server does, so that the client's part is what is left of each size.
void client_part(const MountCells& of, FileSystem& file_system, Access kind) {
  constexpr double kCacheIsFaster = 2;
  const bool writes = kind == Access::kWrite;
  AccessCost& cost = writes ? file_system.cached_write : file_system.cached_read;
  const ServersFit fit = fit_servers(of.calls);
  const double server_rate = writes ? fit.write : fit.read;
  if (server_rate <= 0 || static_cast<double>(cost.rate.value.count) > kCacheIsFaster * server_rate) return;
  const Platform& platform = of.into.platform;
  const auto number = static_cast<std::uint32_t>(&file_system - platform.file_systems.data());
  std::vector<RestPoint> rest;
  for (const Point& point : times_alone(of, writes ? bench::kCachedWrite : bench::kCachedRead)) {
    const Bytes size{static_cast<std::uint64_t>(point.size)};
    const double way = storage::time_alone(platform, number, kind, size).seconds() * 1e9;
    rest.push_back({point.size, point.value - way, point.value});
  }
  const Parameter<BytesPerSecond> memory = memory_of(platform);
  const double copy = memory.value.count > 0 ? 1e9 / static_cast<double>(memory.value.count) : 0;
  const Line line = fit_rest(rest, {0, copy});
  cost.call.value = duration_from_seconds(line.intercept * 1e-9);
  cost.call.source += ", less the way to a server and back";
  if (line.slope <= copy)
    cost.rate = memory;
  else
    cost.rate.value = BytesPerSecond{static_cast<std::uint64_t>(std::llround(1e9 / line.slope))};
  note(of, fmt::format("buffered {} is no faster than the servers are: clients have no cache",
                       writes ? "writing" : "reading"));
}

// Where each file is on one brick, GlusterFS tells by the name which one it is.
void place_files(const MountCells& of, Distribution& distribution) {
  if (word(*of.calls.front(), kStripesBy) != kGluster || distribution.stripe_count != 1) return;
  distribution.placement = FilePlacement::kGlusterHash;
  if (distribution.servers.size() > 1)
    note(of, "files are placed by GlusterFS's hash of their names, with its bricks in the order of their names");
}

void metadata_costs(const MountCells& of, FileSystem& file_system) {
  const auto cost = [&](const std::string& call) {
    const Cells all = select(of.metadata, [&](const bench::Cell& cell) {
      return word(cell, kCall) == call && word(cell, kWhere) == kShared;
    });
    return fit_metadata(all);
  };
  const auto told = [&](const std::string& call, const MetadataFit& fit) {
    return parameter(duration_from_seconds(fit.server_s), fit.spread,
                     fmt::format("{}: {} of 1, 2, 4 ... clients, {} calls, slope", of.source, call, fit.samples));
  };
  const auto create = cost(kCreate), open = cost(kOpenExisting), stat = cost(kStat),
             close = cost(std::string(bench::kClose));
  if (!create || !open || !stat || create->server_s <= 0) {
    note(of,
         "what the metadata server takes was not told apart from what the client does: it needs clients of several "
         "numbers in one directory");
    return;
  }
  Distribution& distribution = file_system.distribution;
  distribution.metadata = distribution.servers.front();
  distribution.create = told(kCreate, *create);
  distribution.lookup = told(kOpenExisting, *open);
  distribution.stat = told(kStat, *stat);
  if (close) distribution.close = told(std::string(bench::kClose), *close);
  const auto client = [&](const MetadataFit& fit, const Parameter<Duration>& was) {
    const Duration rest = duration_from_seconds(fit.alone_s) - way_and_back(of.into.platform);
    return parameter(std::max(Duration{}, rest), fit.spread,
                     was.source + ", intercept over clients, less the way to a server and back");
  };
  file_system.open = client(*open, file_system.open);
  if (close) file_system.close = client(*close, file_system.close);
  note(of, "its metadata is put on the first server: which one has it is not told");
}

}  // namespace

bool add_servers(const MountCells& of, FileSystem& file_system) {
  const ServersFit fit = fit_servers(of.calls);
  if (fit.servers.empty()) return false;
  const Platform& platform = of.into.platform;
  if (!model_of(platform).has_components || platform.switches.empty() || !platform.fabrics.empty()) {
    note(of, fmt::format(
                 "its {} servers are not in the platform: they need a network with a switch of its own to be joined to",
                 fit.servers.size()));
    return true;
  }
  Distribution& distribution = file_system.distribution;
  for (const ServerRates& rates : fit.servers) {
    distribution.servers.push_back(static_cast<std::uint32_t>(of.into.platform.servers.size()));
    of.into.platform.servers.push_back(server_of(of, rates, fit));
  }
  const bench::Cell& any = *of.calls.front();
  distribution.stripe =
      Bytes{static_cast<std::uint64_t>(number(any, kStripe, static_cast<double>(distribution.stripe.count)))};
  distribution.stripe_count =
      static_cast<std::uint32_t>(std::min(number(any, kStripeCount, 1), static_cast<double>(fit.servers.size())));
  place_files(of, distribution);
  client_part(of, file_system, Access::kWrite);
  client_part(of, file_system, Access::kRead);
  metadata_costs(of, file_system);
  leave_devices(file_system);
  if (fit.scaling > 0)
    note(of,
         fmt::format("all {} servers together deliver {:.2f} times what one does: {}", fit.servers.size(), fit.scaling,
                     fit.scaling > 0.8 * static_cast<double>(fit.servers.size())
                         ? "each is limited by itself"
                         : "the clients or what the servers share is part of the limit"));
  return true;
}

}  // namespace plumbline::hw::calibration
