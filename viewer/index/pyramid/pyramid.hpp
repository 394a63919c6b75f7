#pragma once
// What the timeline shows of any range of time, at a cost that does not grow with the operations in it.
//
// Time is cut into columns: level l has 2^l strips of 512 columns each, which cover [0, base) from the begin of the
// observed run. Strips of the coarse levels are stored as they are sent. Below them a tree over the operations of each
// rank, 16 children a node, tells what lies in a column; every stored strip was made from it as well. Nothing is
// sampled: an operation counts in every column that it overlaps, however short it is. One of no length overlaps the
// picosecond in which it begins.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory/scratch.hpp"
#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer {

inline constexpr unsigned kColumnsLog2 = 9, kColumns = 1U << kColumnsLog2;
inline constexpr unsigned kDeepestLevel = 30;  // that an address can name
inline constexpr std::uint32_t kMostBoxes = 256;
inline constexpr unsigned kFanOut = 16;

// Of all operations that overlap a range of time.
struct RangeSummary {
  // By kind, inside the range only; the longest time there is, where operations overlap each other so often.
  std::array<std::int64_t, kCallKinds> time_ps{};
  Duration own, inherited;  // the worst (is_worse); own: beyond the band. 0: none
  std::uint32_t own_operation = replay::kNone, inherited_operation = replay::kNone;  // of equal ones the first
  std::uint32_t begun = 0, carried = 0;  // operations that begin in the range; that began before and reach into it
  std::uint8_t kinds = 0;                // bit k: there is one of kind k
  std::uint8_t marks = 0;                // of all together

  Duration busy() const;
};

// A node of the tree: 16 operations, or 16 nodes. Part of the index file.
struct TreeNode {
  std::int64_t begin = 0, end = 0;  // of all its operations, at least 1 ps each
  std::array<std::int64_t, kCallKinds> time_ps{};
  std::int64_t own = 0, inherited = 0;
  std::uint32_t own_operation = replay::kNone, inherited_operation = replay::kNone;
  std::uint8_t kinds = 0, marks = 0;
  std::uint8_t reserved[6] = {};
};
static_assert(sizeof(TreeNode) == 112);

// The planes of a strip, as docs/reference/viewer-api.md has them.
struct Planes {
  std::array<std::uint8_t, kColumns> kind, busy, count;
  std::array<std::int8_t, kColumns> own, inherited;
  std::array<std::uint8_t, kColumns> marks;
};
static_assert(sizeof(Planes) == std::size_t{6} * kColumns);

// Part of the index file.
struct Strip {
  Planes planes;
  std::uint32_t operations = 0;                   // that overlap it
  std::uint32_t worst_operation = replay::kNone;  // of worst own excess beyond the band; kNone: there is none
};
static_assert(sizeof(Strip) == 6 * kColumns + 8);

struct RankTree {
  std::span<const replay::OperationTimes> times;
  // The first lies above the operations; the last that is not empty has one node.
  std::array<std::span<const TreeNode>, 8> levels;
  unsigned depth = 0;             // levels that are not empty
  std::span<const Strip> strips;  // of level l and place x: 2^l - 1 + x
};

// Times of all operations in one run: as observed, of the free run, or of a what-if run.
struct PyramidSource {
  std::uint8_t number = 0;  // 0: observed, 1: free, 1 + n: whatif-n
  Time zero;                // shown at the begin of the observed run
  std::vector<RankTree> ranks;
  std::vector<Column<replay::OperationTimes>> times = {};  // of a what-if run, whose times are kept here
  std::shared_ptr<const void> memory = {};                 // of trees and strips
};

// Can be moved. Runs that it is asked about must be those that it was made from, wherever they are now.
struct Pyramid {
  std::uint64_t base_ps = kColumns;  // a power of two, greater than the span of the observed and of the reference run
  unsigned most_level = 0;           // columns of 1 ps, or kDeepestLevel
  unsigned stored_levels = 0;
  CallFacts calls;
  std::vector<PyramidSource> sources;
};

// A range of a source's own time, [begin, end).
struct TimeRange {
  Time begin, end;
};

struct PyramidOptions {
  std::uint64_t most_strip_bytes = std::uint64_t{256} << 20;  // of all stored strips of the first two sources
  std::uint32_t jobs = 1;  // threads that fill it, each some ranks; the bytes are the same
};

}  // namespace plumbline::viewer
