#include "viewer/index/pyramid/memory.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "base/team/shared_work.hpp"
#include "base/team/team.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

template <class T>
std::span<const replay::OperationTimes> as_span(const T& times) {
  return {times.data(), times.size()};
}

// From `zero` to the last end of a rank; 0 where it ends before.
std::uint64_t length_from(Time zero, std::span<const replay::OperationTimes> times) {
  if (times.empty()) return 0;
  const std::int64_t end = extent_of(times.back()).end;
  return end > zero.ps ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(zero.ps) : 0;
}

std::uint64_t length_of(const PyramidSource& source) {
  std::uint64_t length = 0;
  for (const RankTree& rank : source.ranks) length = std::max(length, length_from(source.zero, rank.times));
  return length;
}

std::uint64_t most_operations(const PyramidSource& source) {
  std::uint64_t most = 0;
  for (const RankTree& rank : source.ranks) most = std::max<std::uint64_t>(most, rank.times.size());
  return most;
}

// Enough that the whole run is stored in a column a pixel. Beyond them no more than a column for two operations, where
// the tree tells a strip as fast as it is stored.
constexpr unsigned kAlwaysStored = 3;

// As many as fit, and as there are picoseconds for.
unsigned levels_to_store(const Pyramid& pyramid, const PyramidOptions& options) {
  const std::uint64_t lanes = std::max<std::uint64_t>(pyramid.sources[0].ranks.size(), 1);
  const std::uint64_t columns = most_operations(pyramid.sources[0]) / 2;
  const auto pays = [&](unsigned level) {
    return level < kAlwaysStored || (std::uint64_t{kColumns} << level) <= columns;
  };
  unsigned levels = 0;
  while (levels <= pyramid.most_level && pays(levels) &&
         2 * lanes * strips_of(levels + 1) * sizeof(Strip) <= options.most_strip_bytes)
    ++levels;
  return levels;
}

template <class T>
std::span<T> writable(std::span<const T> part, std::span<std::byte> all) {
  const auto offset = reinterpret_cast<const std::byte*>(part.data()) - all.data();
  return {reinterpret_cast<T*>(all.data() + offset), part.size()};
}

void fill_rank(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               std::span<std::byte> bytes) {
  const RankTree& tree = source.ranks[rank];
  const RankColumns facts(runs, pyramid.calls, rank);
  const std::span<const TreeNode> nodes = {tree.levels[0].data(), nodes_over(tree.times.size())};
  fill_levels(tree, facts, writable(nodes, bytes));
  fill_strips(pyramid, source, tree, facts, writable(tree.strips, bytes));
}

// Several for each thread, because it is not known how long a rank takes.
std::vector<Block> blocks_of_ranks(const PyramidSource& source, std::uint32_t jobs) {
  constexpr std::uint32_t kBlocksOfAThread = 8;
  std::vector<std::uint64_t> operations;
  for (const RankTree& rank : source.ranks) operations.push_back(rank.times.size() + 1);
  return split_by_cost(operations, jobs > 1 ? jobs * kBlocksOfAThread : 1);
}

}  // namespace

Pyramid plan_pyramid(const Runs& runs, const PyramidOptions& options) {
  Pyramid pyramid;
  pyramid.calls = facts_of_calls(runs.observed);
  PyramidSource& observed = pyramid.sources.emplace_back();
  observed.zero = span_of(runs.observed).begin;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    observed.ranks.emplace_back().times = runs.observed.rank(rank).times;
  if (runs.is_compared()) {
    PyramidSource& free = pyramid.sources.emplace_back();
    free.number = 1;
    free.zero = reference_zero(runs);
    for (const replay::ExpectedRank& rank : runs.expected->ranks) free.ranks.emplace_back().times = as_span(rank.free);
  }
  std::uint64_t length = kColumns;
  for (const PyramidSource& source : pyramid.sources) length = std::max(length, length_of(source));
  pyramid.base_ps = std::bit_ceil(std::min(length, std::uint64_t{1} << 63));
  const auto picoseconds = static_cast<unsigned>(std::countr_zero(pyramid.base_ps));
  pyramid.most_level = std::min(picoseconds - kColumnsLog2, kDeepestLevel);
  pyramid.stored_levels = levels_to_store(pyramid, options);
  return pyramid;
}

std::uint64_t bytes_of(const Pyramid& pyramid, const PyramidSource& source) {
  std::uint64_t bytes = 0;
  for (const RankTree& rank : source.ranks)
    bytes += nodes_over(rank.times.size()) * sizeof(TreeNode) + strips_of(pyramid.stored_levels) * sizeof(Strip);
  return bytes;
}

void lay_out(const Pyramid& pyramid, PyramidSource& source, std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  for (RankTree& rank : source.ranks) {
    lay_out_levels(rank, reinterpret_cast<const TreeNode*>(at));
    at += nodes_over(rank.times.size()) * sizeof(TreeNode);
    rank.strips = {reinterpret_cast<const Strip*>(at), strips_of(pyramid.stored_levels)};
    at += rank.strips.size_bytes();
  }
}

void fill(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t jobs,
          std::span<std::byte> bytes) {
  const std::vector<Block> blocks = blocks_of_ranks(source, jobs);
  run_tasks(
      {.jobs = jobs}, blocks.size(),
      [&](const Task& task) {
        const Block block = blocks[task.index()];
        for (std::size_t rank = block.begin; rank < block.end; ++rank)
          fill_rank(runs, pyramid, source, static_cast<std::uint32_t>(rank), bytes);
      },
      [](std::size_t) {});
}

}  // namespace plumbline::viewer
