#pragma once
// Ways through the graph of a platform, from node to node, as edges: fixed, computed from the shape of a fabric, or
// searched. Nothing is found before it is asked for; of what was searched only ways between switches are kept, which
// nodes on one cable share.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "hwmodels/platform/fabric_shape.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

class Routes {
 public:
  Routes() = default;
  explicit Routes(const Platform& platform);

  // The way between two different nodes: edges and vertices of the platform (nodes first, then switches). False when
  // there is none.
  bool find(std::uint32_t source, std::uint32_t target, std::vector<Step>& way);

 private:
  struct Joined {
    std::uint32_t to;  // vertex
    std::uint32_t edge;
  };
  struct Reached {
    std::uint32_t search = 0;  // in which search the rest was set
    std::uint32_t hops = 0;
    Duration latency;
    std::uint32_t from = 0;
    std::uint32_t edge = 0;
  };
  struct Shaped {
    Fabric fabric;
    std::shared_ptr<const FabricShape> shape;
  };

  const Shaped* fabric_of(std::uint32_t source, std::uint32_t target) const;
  void compute(const Shaped& shaped, std::uint32_t source, std::uint32_t target, std::vector<Step>& way) const;
  bool search(std::uint32_t source, std::uint32_t target, std::vector<Step>& way);
  bool search_between_leaves(std::uint32_t source, std::uint32_t target, std::vector<Step>& way);
  bool search_graph(std::uint32_t source, std::uint32_t target, std::vector<Step>& way);
  void expand(std::uint32_t vertex);

  std::uint32_t nodes_ = 0;
  std::vector<Shaped> fabrics_;
  std::unordered_map<std::uint64_t, std::vector<Step>> fixed_;   // by source << 32 | target; never iterated
  std::unordered_map<std::uint64_t, std::vector<Step>> trunks_;  // found between ends of cables to nodes; as fixed_
  std::vector<std::vector<Joined>> joined_;                      // per vertex, in order of edges
  std::vector<Duration> latencies_;                              // per edge
  std::vector<Reached> reached_;                                 // scratch of search_graph
  std::vector<std::uint32_t> layer_, next_layer_;
  std::uint32_t search_ = 0;
};

}  // namespace plumbline::hw
