#pragma once
// The network as components with a rate and a latency, and the route of each pair of nodes through them.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform.hpp"

namespace plumbline::hw {

using ComponentId = std::uint32_t;

// Serves one packet at a time at `rate`; a served packet reaches the next component `latency` later.
struct Component {
  BytesPerSecond rate;
  Duration latency;
  std::string name;  // for messages: "n0 interface", "n0-s0 >", "s0"
};

// A route made by hand.
struct Route {
  std::uint32_t source = 0, target = 0;  // nodes
  std::vector<ComponentId> components;   // from the interface of the source to that of the target, each once
};

class Topology {
 public:
  // Components of a platform, in this order: per node its interface and its memory, per switch one, per edge its way
  // from `from` to `to` and its way back. The route inside a node is its memory alone. The route between nodes is the
  // one with the fewest edges, of those the one with the least latency, of those the one that comes last through the
  // edge of the lowest component.
  explicit Topology(const Platform& platform);

  // Components and routes made by hand. Routes are not made up: a pair that has none is an Error when it is asked for.
  Topology(std::vector<Component> components, std::vector<Route> routes);

  std::span<const Component> components() const { return components_; }

  // Found at the first call for a pair, then looked up; valid as long as the topology. Throws Error when there is none.
  std::span<const ComponentId> route(std::uint32_t source, std::uint32_t target);

 private:
  struct Hop {
    std::uint32_t to;  // vertex
    ComponentId edge;
  };
  struct Reached {
    std::uint32_t search = 0;  // in which search the rest was set
    std::uint32_t hops = 0;
    Duration latency;
    std::uint32_t from = 0;
    ComponentId edge = 0;
  };

  std::vector<ComponentId> find_route(std::uint32_t source, std::uint32_t target);
  void expand(std::uint32_t vertex);
  ComponentId component_of_vertex(std::uint32_t vertex) const;
  std::string node_name(std::uint32_t node) const;

  std::vector<Component> components_;
  std::uint32_t nodes_ = 0;                                             // 0 when made by hand
  std::vector<std::vector<Hop>> hops_;                                  // per vertex, in order of components
  std::unordered_map<std::uint64_t, std::vector<ComponentId>> routes_;  // by source << 32 | target; never iterated
  std::vector<Reached> reached_;                                        // scratch of find_route
  std::vector<std::uint32_t> layer_, next_layer_;
  std::uint32_t search_ = 0;
};

// The least time in which `size` bytes can cross a route that nobody else uses: the largest, over the components, of
// first packet up to it + all packets in it + last packet after it (docs/models.md). Exact for one packet.
Duration idle_time(const Topology& topology, std::span<const ComponentId> route, Bytes size, const Packets& packets);

}  // namespace plumbline::hw
