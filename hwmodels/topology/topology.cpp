#include "hwmodels/topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"

namespace plumbline::hw {
namespace {

std::uint64_t pair_key(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

void mark_whole_routes(std::span<const Route> routes, std::vector<Feed>& feeds) {
  std::vector<std::uint32_t> passing(feeds.size());
  for (const Route& route : routes)
    for (const ComponentId each : route.components) ++passing[each];
  for (const Route& route : routes)
    if (route.components.size() == 1 && passing[route.components.front()] == 1)
      feeds[route.components.front()] = Feed::kWhole;
}

// Of components that no route uses: kMany.
std::vector<Feed> feeds_of(std::span<const Component> components, std::span<const Route> routes) {
  std::vector<Feed> feeds(components.size(), Feed::kMany);
  std::vector<std::optional<ComponentId>> before(components.size());
  for (const Route& route : routes) {
    feeds[route.components.front()] = feeds[route.components.back()] = Feed::kEnd;
    for (std::size_t i = 1; i + 1 < route.components.size(); ++i) {
      const ComponentId here = route.components[i];
      if (feeds[here] == Feed::kEnd) continue;
      const ComponentId last = route.components[i - 1];
      if (!before[here]) feeds[here] = components[last].latency == Duration{} ? Feed::kOne : Feed::kOneLater;
      if (before[here].value_or(last) != last) feeds[here] = Feed::kMany;
      before[here] = last;
    }
  }
  mark_whole_routes(routes, feeds);
  return feeds;
}

}  // namespace

Topology::Topology(const Platform& platform) : ways_(platform) {
  for (const Node& node : platform.nodes) add_node(node);
  first_switch_ = static_cast<ComponentId>(components_.size());
  for (const Switch& device : platform.switches) add(device.rate.value, {}, device.name, "switch", Feed::kMany);
  for (const Edge& edge : platform.edges) {
    const ComponentId there = static_cast<ComponentId>(components_.size());
    const auto add_way = [&](const char* direction, Feed feed) {
      add(edge.rate.value, edge.latency.value, edge.name + direction, "link", feed);
    };
    if (edge.half_duplex) {
      add_way(" <>", Feed::kMany);
    } else {
      add_way(" >", Feed::kOne);
      add_way(" <", Feed::kOne);
    }
    edges_.emplace_back(there, edge.half_duplex ? there : there + 1);
    edge_ends_.push_back(edge.to);
    if (edge.from < nodes_.size()) leaves_node_[edges_.back().first] = true;
    if (edge.to < nodes_.size()) leaves_node_[edges_.back().second] = true;
  }
}

void Topology::add(BytesPerSecond rate, Duration latency, const std::string& name, const char* kind, Feed feed) {
  components_.push_back({rate, latency, name, kind});
  feeds_.push_back(feed);
  leaves_node_.push_back(false);
}

void Topology::add_node(const Node& node) {
  NodeParts parts;
  parts.name = node.name;
  parts.interface = static_cast<ComponentId>(components_.size());
  parts.first_endpoint = endpoints();
  parts.cores = node.cores;
  parts.sockets = node.sockets ? node.sockets->count : 0;
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  add(node.interface_rate.value, {}, node.name + " interface", "interface", node.sockets ? Feed::kMany : Feed::kEnd);
  if (!node.sockets) {
    add(node.memory_rate.value, {}, node.name + " memory", "memory", Feed::kWhole);
    places_.push_back({number, 0});
  } else {
    const Sockets& sockets = *node.sockets;
    parts.local_rate = sockets.local_rate.value;
    for (std::uint32_t i = 0; i < sockets.count; ++i) {
      const std::string name = fmt::format("{} socket {}", node.name, i);
      add(sockets.rate.value, {}, name, "socket", Feed::kEnd);
      add(sockets.link_rate.value, sockets.latency.value, name + " >", "socket link", Feed::kOne);
      add(sockets.link_rate.value, sockets.latency.value, name + " <", "socket link", Feed::kOne);
      places_.push_back({number, i});
    }
    add(sockets.interconnect_rate.value, {}, node.name + " interconnect", "interconnect", Feed::kMany);
  }
  nodes_.push_back(std::move(parts));
}

Topology::Topology(std::vector<Component> components, std::vector<Route> routes) : components_(std::move(components)) {
  for (const Route& route : routes) {
    PLUMBLINE_CHECK(!route.components.empty(), "a route has a component");
    for (const ComponentId id : route.components)
      PLUMBLINE_CHECK(id < components_.size(), "a route made by hand names a component that is not there");
  }
  feeds_ = feeds_of(components_, routes);
  leaves_node_.resize(components_.size());
  for (const Route& route : routes)
    if (route.components.size() > 2) leaves_node_[route.components[1]] = true;
  for (Route& route : routes) routes_[pair_key(route.source, route.target)] = std::move(route.components);
}

std::uint32_t Topology::endpoint_of_rank(std::uint32_t node, std::uint32_t number_on_node) const {
  const NodeParts& parts = nodes_[node];
  return endpoint(node, parts.sockets == 0 ? 0 : socket_of_core(parts.sockets, parts.cores, number_on_node));
}

std::span<const ComponentId> Topology::route(std::uint32_t source, std::uint32_t target) {
  const auto known = routes_.find(pair_key(source, target));
  if (known != routes_.end()) return known->second;
  std::vector<ComponentId> found;
  for (const Hop& hop : hops(source, target)) found.push_back(hop.component);
  return routes_.emplace(pair_key(source, target), std::move(found)).first->second;
}

std::span<const Hop> Topology::hops(std::uint32_t source, std::uint32_t target) {
  hops_.clear();
  if (places_.empty()) {  // made by hand
    const auto known = routes_.find(pair_key(source, target));
    if (known != routes_.end()) append_made_by_hand(known->second);
  } else if (source < endpoints() && target < endpoints()) {
    const Place from = places_[source], to = places_[target];
    const NodeParts& node = nodes_[from.node];
    if (source == target) {
      append(node.interface + 1 + 3 * from.socket);
      if (node.sockets > 0) hops_.back().rate = node.local_rate;
    } else if (from.node == to.node) {
      append_way_out(from);
      append_way_in(to);
    } else if (ways_.find(from.node, to.node, way_)) {
      append_way_out(from);
      append_way_between(from.node, to.node);
      append_way_in(to);
    }
  }
  if (!hops_.empty()) return hops_;
  throw Error("", fmt::format("there is no way from node '{}' to node '{}'", name_of(source), name_of(target)),
              "add edges to the platform");
}

void Topology::append_made_by_hand(const std::vector<ComponentId>& route) {
  for (const ComponentId component : route) append(component);
  if (hops_.size() > 2) hops_[1].first_cable = true;
}

// From the rank to the interconnect; the way in leaves that out when the way out has passed it.
void Topology::append_way_out(const Place& place) {
  if (nodes_[place.node].sockets == 0) return;
  const ComponentId socket = socket_of(place);
  append(socket);
  append(socket + 1);
  append(interconnect_of(place.node));
}

void Topology::append_way_in(const Place& place) {
  if (nodes_[place.node].sockets == 0) return;
  const ComponentId socket = socket_of(place), interconnect = interconnect_of(place.node);
  if (hops_.back().component != interconnect) append(interconnect);
  append(socket + 2);
  append(socket);
}

// From interface to interface.
void Topology::append_way_between(std::uint32_t source, std::uint32_t target) {
  append(nodes_[source].interface);
  const std::size_t first = hops_.size();
  for (const Step& step : way_) {
    const auto [there, back] = edges_[step.edge];
    append(edge_ends_[step.edge] == step.to ? there : back);
    append(component_of_vertex(step.to));
  }
  hops_[first].first_cable = true;
  PLUMBLINE_CHECK(way_.back().to == target, "a way leads to its target");
}

ComponentId Topology::component_of_vertex(std::uint32_t vertex) const {
  if (vertex < nodes_.size()) return nodes_[vertex].interface;
  return first_switch_ + (vertex - static_cast<std::uint32_t>(nodes_.size()));
}

std::string Topology::name_of(std::uint32_t endpoint) const {
  return endpoint < endpoints() ? nodes_[places_[endpoint].node].name : fmt::format("{}", endpoint);
}

Duration idle_time(const Topology& topology, std::span<const Hop> hops, Bytes size, const Packets& packets) {
  const std::uint64_t full = packets.granularity.count;
  const std::uint64_t count = size.count == 0 ? 1 : (size.count - 1) / full + 1;
  const Bytes first = Bytes{std::min(size.count, full)} + packets.header;
  const Bytes last = count == 1 ? first : Bytes{size.count - (count - 1) * full};
  Duration after;  // of the last packet, behind the component in hand
  for (const Hop& hop : hops) after += transfer_time(last, hop.rate);
  Duration before, best, latency;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    after -= transfer_time(last, hops[i].rate);
    Duration all = transfer_time(first, hops[i].rate);
    if (count > 1) {
      const Duration whole = transfer_time({full}, hops[i].rate);
      all += whole * static_cast<std::int64_t>(count - 2) + transfer_time(last, hops[i].rate);
    }
    best = std::max(best, before + all + after);
    before += transfer_time(first, hops[i].rate);
    if (i + 1 < hops.size()) latency += topology.components()[hops[i].component].latency;
  }
  return best + latency;
}

Duration idle_time(const Topology& topology, std::span<const ComponentId> route, Bytes size, const Packets& packets) {
  std::vector<Hop> hops;
  for (const ComponentId component : route) hops.push_back({component, topology.components()[component].rate});
  return idle_time(topology, hops, size, packets);
}

}  // namespace plumbline::hw
