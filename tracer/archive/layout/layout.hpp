#pragma once
// Where data lies: what an MPI datatype or a file view selects, as a short list of regular pieces. The text form
// travels in the attribute names::kLayout; grammar in docs/reference/trace-format-io.md.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::archive {

// `count` pieces of `length` bytes, the first at `offset`, each `stride` bytes after the one before.
struct Block {
  std::int64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t count = 1;
  std::int64_t stride = 0;  // 0 when count is 1

  bool operator==(const Block&) const = default;
};

// A tile of `size` bytes of data in `blocks`, in the order of the data; tile i lies i * extent further on. All of it is
// moved by `displacement`.
struct Layout {
  std::int64_t displacement = 0;
  std::int64_t lower_bound = 0;
  std::int64_t extent = 0;
  std::uint64_t size = 0;
  bool opaque =
      false;  // size and extent are known, the pieces are not (too many of them, or a type we cannot take apart)
  std::vector<Block> blocks;

  bool operator==(const Layout&) const = default;
};

inline constexpr std::size_t kMaxBlocks = 1U << 16;  // beyond: opaque

// `bytes` contiguous bytes per tile: the view that MPI_File_open sets is contiguous_layout(1).
Layout contiguous_layout(std::uint64_t bytes);

// Appends pieces, joined with the last block where they continue it. False when there would be too many blocks.
bool append(std::vector<Block>& blocks, Block block);

// "disp=0 extent=8388608 size=2097152: 1024x2048@0/8192"
std::string to_text(const Layout& layout);
// Nothing when the text is not a layout or contradicts itself (blocks that do not add up to size, numbers out of
// range).
std::optional<Layout> parse_layout(std::string_view text);

// Questions to a layout, answered without expanding more of it than they ask about.
class LayoutIndex {
 public:
  // An opaque or empty layout has an index that knows nothing.
  explicit LayoutIndex(Layout layout);

  const Layout& layout() const { return layout_; }
  bool known() const { return !starts_.empty(); }

  // Absolute offset of the data byte of that number, counted over all tiles. Nothing when unknown or beyond int64.
  std::optional<std::int64_t> offset_of(std::uint64_t data_byte) const;

  // Contiguous extents of data bytes [position, position + bytes), in the order of the data, neighbours merged.
  // `visit(offset, length)` returns false to stop.
  void visit(std::uint64_t position, std::uint64_t bytes,
             const std::function<bool(std::int64_t offset, std::uint64_t length)>& visit) const;

 private:
  struct Place;
  std::optional<Place> find(std::uint64_t data_byte) const;

  Layout layout_;
  std::vector<std::uint64_t> starts_;  // data bytes of a tile before each block
};

}  // namespace plumbline::archive
