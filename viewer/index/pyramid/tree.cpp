#include "viewer/index/pyramid/tree.hpp"

#include <algorithm>
#include <limits>

namespace plumbline::viewer {
namespace {

constexpr std::int64_t kMostTime = std::numeric_limits<std::int64_t>::max();

constexpr std::uint64_t parents_of(std::uint64_t children) { return (children + kFanOut - 1) / kFanOut; }

// Operations of a rank follow each other when they were observed, but nothing is known of other times.
std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMostTime : sum;
}

std::int64_t extent_length(const Extent& extent) {
  std::int64_t length = 0;
  return __builtin_sub_overflow(extent.end, extent.begin, &length) ? kMostTime : length;
}

// One of no length has an extent, but took no time.
std::int64_t time_of(const replay::OperationTimes& times) {
  return times.end > times.begin ? extent_length({times.begin.ps, times.end.ps}) : 0;
}

void add_worst(std::int64_t& worst, std::uint32_t& of, std::int64_t other, std::uint32_t other_of) {
  if (!is_worse(Duration{other}, Duration{worst})) return;
  worst = other;
  of = other_of;
}

void widen(TreeNode& node, std::int64_t begin, std::int64_t end) {
  node.begin = std::min(node.begin, begin);
  node.end = std::max(node.end, end);
}

constexpr TreeNode empty_node() {
  TreeNode node;
  node.begin = kMostTime;
  node.end = std::numeric_limits<std::int64_t>::min();
  return node;
}

void add_operation(TreeNode& node, const replay::OperationTimes& times, const Facts& facts, std::uint32_t operation) {
  const Extent extent = extent_of(times);
  widen(node, extent.begin, extent.end);
  std::int64_t& time = node.time_ps[static_cast<std::size_t>(facts.kind)];
  time = saturated_sum(time, time_of(times));
  add_worst(node.own, node.own_operation, facts.own.ps, operation);
  add_worst(node.inherited, node.inherited_operation, facts.inherited.ps, operation);
  node.kinds |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(facts.kind));
  node.marks |= facts.marks;
}

void add_child(TreeNode& node, const TreeNode& child) {
  widen(node, child.begin, child.end);
  for (std::size_t kind = 0; kind < kCallKinds; ++kind)
    node.time_ps[kind] = saturated_sum(node.time_ps[kind], child.time_ps[kind]);
  add_worst(node.own, node.own_operation, child.own, child.own_operation);
  add_worst(node.inherited, node.inherited_operation, child.inherited, child.inherited_operation);
  node.kinds |= child.kinds;
  node.marks |= child.marks;
}

}  // namespace

std::uint64_t nodes_over(std::uint64_t operations) {
  std::uint64_t nodes = 0;
  for (std::uint64_t children = operations; children > 1 || (children == 1 && nodes == 0); nodes += children)
    children = parents_of(children);
  return nodes;
}

void lay_out_levels(RankTree& tree, const TreeNode* nodes) {
  tree.depth = 0;
  for (std::uint64_t children = tree.times.size(); children > 1 || (children == 1 && tree.depth == 0);) {
    children = parents_of(children);
    tree.levels[tree.depth++] = {nodes, children};
    nodes += children;
  }
}

void fill_levels(const RankTree& tree, const RankColumns& columns, std::span<TreeNode> nodes) {
  std::ranges::fill(nodes, empty_node());
  const std::span<TreeNode> first = nodes.first(tree.depth == 0 ? 0 : tree.levels[0].size());
  for (std::uint32_t operation = 0; operation < tree.times.size(); ++operation)
    add_operation(first[operation / kFanOut], tree.times[operation], columns.of(operation), operation);
  std::span<TreeNode> below = first;
  for (unsigned level = 1; level < tree.depth; ++level) {
    nodes = nodes.subspan(below.size());
    const std::span<TreeNode> above = nodes.first(tree.levels[level].size());
    for (std::size_t child = 0; child < below.size(); ++child) add_child(above[child / kFanOut], below[child]);
    below = above;
  }
}

Extent extent_of(const replay::OperationTimes& times) {
  const std::int64_t begin = std::min(times.begin.ps, kMostTime - 1);
  return {begin, std::max(times.end.ps, begin + 1)};
}

Below operations_below(const RankTree& tree, unsigned level, std::uint64_t index) {
  const std::uint64_t most = std::uint64_t{1} << (4 * (level + 1));
  static_assert(kFanOut == 1U << 4);
  const std::uint64_t first = index * most;
  return {first, std::min(most, tree.times.size() - first)};
}

namespace {

class RangeWalk {
 public:
  RangeWalk(const RankTree& tree, const RankColumns& facts, TimeRange range, unsigned shift,
            std::span<RangeSummary> columns)
      : tree_(tree), facts_(facts), range_(range), shift_(shift), columns_(columns) {}

