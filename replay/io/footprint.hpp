#pragma once
// Where in a file one access goes.

#include <cstdint>
#include <span>
#include <vector>

#include "replay/program/program.hpp"
#include "tracer/archive/layout/layout.hpp"

namespace plumbline::replay::io {

struct ByteRange {
  std::uint64_t begin = 0, end = 0;  // bytes of the file, [begin, end)

  bool operator==(const ByteRange&) const = default;
};

// Ascending, disjoint, not touching.
struct Footprint {
  std::vector<ByteRange> runs;

  bool empty() const { return runs.empty(); }
  std::uint64_t begin() const { return runs.front().begin; }
  std::uint64_t end() const { return runs.back().end; }
};

// One contiguous access.
Footprint contiguous(std::uint64_t offset, std::uint64_t bytes);

// Footprints of the accesses of a program, through their file views.
class FileViews {
 public:
  explicit FileViews(const Program& program);

  // `unknown_at`: where an access begins whose place was not recorded.
  Footprint footprint(const RankProgram& rank, const Operation& op, std::uint64_t unknown_at) const;

 private:
  std::vector<archive::LayoutIndex> views_;
};

// Bytes of a footprint in [begin, end).
std::uint64_t bytes_within(const Footprint& footprint, std::uint64_t begin, std::uint64_t end);

// All runs of several footprints in [begin, end), merged where they touch or overlap: what a single rank would have to
// access to serve all of them.
std::vector<ByteRange> united(std::span<const Footprint* const> footprints, std::uint64_t begin, std::uint64_t end);

}  // namespace plumbline::replay::io
