#include "replay/mpi/window_rules.hpp"

#include <algorithm>

namespace plumbline::replay::mpi {

// osc/rdma asks for an interface that reads, writes and adds without the target's CPU, which TCP has not; inside a node
// the origin's CPU is one (vader).
WindowWay way_of(std::string_view library, std::span<const std::uint32_t> nodes, const hw::Transports& transports) {
  if (!library.starts_with("Open MPI")) return WindowWay::kMessages;
  for (const std::uint32_t a : nodes.first(std::min<std::size_t>(nodes.size(), 1)))
    for (const std::uint32_t b : nodes)
      if (a != b && transports.of(a, b).progress != hw::Progress::kHardware) return WindowWay::kQueued;
  return WindowWay::kMemory;
}

Means means_of(WindowWay way, WindowKind window, OpKind kind, bool same_node, hw::Progress progress) {
  if (way == WindowWay::kMemory) return same_node ? Means::kDirect : Means::kInterface;
  if (way == WindowWay::kQueued) return Means::kAnswered;
  // Memory that the library has allocated is shared inside a node; in that of a dynamic window nobody knows his way.
  const bool shared = window == WindowKind::kAllocate || window == WindowKind::kShared;
  if (same_node) return shared ? Means::kDirect : Means::kAnswered;
  const bool mapped = window == WindowKind::kAllocate || window == WindowKind::kCreate;
  const bool only_moves = kind == OpKind::kRmaPut || kind == OpKind::kRmaGet;
  return mapped && only_moves && progress == hw::Progress::kHardware ? Means::kInterface : Means::kAnswered;
}

Means means_of_control(WindowWay way, bool same_node) {
  if (way != WindowWay::kMemory) return Means::kAnswered;
  return same_node ? Means::kDirect : Means::kInterface;
}

}  // namespace plumbline::replay::mpi
