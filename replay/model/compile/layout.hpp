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
  // Where pairs of nodes have times of their own: the kind of each node, and what is largest between two kinds.
  std::vector<std::uint32_t> kinds = {};
  std::vector<std::vector<std::uint64_t>> largest_of_kinds = {};
  std::uint64_t largest_together = ~std::uint64_t{0};  // of collectives, whose messages may go anywhere

  std::uint64_t largest(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t node = a / per_node, other = b / per_node;
    if (node == other) return largest_inside;
    return kinds.empty() ? largest_between : largest_of_kinds[kinds[node]][kinds[other]];
  }
};

}  // namespace plumbline::replay::model
