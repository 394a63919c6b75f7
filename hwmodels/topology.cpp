#include "hwmodels/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace plumbline::hw {
namespace {

std::uint64_t pair_key(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

}  // namespace

Topology::Topology(const Platform& platform) : nodes_(static_cast<std::uint32_t>(platform.nodes.size())) {
  for (const Node& node : platform.nodes) {
    components_.push_back({node.interface_rate.value, {}, node.name + " interface"});
    components_.push_back({node.memory_rate.value, {}, node.name + " memory"});
  }
  for (const Switch& device : platform.switches) components_.push_back({device.rate.value, {}, device.name});
  hops_.resize(platform.nodes.size() + platform.switches.size());
  for (const Edge& edge : platform.edges) {
    PLUMBLINE_CHECK(edge.from < hops_.size() && edge.to < hops_.size(), "an edge ends at a vertex of the platform");
    const ComponentId there = static_cast<ComponentId>(components_.size());
    components_.push_back({edge.rate.value, edge.latency.value, edge.name + " >"});
    components_.push_back({edge.rate.value, edge.latency.value, edge.name + " <"});
    hops_[edge.from].push_back({edge.to, there});
    hops_[edge.to].push_back({edge.from, there + 1});
  }
  reached_.resize(hops_.size());
}

Topology::Topology(std::vector<Component> components, std::vector<Route> routes) : components_(std::move(components)) {
  for (Route& route : routes) {
    PLUMBLINE_CHECK(!route.components.empty(), "a route has a component");
    for (const ComponentId id : route.components)
      PLUMBLINE_CHECK(id < components_.size(), "a route made by hand names a component that is not there");
    routes_[pair_key(route.source, route.target)] = std::move(route.components);
  }
}

std::span<const ComponentId> Topology::route(std::uint32_t source, std::uint32_t target) {
  const auto known = routes_.find(pair_key(source, target));
  if (known != routes_.end()) return known->second;
  std::vector<ComponentId> found = find_route(source, target);
  if (found.empty())
    throw Error("", fmt::format("there is no way from node '{}' to node '{}'", node_name(source), node_name(target)),
                "add edges to the platform");
  return routes_.emplace(pair_key(source, target), std::move(found)).first->second;
}

// Breadth first, one layer after the other, until the layer that holds the target is complete.
std::vector<ComponentId> Topology::find_route(std::uint32_t source, std::uint32_t target) {
  if (source >= nodes_ || target >= nodes_) return {};
  if (source == target) return {source * 2 + 1};
  ++search_;
  reached_[source] = {search_, 0, {}, source, 0};
  layer_.assign(1, source);
  while (!layer_.empty() && reached_[target].search != search_) {
    next_layer_.clear();
    for (const std::uint32_t vertex : layer_) expand(vertex);
    layer_.swap(next_layer_);
  }
  if (reached_[target].search != search_) return {};
  std::vector<ComponentId> route{component_of_vertex(target)};
  for (std::uint32_t vertex = target; vertex != source; vertex = reached_[vertex].from) {
    route.push_back(reached_[vertex].edge);
    route.push_back(component_of_vertex(reached_[vertex].from));
  }
  std::reverse(route.begin(), route.end());
  return route;
}

void Topology::expand(std::uint32_t vertex) {
  const Reached here = reached_[vertex];
  for (const Hop& hop : hops_[vertex]) {
    const Reached way{search_, here.hops + 1, here.latency + components_[hop.edge].latency, vertex, hop.edge};
    Reached& there = reached_[hop.to];
    if (there.search != search_) {
      there = way;
      next_layer_.push_back(hop.to);
    } else if (std::tie(way.hops, way.latency, way.edge) < std::tie(there.hops, there.latency, there.edge)) {
      there = way;
    }
  }
}

ComponentId Topology::component_of_vertex(std::uint32_t vertex) const {
  return vertex < nodes_ ? vertex * 2 : nodes_ * 2 + (vertex - nodes_);
}

std::string Topology::node_name(std::uint32_t node) const {
  if (node >= nodes_) return fmt::format("{}", node);
  const std::string& interface = components_[node * 2].name;
  return interface.substr(0, interface.rfind(' '));
}

Duration idle_time(const Topology& topology, std::span<const ComponentId> route, Bytes size, const Packets& packets) {
  const std::uint64_t full = packets.granularity.count;
  const std::uint64_t count = size.count == 0 ? 1 : (size.count - 1) / full + 1;
  const Bytes first = Bytes{std::min(size.count, full)} + packets.header;
  const Bytes last = count == 1 ? first : Bytes{size.count - (count - 1) * full};
  Duration after;  // of the last packet, behind the component in hand
  for (const ComponentId id : route) {
    const Component& component = topology.components()[id];
    after += transfer_time(last, component.rate);
  }
  Duration before, best, latency;
  for (const ComponentId id : route) {
    const Component& component = topology.components()[id];
    after -= transfer_time(last, component.rate);
    Duration all = transfer_time(first, component.rate);
    if (count > 1) {
      const Duration whole = transfer_time({full}, component.rate);
      all += whole * static_cast<std::int64_t>(count - 2) + transfer_time(last, component.rate);
    }
    best = std::max(best, before + all + after);
    before += transfer_time(first, component.rate);
    if (id != route.back()) latency += component.latency;
  }
  return best + latency;
}

}  // namespace plumbline::hw
