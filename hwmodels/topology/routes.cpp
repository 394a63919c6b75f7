#include "hwmodels/topology/routes.hpp"

#include <algorithm>
#include <tuple>

#include "base/check.hpp"
#include "hwmodels/platform/fabric_parts.hpp"

namespace plumbline::hw {
namespace {

std::uint64_t way_key(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

}  // namespace

Routes::Routes(const Platform& platform) : nodes_(static_cast<std::uint32_t>(platform.nodes.size())) {
  joined_.resize(platform.nodes.size() + platform.switches.size());
  reached_.resize(joined_.size());
  for (std::uint32_t i = 0; i < platform.edges.size(); ++i) {
    const Edge& edge = platform.edges[i];
    PLUMBLINE_CHECK(edge.from < joined_.size() && edge.to < joined_.size(), "an edge ends at a vertex of the platform");
    joined_[edge.from].push_back({edge.to, i});
    joined_[edge.to].push_back({edge.from, i});
    latencies_.push_back(edge.latency.value);
  }
  for (const Fabric& fabric : platform.fabrics) {
    PLUMBLINE_CHECK(fabric.first_edge + edges_of(fabric) <= platform.edges.size(), "the edges of a fabric are there");
    fabrics_.push_back({fabric, shape_of(fabric)});
  }
  for (const FixedRoute& route : platform.routes) {
    std::vector<Step> way;
    std::uint32_t here = route.from;
    for (const std::uint32_t edge : route.edges) {
      here = platform.edges[edge].from == here ? platform.edges[edge].to : platform.edges[edge].from;
      way.push_back({edge, here});
    }
    PLUMBLINE_CHECK(here == route.to, "a fixed route leads to its target");
    fixed_[way_key(route.from, route.to)] = std::move(way);
  }
}

bool Routes::find(std::uint32_t source, std::uint32_t target, std::vector<Step>& way) {
  way.clear();
  if (!fixed_.empty()) {
    const auto known = fixed_.find(way_key(source, target));
    if (known != fixed_.end()) {
      way = known->second;
      return true;
    }
  }
  if (const Shaped* shaped = fabric_of(source, target)) {
    compute(*shaped, source, target, way);
    return true;
  }
  return search(source, target, way);
}

const Routes::Shaped* Routes::fabric_of(std::uint32_t source, std::uint32_t target) const {
  for (const Shaped& shaped : fabrics_) {
    const std::uint32_t first = shaped.fabric.first_node, members = shaped.fabric.members;
    if (source - first < members && target - first < members) return &shaped;  // wraps below `first`
  }
  return nullptr;
}

void Routes::compute(const Shaped& shaped, std::uint32_t source, std::uint32_t target, std::vector<Step>& way) const {
  shaped.shape->append_way(source - shaped.fabric.first_node, target - shaped.fabric.first_node, way);
  for (Step& step : way) step = {shaped.fabric.first_edge + step.edge, vertex_of(shaped.fabric, nodes_, step.to)};
}

bool Routes::search(std::uint32_t source, std::uint32_t target, std::vector<Step>& way) {
  if (joined_[source].size() == 1 && joined_[target].size() == 1) return search_between_leaves(source, target, way);
  return search_graph(source, target, way);
}

// Two nodes on one cable each: no way passes a dead end, so between the far ends of these cables every pair of nodes
// has the same way.
bool Routes::search_between_leaves(std::uint32_t source, std::uint32_t target, std::vector<Step>& way) {
  const Joined first = joined_[source].front(), last = joined_[target].front();
  way.push_back({first.edge, first.to});
  if (first.to == target) return true;
  if (first.to != last.to) {
    const auto [trunk, is_new] = trunks_.try_emplace(way_key(first.to, last.to));
    if (is_new) search_graph(first.to, last.to, trunk->second);
    if (trunk->second.empty()) return false;
    way.insert(way.end(), trunk->second.begin(), trunk->second.end());
  }
  way.push_back({last.edge, target});
  return true;
}

// Breadth first, one layer after the other, until the layer that holds the target is complete.
bool Routes::search_graph(std::uint32_t source, std::uint32_t target, std::vector<Step>& way) {
  ++search_;
  reached_[source] = {search_, 0, {}, source, 0};
  layer_.assign(1, source);
  while (!layer_.empty() && reached_[target].search != search_) {
    next_layer_.clear();
    for (const std::uint32_t vertex : layer_) expand(vertex);
    layer_.swap(next_layer_);
  }
  if (reached_[target].search != search_) return false;
  for (std::uint32_t vertex = target; vertex != source; vertex = reached_[vertex].from)
    way.push_back({reached_[vertex].edge, vertex});
  std::reverse(way.begin(), way.end());
  return true;
}

void Routes::expand(std::uint32_t vertex) {
  const Reached here = reached_[vertex];
  for (const Joined& next : joined_[vertex]) {
    const Reached way{search_, here.hops + 1, here.latency + latencies_[next.edge], vertex, next.edge};
    Reached& there = reached_[next.to];
    if (there.search != search_) {
      there = way;
      next_layer_.push_back(next.to);
    } else if (std::tie(way.hops, way.latency, way.edge) < std::tie(there.hops, there.latency, there.edge)) {
      there = way;
    }
  }
}

}  // namespace plumbline::hw
