#include "tracer/archive/layout/layout.hpp"

#include <algorithm>

namespace plumbline::archive {
namespace {

__extension__ using Wide = __int128;

// a + n * b where it fits.
std::optional<std::int64_t> shifted(std::int64_t a, Wide n, std::int64_t b) {
  const Wide sum = a + n * b;
  const auto narrow = static_cast<std::int64_t>(sum);
  if (narrow != sum) return std::nullopt;
  return narrow;
}

std::optional<std::int64_t> end_of(const Block& block) {
  return shifted(block.offset, static_cast<Wide>(block.count), block.stride);
}

// Joins `next` to `block` where together they are one block.
bool join(Block& block, const Block& next) {
  if (block.count == 1 && next.count == 1 && block.length <= INT64_MAX &&
      shifted(block.offset, 1, static_cast<std::int64_t>(block.length)) == next.offset) {
    block.length += next.length;
    return true;
  }
  if (block.length != next.length) return false;
  const bool regular = next.count == 1 || block.count == 1 || next.stride == block.stride;
  if (!regular) return false;
  std::int64_t stride = block.count > 1 ? block.stride : next.stride;
  if (block.count == 1 && next.count == 1) {
    if (__builtin_sub_overflow(next.offset, block.offset, &stride)) return false;
  }
  const Block extended{block.offset, block.length, block.count, stride};
  if (end_of(extended) != next.offset) return false;
  block.stride = stride;
  block.count += next.count;
  return true;
}

}  // namespace

Layout contiguous_layout(std::uint64_t bytes) {
  Layout layout;
  layout.extent = static_cast<std::int64_t>(bytes);
  layout.size = bytes;
  if (bytes != 0) layout.blocks.push_back({0, bytes, 1, 0});
  return layout;
}

bool append(std::vector<Block>& blocks, Block block) {
  if (block.length == 0 || block.count == 0) return true;
  if (block.count > 1 && block.stride > 0 && static_cast<std::uint64_t>(block.stride) == block.length) {
    block.length *= block.count;  // no gaps: one piece
    block.count = 1;
  }
  if (block.count == 1) block.stride = 0;
  if (!blocks.empty() && join(blocks.back(), block)) return true;
  if (blocks.size() >= kMaxBlocks) return false;
  blocks.push_back(block);
  return true;
}

struct LayoutIndex::Place {
  std::uint64_t tile = 0;
  std::size_t block = 0;
  std::uint64_t piece = 0;
  std::uint64_t inside = 0;  // bytes of the piece before the place
};

LayoutIndex::LayoutIndex(Layout layout) : layout_(std::move(layout)) {
  if (layout_.opaque || layout_.size == 0) return;
  std::uint64_t before = 0;
  for (const Block& block : layout_.blocks) {
    starts_.push_back(before);
    before += block.length * block.count;
  }
}

std::optional<LayoutIndex::Place> LayoutIndex::find(std::uint64_t data_byte) const {
  if (!known()) return std::nullopt;
  Place place;
  place.tile = data_byte / layout_.size;
  const std::uint64_t in_tile = data_byte % layout_.size;
  place.block = static_cast<std::size_t>(std::ranges::upper_bound(starts_, in_tile) - starts_.begin()) - 1;
  const std::uint64_t in_block = in_tile - starts_[place.block];
  place.piece = in_block / layout_.blocks[place.block].length;
  place.inside = in_block % layout_.blocks[place.block].length;
  return place;
}

std::optional<std::int64_t> LayoutIndex::offset_of(std::uint64_t data_byte) const {
  const std::optional<Place> place = find(data_byte);
  if (!place) return std::nullopt;
  const Block& block = layout_.blocks[place->block];
  std::optional<std::int64_t> at = shifted(layout_.displacement, static_cast<Wide>(place->tile), layout_.extent);
  if (at) at = shifted(*at, 1, block.offset);
  if (at) at = shifted(*at, static_cast<Wide>(place->piece), block.stride);
  if (at) at = shifted(*at, static_cast<Wide>(place->inside), 1);
  return at;
}

void LayoutIndex::visit(std::uint64_t position, std::uint64_t bytes,
                        const std::function<bool(std::int64_t, std::uint64_t)>& visit) const {
  const Block* only = layout_.blocks.size() == 1 ? &layout_.blocks.front() : nullptr;
  if (only != nullptr && known() && only->count == 1 && layout_.extent >= 0 &&
      only->length == static_cast<std::uint64_t>(layout_.extent)) {
    const std::optional<std::int64_t> at = offset_of(position);  // tiles without gaps: one piece however long
    if (at && bytes != 0) visit(*at, bytes);
    return;
  }
  std::int64_t pending_at = 0;
  std::uint64_t pending = 0;
  while (bytes != 0) {
    const std::optional<Place> place = find(position);
    const std::optional<std::int64_t> at = offset_of(position);
    if (!place || !at) break;
    const std::uint64_t length = std::min(bytes, layout_.blocks[place->block].length - place->inside);
    if (pending != 0 && shifted(pending_at, static_cast<Wide>(pending), 1) == at) {
      pending += length;
    } else {
      if (pending != 0 && !visit(pending_at, pending)) return;
      pending_at = *at;
      pending = length;
    }
    position += length;
    bytes -= length;
  }
  if (pending != 0) visit(pending_at, pending);
}

}  // namespace plumbline::archive
