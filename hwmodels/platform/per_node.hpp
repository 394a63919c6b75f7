#pragma once
// What a replay needs of every node, beside each other in memory, and kept once where all nodes are alike.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

template <class T>
class PerNode {
 public:
  template <class Of>
  PerNode(const std::vector<Node>& nodes, Of of) {
    const auto differs = [&](const Node& node) { return of(node) != of(nodes.front()); };
    const bool alike = std::none_of(nodes.begin(), nodes.end(), differs);
    const std::size_t kept = alike ? std::min<std::size_t>(nodes.size(), 1) : nodes.size();
    values_.reserve(kept);
    for (std::size_t node = 0; node < kept; ++node) values_.push_back(of(nodes[node]));
  }

  const T& operator[](std::uint32_t node) const { return values_[values_.size() == 1 ? 0 : node]; }

 private:
  std::vector<T> values_;
};

}  // namespace plumbline::hw
