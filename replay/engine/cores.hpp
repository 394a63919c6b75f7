#pragma once
// Nodes with more ranks than cores: those of its ranks that compute share the cores of a node (processor sharing). With
// J of them on C cores each gets on at min(1, C/J) of its speed, as in PIOsimHD. Waiting in MPI takes no core.

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay {

class Cores {
 public:
  // `nodes`: of each rank. Its events have component numbers from `first_component` on, one per node.
  Cores(const hw::Platform& platform, std::span<const std::uint32_t> nodes, std::uint32_t first_component,
        sim::EventQueue& queue);

  bool any_shared() const { return !nodes_.empty(); }
  bool shared(std::uint32_t node) const { return !nodes_.empty() && nodes_[node].shared; }

  // A rank of the node begins to compute now, for as long as it would take alone.
  void begin(std::uint32_t node, std::uint32_t rank, Duration work);

  // Appends the ranks that have done what they began.
  void handle(const sim::Event& event, std::vector<std::uint32_t>& done);

 private:
  struct Task {
    Duration end;  // when each has got on so far
    std::uint32_t rank = 0;

    auto operator<=>(const Task&) const = default;
  };
  struct Node {
    std::int64_t cores = 1;
    bool shared = false;
    std::uint32_t version = 0;  // of the event that is valid
    Time since;
    Duration progress;        // how far each rank has got on until `since`, counted for ever
    std::vector<Task> tasks;  // a heap, the first to end in front
  };
  void advance(Node& node);
  void schedule(Node& node);

  std::uint32_t first_component_;
  sim::EventQueue& queue_;
  std::vector<Node> nodes_;  // empty: no node is shared
};

}  // namespace plumbline::replay
