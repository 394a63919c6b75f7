#include "viewer/index/pyramid/search.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

void collect(const RankTree& tree, unsigned level, std::uint64_t index, const TimeRange& range, std::size_t most,
             std::vector<std::uint32_t>& found) {
  if (found.size() == most || !overlaps(tree.levels[level][index], range)) return;
  const std::uint64_t first = index * kFanOut;
  const std::uint64_t children = level == 0 ? tree.times.size() : tree.levels[level - 1].size();
  for (std::uint64_t child = first; child < std::min(first + kFanOut, children) && found.size() < most; ++child)
    if (level > 0)
      collect(tree, level - 1, child, range, most, found);
    else if (overlaps(extent_of(tree.times[child]), range))
      found.push_back(static_cast<std::uint32_t>(child));
}

// A node, or an operation, of which nothing below is worse or, of what is equal, comes before.
struct Candidate {
  Duration own;
  OperationId first;
  unsigned levels_below = 0;  // 0: an operation
};

// Whether `b` comes before `a`: the queue gives out the last.
struct ComesLater {
  bool operator()(const Candidate& a, const Candidate& b) const {
    if (a.own != b.own) return is_worse(b.own, a.own);
    return std::tie(a.first, b.levels_below) > std::tie(b.first, a.levels_below);
  }
};

class WorstFirst {
 public:
  WorstFirst(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, TimeRange range)
      : runs_(runs), pyramid_(pyramid), source_(source), range_(range) {}

  void add_rank(std::uint32_t rank) {
    const RankTree& tree = source_.ranks[rank];
    if (tree.depth > 0) add_node(rank, tree.depth - 1, 0);
  }

  std::vector<OperationId> take(std::size_t most) {
    std::vector<OperationId> worst;
    while (worst.size() < most && !queue_.empty()) {
      const Candidate next = queue_.top();
      queue_.pop();
      if (next.levels_below == 0)
        worst.push_back(next.first);
      else
        open(next);
    }
    return worst;
  }

 private:
  void add_node(std::uint32_t rank, unsigned level, std::uint64_t index) {
    const RankTree& tree = source_.ranks[rank];
    const TreeNode& node = tree.levels[level][index];
    if (!overlaps(node, range_)) return;
    const auto first = static_cast<std::uint32_t>(operations_below(tree, level, index).first);
    queue_.push({Duration{node.own}, {rank, first}, level + 1});
  }

  void open(const Candidate& node) {
    const RankTree& tree = source_.ranks[node.first.rank];
    if (node.levels_below == 1) {
      const RankColumns facts(runs_, pyramid_.calls, node.first.rank);
      const std::uint64_t end =
          std::min<std::uint64_t>(std::uint64_t{node.first.operation} + kFanOut, tree.times.size());
      for (std::uint64_t i = node.first.operation; i < end; ++i)
        if (const auto operation = static_cast<std::uint32_t>(i); overlaps(extent_of(tree.times[i]), range_))
          queue_.push({facts.of(operation).own, {node.first.rank, operation}, 0});
      return;
    }
    const unsigned below = node.levels_below - 2;
    const std::uint64_t first = std::uint64_t{node.first.operation} >> (4 * (below + 1));
    const std::uint64_t end = std::min<std::uint64_t>(first + kFanOut, tree.levels[below].size());
    for (std::uint64_t child = first; child < end; ++child) add_node(node.first.rank, below, child);
  }

  const Runs& runs_;
  const Pyramid& pyramid_;
  const PyramidSource& source_;
  const TimeRange range_;
  std::priority_queue<Candidate, std::vector<Candidate>, ComesLater> queue_;
};

}  // namespace

std::vector<std::uint32_t> operations_in(const PyramidSource& source, std::uint32_t rank, TimeRange range,
                                         std::size_t most) {
  std::vector<std::uint32_t> found;
  const RankTree& tree = source.ranks[rank];
  if (tree.depth > 0) collect(tree, tree.depth - 1, 0, range, most, found);
  return found;
}

std::vector<OperationId> worst_in(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source,
                                  std::span<const std::uint32_t> ranks, TimeRange range, std::size_t most) {
  WorstFirst worst(runs, pyramid, source, range);
  for (const std::uint32_t rank : ranks) worst.add_rank(rank);
  return worst.take(most);
}

}  // namespace plumbline::viewer
