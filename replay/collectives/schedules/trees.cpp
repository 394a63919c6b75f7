#include "replay/collectives/schedules/trees.hpp"

#include <algorithm>
#include <bit>

#include "replay/collectives/schedules/blocks.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// Turns relative ranks, root = 0, into ranks.
Tree around_root(Tree tree, std::uint32_t ranks, std::uint32_t root) {
  if (tree.parent) tree.parent = ahead(*tree.parent, root, ranks);
  for (std::uint32_t& child : tree.children) child = ahead(child, root, ranks);
  return tree;
}

// Relative rank 0 is followed by `chains` chains of ranks one behind the other; the first `longer` of them have
// `length` ranks, the others one less.
struct Chains {
  std::uint32_t chains, length, longer;

  Chains(std::uint32_t followers, std::uint32_t fan_out)
      : chains(std::min(fan_out, followers)),
        length((followers + chains - 1) / chains),
        longer(followers % chains == 0 ? chains : followers % chains) {}

  std::uint32_t head(std::uint32_t chain) const { return 1 + chain * length - (chain > longer ? chain - longer : 0); }
  std::uint32_t chain_of(std::uint32_t v) const {
    const std::uint32_t place = v - 1;
    if (place < longer * length) return place / length;
    return longer + (place - longer * length) / (length - 1);
  }
};

}  // namespace

Tree chain(std::uint32_t ranks, std::uint32_t root, std::uint32_t fan_out, std::uint32_t rank) {
  if (ranks == 1) return {};
  const Chains chains(ranks - 1, std::max(fan_out, 1U));
  const std::uint32_t v = behind(rank, root, ranks);
  Tree tree;
  if (v == 0) {
    for (std::uint32_t i = 0; i < chains.chains; ++i) tree.children.push_back(chains.head(i));
    return around_root(std::move(tree), ranks, root);
  }
  const std::uint32_t mine = chains.chain_of(v);
  tree.parent = v == chains.head(mine) ? 0 : v - 1;
  if (v + 1 < ranks && chains.chain_of(v + 1) == mine) tree.children.push_back(v + 1);
  return around_root(std::move(tree), ranks, root);
}

Tree binary_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, root, ranks);
  const std::uint32_t width = std::bit_floor(v + 1);  // of the level of v, which begins at width - 1
  Tree tree;
  for (const std::uint32_t child : {v + width, v + 2 * width})
    if (child < ranks) tree.children.push_back(child);
  if (v != 0) {
    const std::uint32_t above = width / 2;  // width of the level above, which ends before width - 1
    tree.parent = v - above >= width - 1 ? v - 2 * above : v - above;
  }
  return around_root(std::move(tree), ranks, root);
}

Tree binomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, root, ranks);
  Tree tree;
  if (v != 0) tree.parent = v ^ std::bit_floor(v);
  for (std::uint32_t mask = v == 0 ? 1 : 2 * std::bit_floor(v); mask < ranks && (v ^ mask) < ranks; mask *= 2)
    tree.children.push_back(v ^ mask);
  return around_root(std::move(tree), ranks, root);
}

Tree in_order_binomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, root, ranks);
  Tree tree;
  for (std::uint32_t mask = 1; mask < ranks; mask *= 2) {
    if ((v & mask) != 0) {
      tree.parent = v ^ mask;
      break;
    }
    if ((v | mask) < ranks) tree.children.push_back(v | mask);
  }
  return around_root(std::move(tree), ranks, root);
}

// The root of `size` ranks from `first` on is the last of them. Its first child is the root of the larger, upper half
// of the others, its second child that of the lower half.
Tree in_order_binary_tree(std::uint32_t ranks, std::uint32_t rank) {
  std::uint32_t first = 0, size = ranks;
  Tree tree;
  for (;;) {
    const std::uint32_t top = first + size - 1;
    const std::uint32_t lower = size / 2;  // ranks in the lower half
    if (rank == top) {
      if (size > 1) tree.children.push_back(top - 1);
      if (size > 2) tree.children.push_back(first + lower - 1);
      return tree;
    }
    tree.parent = top;
    if (rank >= first + lower || size == 2) {
      const std::uint32_t skipped = size == 2 ? 0 : lower;
      first += skipped;
      size -= skipped + 1;
    } else {
      size = lower;
    }
  }
}

Tree knomial_tree(std::uint32_t ranks, std::uint32_t root, std::uint32_t radix, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, root, ranks);
  Tree tree;
  std::uint64_t mask = 1;
  for (; mask < ranks; mask *= radix)
    if (v % (radix * mask) != 0) {
      tree.parent = static_cast<std::uint32_t>(v / (radix * mask) * (radix * mask));
      break;
    }
  for (mask /= radix; mask > 0; mask /= radix)
    for (std::uint64_t child = v + mask; child < v + radix * mask && child < ranks; child += mask)
      tree.children.push_back(static_cast<std::uint32_t>(child));
  return around_root(std::move(tree), ranks, root);
}

}  // namespace plumbline::replay::collectives::schedules
