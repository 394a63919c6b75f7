#pragma once
// Broadcasts by LogGP, one at a time, in a loop, or with the next rank as root each time, or the one before: what a
// benchmark of each kind would tell (docs/notebook/broadcasts-in-a-loop.md).

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "hwmodels/network/loggp.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::test {

enum class Scheme { kIsolated, kLoop, kChangeRoot, kRootBefore };
enum class Tree { kChain, kBinomial };

// Broadcasts one after another; each rank takes its messages in the order of its program.
class Broadcasts {
 public:
  Broadcasts(const Platform& platform, std::uint32_t ranks, Bytes size)
      : nodes_(first_nodes(ranks)),
        network_(platform, nodes_),
        size_(size),
        overhead_(range_of(platform.between, size).send.value),
        cpu_(ranks),
        arrival_(ranks) {}

  // Numbers count from the root on: whoever sends to a rank has a lower number than it.
  void add(Tree tree, std::uint32_t root) {
    const auto ranks = static_cast<std::uint32_t>(cpu_.size());
    for (std::uint32_t number = 0; number < ranks; ++number) {
      if (number > 0) receive(number, tree == Tree::kChain ? number - 1 : number & (number - 1), root);
      if (tree == Tree::kChain) {
        if (number + 1 < ranks) send(number, number + 1, root);
        continue;
      }
      // The largest subtree first.
      const std::uint32_t below = number == 0 ? ranks : number & -number;
      for (std::uint32_t distance = below / 2; distance > 0; distance /= 2) send(number, number + distance, root);
    }
  }

  Time end() const { return *std::max_element(cpu_.begin(), cpu_.end()); }

 private:
  static std::vector<std::uint32_t> first_nodes(std::uint32_t count) {
    std::vector<std::uint32_t> nodes(count);
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
  }

  std::uint32_t rank_of(std::uint32_t number, std::uint32_t root) const {
    return (number + root) % static_cast<std::uint32_t>(cpu_.size());
  }

  void send(std::uint32_t number, std::uint32_t to, std::uint32_t root) {
    const std::uint32_t rank = rank_of(number, root);
    const LogGP::Departure sent = network_.begin_send(rank, rank_of(to, root), size_, cpu_[rank]);
    cpu_[rank] = sent.start + overhead_;
    arrival_[to] = sent.arrival;
  }

  void receive(std::uint32_t number, std::uint32_t from, std::uint32_t root) {
    const std::uint32_t rank = rank_of(number, root);
    const Time ready = std::max(cpu_[rank], arrival_[number]);
    cpu_[rank] = network_.begin_receive(rank, rank_of(from, root), size_, ready) + overhead_;
  }

  const std::vector<std::uint32_t> nodes_;
  LogGP network_;
  Bytes size_;
  Duration overhead_;  // of senders and receivers alike
  std::vector<Time> cpu_;
  std::vector<Time> arrival_;  // by number, of the broadcast in hand
};

// Of broadcast number k, from 0 on.
inline std::uint32_t root_of(Scheme scheme, std::uint32_t k, std::uint32_t ranks) {
  if (scheme == Scheme::kChangeRoot) return k % ranks;
  return scheme == Scheme::kRootBefore ? ranks - 1 - k % ranks : 0;
}

// Until the last rank has the last one. `count`: how many, but of kIsolated, which is one.
inline Duration length_of(const Platform& platform, Tree tree, Scheme scheme, std::uint32_t ranks, Bytes size,
                          std::uint32_t count) {
  Broadcasts broadcasts(platform, ranks, size);
  if (scheme == Scheme::kIsolated) count = 1;
  for (std::uint32_t k = 0; k < count; ++k) broadcasts.add(tree, root_of(scheme, k, ranks));
  return broadcasts.end() - Time{};
}

}  // namespace plumbline::hw::test
