#include "replay/mpi/window_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace plumbline::replay::mpi {
namespace {

// Two nodes of each class where there are as many, which have all the transports that all of them have.
std::vector<std::uint32_t> of_each_class(std::span<const std::uint32_t> nodes, const hw::Transports& transports) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_class;
  for (const std::uint32_t node : nodes) by_class.emplace_back(transports.class_of(node), node);
  std::ranges::sort(by_class);
  const auto again = std::ranges::unique(by_class);
  by_class.erase(again.begin(), again.end());
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < by_class.size(); ++i)
    if (i < 2 || by_class[i - 2].first != by_class[i].first) chosen.push_back(by_class[i].second);
  return chosen;
}

}  // namespace

// osc/rdma asks for an interface that reads, writes and adds without the target's CPU, which TCP has not; inside a node
// the origin's CPU is one (vader).
WindowWay way_of(std::string_view library, std::string_view osc, std::span<const std::uint32_t> nodes,
                 const hw::Transports& transports) {
  if (!library.starts_with("Open MPI")) return WindowWay::kMessages;
  if (osc == "pt2pt") return WindowWay::kQueued;
  const std::vector<std::uint32_t> chosen = of_each_class(nodes, transports);
  for (const std::uint32_t a : chosen)
    for (const std::uint32_t b : chosen)
      if (a != b && transports.of(a, b).progress != hw::Progress::kHardware) return WindowWay::kQueued;
  return WindowWay::kMemory;
}

bool uses_atomics(OpKind kind, std::uint64_t bytes) {
  constexpr std::uint64_t kMostElements = 32, kElement = 8;  // osc_rdma_network_max_amo; of a double
  return (kind == OpKind::kRmaAccumulate || kind == OpKind::kRmaFetch) && bytes <= kMostElements * kElement;
}

Means means_of(WindowWay way, const TransferFacts& facts) {
  switch (way) {
    case WindowWay::kMemory: {
      if (!facts.same_node) return Means::kInterface;
      // Atomics are vader's, which asks the target to carry them out, unless MPI has made the memory.
      const bool by_mpi = facts.window == WindowKind::kAllocate || facts.window == WindowKind::kShared;
      return !by_mpi && uses_atomics(facts.kind, facts.bytes) ? Means::kAnswered : Means::kDirect;
    }
    case WindowWay::kQueued:
      return Means::kAnswered;
    case WindowWay::kMessages:
      break;
  }
  // In memory that UCX does not know, and to combine, an active message is needed.
  const bool mapped = facts.window == WindowKind::kAllocate || facts.window == WindowKind::kCreate;
  const bool only_moves = facts.kind == OpKind::kRmaPut || facts.kind == OpKind::kRmaGet;
  return mapped && only_moves && facts.progress == hw::Progress::kHardware ? Means::kInterface : Means::kAnswered;
}

Means means_of_control(WindowWay way, bool same_node) {
  if (way != WindowWay::kMemory) return Means::kAnswered;
  return same_node ? Means::kDirect : Means::kInterface;
}

}  // namespace plumbline::replay::mpi
