#pragma once
// Where the processes of a model run.

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::replay::model {

// So many of them, one after the other, on each node.
struct Layout {
  struct Place {
    std::string node;
    std::uint32_t cores = 1;
  };
  std::vector<Place> nodes;
  std::uint32_t per_node = 1;
  // Bytes: larger messages between two processes are a fault, because nobody has measured how long they take.
  std::uint64_t largest_inside = ~std::uint64_t{0}, largest_between = ~std::uint64_t{0};

  std::uint64_t largest(std::uint32_t a, std::uint32_t b) const {
    return a / per_node == b / per_node ? largest_inside : largest_between;
  }
};

}  // namespace plumbline::replay::model