  void node(unsigned level, std::uint64_t index) {
    const TreeNode& node = tree_.levels[level][index];
    if (!overlaps(node, range_)) return;
    const bool is_inside = node.begin >= range_.begin.ps && node.end <= range_.end.ps;
    if (is_inside && column_of(node.begin) == column_of(node.end - 1)) {
      add(columns_[column_of(node.begin)], node, operations_below(tree_, level, index).count);
      return;
    }
    const std::uint64_t first = index * kFanOut;
    if (level == 0) {
      const std::uint64_t end = std::min<std::uint64_t>(first + kFanOut, tree_.times.size());
      for (std::uint64_t i = first; i < end; ++i) operation(static_cast<std::uint32_t>(i));
      return;
    }
    const std::uint64_t end = std::min<std::uint64_t>(first + kFanOut, tree_.levels[level - 1].size());
    for (std::uint64_t child = first; child < end; ++child) this->node(level - 1, child);
  }

 private:
  // Of a time in the range.
  std::size_t column_of(std::int64_t ps) const {
    const std::uint64_t place =
        (static_cast<std::uint64_t>(ps) - static_cast<std::uint64_t>(range_.begin.ps)) >> shift_;
    return std::min<std::size_t>(place, columns_.size() - 1);
  }

  // Begin of the column behind `column`, or the end of the range.
  std::int64_t end_of(std::size_t column) const {
    const auto begin = static_cast<std::uint64_t>(range_.begin.ps);
    const std::uint64_t length = static_cast<std::uint64_t>(range_.end.ps) - begin;
    if (column + 1 == columns_.size() || ((column + 1) << shift_) >= length) return range_.end.ps;
    return static_cast<std::int64_t>(begin + ((column + 1) << shift_));
  }

  static void add(RangeSummary& column, const TreeNode& node, std::uint64_t operations) {
    for (std::size_t kind = 0; kind < kCallKinds; ++kind)
      column.time_ps[kind] = saturated_sum(column.time_ps[kind], node.time_ps[kind]);
    add_worst(column.own.ps, column.own_operation, node.own, node.own_operation);
    add_worst(column.inherited.ps, column.inherited_operation, node.inherited, node.inherited_operation);
    column.begun += static_cast<std::uint32_t>(operations);
    column.kinds |= node.kinds;
    column.marks |= node.marks;
  }

  void operation(std::uint32_t index) {
    const replay::OperationTimes& times = tree_.times[index];
    const Extent extent = extent_of(times);
    if (!overlaps(extent, range_)) return;
    const Facts facts = facts_.of(index);
    const std::size_t last = column_of(std::min(extent.end, range_.end.ps) - 1);
    std::int64_t from = std::max(extent.begin, range_.begin.ps);
    bool begins = extent.begin >= range_.begin.ps;
    for (std::size_t column = column_of(from); column <= last; ++column) {
      const std::int64_t to = end_of(column);
      add(columns_[column], facts, index, extent_length({from, std::max(from, std::min(times.end.ps, to))}));
      ++(begins ? columns_[column].begun : columns_[column].carried);
      begins = false;
      from = to;
    }
  }

  static void add(RangeSummary& column, const Facts& facts, std::uint32_t operation, std::int64_t time) {
    std::int64_t& of_kind = column.time_ps[static_cast<std::size_t>(facts.kind)];
    of_kind = saturated_sum(of_kind, time);
    add_worst(column.own.ps, column.own_operation, facts.own.ps, operation);
    add_worst(column.inherited.ps, column.inherited_operation, facts.inherited.ps, operation);
    column.kinds |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(facts.kind));
    column.marks |= facts.marks;
  }

  const RankTree& tree_;
  const RankColumns& facts_;
  const TimeRange range_;
  const unsigned shift_;
  const std::span<RangeSummary> columns_;
};

// Operations that another time order than that of their numbers has put into the right half may have lower numbers.
void join_worst(Duration& worst, std::uint32_t& of, Duration other, std::uint32_t other_of) {
  if (other == worst)
    of = std::min(of, other_of);
  else
    add_worst(worst.ps, of, other.ps, other_of);
}

}  // namespace

void add_range(const RankTree& tree, const RankColumns& facts, TimeRange range, unsigned shift,
               std::span<RangeSummary> columns) {
  if (tree.depth > 0) RangeWalk(tree, facts, range, shift, columns).node(tree.depth - 1, 0);
}

RangeSummary joined(const RangeSummary& left, const RangeSummary& right) {
  RangeSummary both = left;
  for (std::size_t kind = 0; kind < kCallKinds; ++kind)
    both.time_ps[kind] = saturated_sum(both.time_ps[kind], right.time_ps[kind]);
  join_worst(both.own, both.own_operation, right.own, right.own_operation);
  join_worst(both.inherited, both.inherited_operation, right.inherited, right.inherited_operation);
  both.begun += right.begun;
  both.kinds |= right.kinds;
  both.marks |= right.marks;
  return both;
}

}  // namespace plumbline::viewer
