#pragma once
// The transport of each pair of nodes, by one look into a small table: for every message of a replay.

#include <cstdint>
#include <vector>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// Numbers of transports: 0 inside a node, 1 between nodes, 2 + i the i-th of Platform::pairs.
class Transports {
 public:
  explicit Transports(const Platform& platform);

  std::uint32_t number(std::uint32_t node, std::uint32_t other) const {
    if (node == other) return 0;
    return classes_.empty() ? 1 : of_classes_[classes_[node] * class_count_ + classes_[other]];
  }

  // Two nodes of a class have the same transport to any third one.
  std::uint32_t class_of(std::uint32_t node) const { return classes_.empty() ? 0 : classes_[node]; }

  std::uint32_t count() const { return static_cast<std::uint32_t>(transports_.size()); }
  const Transport& operator[](std::uint32_t number) const { return transports_[number]; }
  const Transport& of(std::uint32_t node, std::uint32_t other) const { return transports_[number(node, other)]; }

 private:
  std::vector<Transport> transports_;
  std::vector<std::uint32_t> classes_;  // per node; empty without pairs. Nodes of a class are in the same ranges
  std::uint32_t class_count_ = 0;
  std::vector<std::uint32_t> of_classes_;  // number of the transport, by class and class
};

}  // namespace plumbline::hw
