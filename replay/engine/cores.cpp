#include "replay/engine/cores.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay {
namespace {

__extension__ using Wide = __int128;

}  // namespace

Cores::Cores(const hw::Platform& platform, std::span<const std::uint32_t> nodes, std::uint32_t first_component,
             sim::EventQueue& queue)
    : first_component_(first_component), queue_(queue) {
  std::vector<std::uint32_t> ranks(platform.nodes.size());
  for (const std::uint32_t node : nodes) ++ranks[node];
  bool any = false;
  for (std::size_t node = 0; node < ranks.size(); ++node) any = any || ranks[node] > platform.nodes[node].cores;
  if (!any) return;
  nodes_.resize(platform.nodes.size());
  for (std::size_t node = 0; node < ranks.size(); ++node) {
    nodes_[node].cores = std::max(platform.nodes[node].cores, 1U);
    nodes_[node].shared = ranks[node] > platform.nodes[node].cores;
  }
}

void Cores::begin(std::uint32_t index, std::uint32_t rank, Duration work) {
  Node& node = nodes_[index];
  advance(node);
  node.tasks.push_back({node.progress + work, rank});
  std::push_heap(node.tasks.begin(), node.tasks.end(), std::greater<>());
  schedule(node);
}

void Cores::handle(const sim::Event& event, std::vector<std::uint32_t>& done) {
  Node& node = nodes_[event.component - first_component_];
  if (event.packet != node.version) return;  // somebody began after it was made
  advance(node);
  while (!node.tasks.empty() && node.tasks.front().end <= node.progress) {
    done.push_back(node.tasks.front().rank);
    std::pop_heap(node.tasks.begin(), node.tasks.end(), std::greater<>());
    node.tasks.pop_back();
  }
  schedule(node);
}

// Rounded down; the event of the first to end is rounded up, so that it has ended then.
void Cores::advance(Node& node) {
  const std::int64_t passed = (queue_.now() - node.since).ps;
  const auto ranks = static_cast<std::int64_t>(node.tasks.size());
  node.since = queue_.now();
  if (ranks == 0) return;
  node.progress +=
      ranks <= node.cores ? Duration{passed} : Duration{static_cast<std::int64_t>(Wide{passed} * node.cores / ranks)};
}

void Cores::schedule(Node& node) {
  ++node.version;
  if (node.tasks.empty()) return;
  const std::int64_t left = (node.tasks.front().end - node.progress).ps;
  const auto ranks = static_cast<std::int64_t>(node.tasks.size());
  const std::int64_t wait =
      ranks <= node.cores ? left : static_cast<std::int64_t>((Wide{left} * ranks + node.cores - 1) / node.cores);
  queue_.push({node.since + Duration{wait}, first_component_ + static_cast<std::uint32_t>(&node - nodes_.data()), 0, 0,
               0, node.version, 0});
}

}  // namespace plumbline::replay
