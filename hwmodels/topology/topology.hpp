#pragma once
// The network as components with a rate and a latency, and the route of each pair of endpoints through them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/topology/routes.hpp"

namespace plumbline::hw {

using ComponentId = std::uint32_t;

// Serves one packet at a time at `rate`; a served packet reaches the next component `latency` later.
struct Component {
  BytesPerSecond rate;
  Duration latency;
  std::string name;            // for messages: "n0 interface", "n0-s0 >", "s0"
  std::string_view kind = {};  // for reports: "interface", "memory", "socket", "socket link", "interconnect", "switch",
                               // "link"; of unlimited life
};

// A component as a route uses it: `rate` is the component's own, except in a socket between two of its own ranks.
struct Hop {
  ComponentId component = 0;
  BytesPerSecond rate;
  bool first_cable = false;  // the way out of the source node

  bool operator==(const Hop&) const = default;
};

// A route made by hand.
struct Route {
  std::uint32_t source = 0, target = 0;  // endpoints
  // From the interface of the source to that of the target, each once; of three or more the second is a cable.
  std::vector<ComponentId> components;
};

// Where the packets of a component come from.
enum class Feed : std::uint8_t {
  kEnd,       // it is the first or the last of some routes
  kMany,      // from several components
  kOne,       // from one component, whatever the route, which has no latency
  kOneLater,  // likewise, but it has one
  kWhole,     // it is the whole of one route and in no other
};

// Messages go from endpoint to endpoint. An endpoint is a socket of a node, or a whole node that has no sockets; they
// are numbered node by node, so on a platform without sockets endpoints and nodes have the same numbers.
class Topology {
 public:
  // Components of a platform, in this order:
  //   per node    its interface, then its memory; or with sockets, of each in turn the socket, the link out of it, the
  //               link into it, and at last the interconnect
  //   per switch  one
  //   per edge    its way from `from` to `to` and its way back; one for both when it is half-duplex
  // Routes:
  //   one socket           the socket, at its local rate; without sockets the memory of the node
  //   two of one node      socket, link, interconnect, link, socket
  //   two nodes            the same as far as the interconnect where there are sockets, interface, edges with what lies
  //                        between them (switches, interfaces of other nodes), interface, and so in again
  // Between nodes: the fixed route when there is one; computed when both are members of one fabric (the first one that
  // holds both); else the way with the fewest edges, of those the one with the least latency, of those the one that
  // comes last through the edge of the lowest component.
  explicit Topology(const Platform& platform);

  // Components and routes made by hand. Routes are not made up: a pair that has none is an Error when it is asked for.
  Topology(std::vector<Component> components, std::vector<Route> routes);

  std::span<const Component> components() const { return components_; }
  Feed feed(ComponentId component) const { return feeds_[component]; }
  bool leaves_node(ComponentId component) const { return leaves_node_[component]; }  // may be a first cable

  std::uint32_t endpoints() const { return static_cast<std::uint32_t>(places_.size()); }  // 0 when made by hand
  std::uint32_t endpoint(std::uint32_t node, std::uint32_t socket) const {
    return nodes_[node].first_endpoint + socket;
  }
  std::uint32_t node_of(std::uint32_t endpoint) const { return places_[endpoint].node; }

  // Of the rank that has this number among the ranks of a node (socket_of_core()).
  std::uint32_t endpoint_of_rank(std::uint32_t node, std::uint32_t number_on_node) const;

  // Found at the first call for a pair, then looked up; valid as long as the topology. Throws Error when there is none.
  std::span<const ComponentId> route(std::uint32_t source, std::uint32_t target);

  // The same with rates; found anew by each call, for whoever keeps what it needs of it, and valid until the next one.
  std::span<const Hop> hops(std::uint32_t source, std::uint32_t target);

 private:
  struct NodeParts {
    std::string name;
    ComponentId interface = 0;  // its memory or its first socket is behind it
    std::uint32_t first_endpoint = 0, sockets = 0;
    std::uint32_t cores = 1;
    BytesPerSecond local_rate;
  };
  struct Place {
    std::uint32_t node = 0, socket = 0;
  };

  void add_node(const Node& node);
  void add(BytesPerSecond rate, Duration latency, const std::string& name, const char* kind, Feed feed);
  ComponentId socket_of(const Place& place) const { return nodes_[place.node].interface + 1 + 3 * place.socket; }
  ComponentId interconnect_of(std::uint32_t node) const {
    return nodes_[node].interface + 1 + 3 * nodes_[node].sockets;
  }
  void append(ComponentId component) { hops_.push_back({component, components_[component].rate}); }
  void append_made_by_hand(const std::vector<ComponentId>& route);
  void append_way_out(const Place& place);
  void append_way_in(const Place& place);
  void append_way_between(std::uint32_t source, std::uint32_t target);
  ComponentId component_of_vertex(std::uint32_t vertex) const;
  std::string name_of(std::uint32_t endpoint) const;

  std::vector<Component> components_;
  std::vector<Feed> feeds_;        // of the components
  std::vector<bool> leaves_node_;  // likewise
  std::vector<NodeParts> nodes_;
  std::vector<Place> places_;  // by endpoint
  ComponentId first_switch_ = 0;
  std::vector<std::pair<ComponentId, ComponentId>> edges_;  // there and back
  std::vector<std::uint32_t> edge_ends_;                    // `to` of each
  Routes ways_;
  std::unordered_map<std::uint64_t, std::vector<ComponentId>> routes_;  // by source << 32 | target; never iterated
  std::vector<Hop> hops_;                                               // of the last call
  std::vector<Step> way_;                                               // scratch
};

// The least time in which `size` bytes can cross a route that nobody else uses: the largest, over the components, of
// first packet up to it + all packets in it + last packet after it (docs/models/network-store-and-forward.md). Exact
// for one packet.
Duration idle_time(const Topology& topology, std::span<const Hop> hops, Bytes size, const Packets& packets);
Duration idle_time(const Topology& topology, std::span<const ComponentId> route, Bytes size, const Packets& packets);

}  // namespace plumbline::hw
