#pragma once
// The tree over the operations of a rank: how it is made, and how it is walked for a range of time.

#include <cstdint>
#include <span>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Nodes of all levels of a tree over so many operations.
std::uint64_t nodes_over(std::uint64_t operations);

// Sets levels and depth of a tree over tree.times, whose nodes lie at `nodes`, nodes_over() of them.
void lay_out_levels(RankTree& tree, const TreeNode* nodes);

// Fills `nodes`, which were laid out as the levels of the tree.
void fill_levels(const RankTree& tree, const RankColumns& columns, std::span<TreeNode> nodes);

// Half-open interval in which an operation counts: one of no length, or of a negative one, counts for 1 ps.
struct Extent {
  std::int64_t begin, end;
};
Extent extent_of(const replay::OperationTimes& times);

constexpr bool overlaps(const Extent& extent, const TimeRange& range) {
  return extent.begin < range.end.ps && extent.end > range.begin.ps;
}
constexpr bool overlaps(const TreeNode& node, const TimeRange& range) {
  return overlaps(Extent{node.begin, node.end}, range);
}

// Index of the first operation below a node of that level, and how many there are.
struct Below {
  std::uint64_t first, count;
};
Below operations_below(const RankTree& tree, unsigned level, std::uint64_t index);

// Adds all operations of the tree that overlap the range to the columns that they overlap; a column is 2^shift ps, the
// first begins with the range.
void add_range(const RankTree& tree, const RankColumns& facts, TimeRange range, unsigned shift,
               std::span<RangeSummary> columns);

// Two neighbouring ranges as one.
RangeSummary joined(const RangeSummary& left, const RangeSummary& right);

}  // namespace plumbline::viewer
