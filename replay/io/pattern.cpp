#include "replay/io/pattern.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace plumbline::replay::io {
namespace {

using archive::Block;

std::int64_t end_of(const Block& block) {
  return block.offset + static_cast<std::int64_t>(block.count - 1) * block.stride +
         static_cast<std::int64_t>(block.length);
}

bool ascends(const archive::Layout& layout) {
  std::int64_t end = layout.blocks.front().offset;
  for (const Block& block : layout.blocks) {
    if (block.offset < end) return false;
    if (block.count > 1 && block.stride < static_cast<std::int64_t>(block.length)) return false;
    end = end_of(block);
  }
  return layout.extent > 0 && end <= layout.blocks.front().offset + layout.extent;
}

}  // namespace

std::unique_ptr<const ViewMap> ViewMap::of(const archive::Layout& layout) {
  if (layout.opaque || layout.blocks.empty() || layout.size == 0 || !ascends(layout)) return nullptr;
  const std::int64_t first = layout.blocks.front().offset, base = layout.displacement + first;
  if (base < 0) return nullptr;
  auto map = std::make_unique<ViewMap>();
  map->tile_ = layout;
  map->base_ = static_cast<std::uint64_t>(base);
  map->has_gaps_ = static_cast<std::int64_t>(layout.size) != layout.extent;
  map->data_before_.push_back(0);
  map->pieces_before_.push_back(0);
  for (Block& block : map->tile_.blocks) {
    block.offset -= first;
    map->data_before_.push_back(map->data_before_.back() + block.length * block.count);
    map->pieces_before_.push_back(map->pieces_before_.back() + block.count);
  }
  return map;
}

std::uint64_t ViewMap::data_before(std::uint64_t offset) const {
  if (offset <= base_) return 0;
  const std::uint64_t extent = static_cast<std::uint64_t>(tile_.extent), tile = (offset - base_) / extent;
  const std::uint64_t within = (offset - base_) % extent;
  const auto behind = std::upper_bound(
      tile_.blocks.begin(), tile_.blocks.end(), within,
      [](std::uint64_t at, const Block& block) { return at < static_cast<std::uint64_t>(block.offset); });
  const std::size_t index = static_cast<std::size_t>(behind - tile_.blocks.begin()) - 1;  // the first one begins at 0
  const Block& block = tile_.blocks[index];
  const std::uint64_t from = within - static_cast<std::uint64_t>(block.offset);
  const std::uint64_t stride = block.count > 1 ? static_cast<std::uint64_t>(block.stride) : 0;
  const std::uint64_t piece = stride > 0 ? std::min(from / stride, block.count - 1) : 0;
  return tile * tile_.size + data_before_[index] + piece * block.length + std::min(from - piece * stride, block.length);
}

ViewMap::Place ViewMap::place_of(std::uint64_t data) const {
  Place place{data / tile_.size, data % tile_.size, 0};
  if (tile_.blocks.size() > 1)
    place.block = static_cast<std::size_t>(std::upper_bound(data_before_.begin(), data_before_.end(), place.in_tile) -
                                           data_before_.begin() - 1);
  return place;
}

ByteRange ViewMap::piece_at(std::uint64_t data) const {
  const Place place = place_of(data);
  const Block& block = tile_.blocks[place.block];
  const std::uint64_t piece = (place.in_tile - data_before_[place.block]) / block.length;
  const std::uint64_t begin = base_ + place.tile * static_cast<std::uint64_t>(tile_.extent) +
                              static_cast<std::uint64_t>(block.offset) +
                              piece * static_cast<std::uint64_t>(block.stride);
  return {begin, begin + block.length};
}

std::uint64_t ViewMap::offset_of(std::uint64_t data) const {
  const Place place = place_of(data);
  return piece_at(data).begin + (place.in_tile - data_before_[place.block]) % tile_.blocks[place.block].length;
}

std::uint64_t ViewMap::pieces_before(std::uint64_t data) const {
  const Place place = place_of(data);
  const std::uint64_t in_block = place.in_tile - data_before_[place.block], length = tile_.blocks[place.block].length;
  return place.tile * tile_pieces() + pieces_before_[place.block] + (in_block + length - 1) / length;
}

Pattern Pattern::contiguous(std::uint64_t offset, std::uint64_t bytes) {
  Pattern pattern;
  pattern.bytes_ = bytes;
  pattern.begin_ = offset;
  pattern.end_ = offset + bytes;
  return pattern;
}

Pattern Pattern::through(const ViewMap& view, std::uint64_t position, std::uint64_t bytes) {
  Pattern pattern;
  pattern.begin_ = view.offset_of(position);
  if (!view.has_gaps()) return contiguous(pattern.begin_, bytes);
  pattern.view_ = &view;
  pattern.position_ = position;
  pattern.bytes_ = bytes;
  pattern.end_ = bytes == 0 ? pattern.begin_ : view.offset_of(position + bytes - 1) + 1;
  return pattern;
}

Pattern Pattern::of_pieces(std::vector<ByteRange> pieces) {
  Pattern pattern;
  if (pieces.empty()) return pattern;
  pattern.begin_ = pieces.front().begin;
  pattern.end_ = pieces.back().end;
  for (const ByteRange& piece : pieces) {
    pattern.data_before_list_.push_back(pattern.bytes_);
    pattern.bytes_ += piece.end - piece.begin;
  }
  pattern.list_ = std::move(pieces);
  return pattern;
}

std::uint64_t Pattern::data_before(std::uint64_t offset) const {
  if (offset <= begin_) return 0;
  if (offset >= end_) return bytes_;
  if (view_ != nullptr) return std::clamp(view_->data_before(offset), position_, position_ + bytes_) - position_;
  if (list_.empty()) return offset - begin_;
  const auto behind = std::upper_bound(list_.begin(), list_.end(), offset,
                                       [](std::uint64_t at, const ByteRange& run) { return at < run.begin; });
  const std::size_t index = static_cast<std::size_t>(behind - list_.begin()) - 1;
  return data_before_list_[index] + std::min(offset, list_[index].end) - list_[index].begin;
}

ByteRange Pattern::piece_at(std::uint64_t data) const {
  if (view_ != nullptr) {
    const ByteRange piece = view_->piece_at(position_ + data);
    return {std::max(piece.begin, begin_), std::min(piece.end, end_)};
  }
  if (list_.empty()) return {begin_, end_};
  const auto behind = std::upper_bound(data_before_list_.begin(), data_before_list_.end(), data);
  return list_[static_cast<std::size_t>(behind - data_before_list_.begin()) - 1];
}

ByteRange Pattern::piece_from(std::uint64_t data) const {
  const ByteRange piece = piece_at(data);
  if (view_ != nullptr) return {view_->offset_of(position_ + data), piece.end};
  return {piece.begin + (data - data_before(piece.begin)), piece.end};
}

std::uint64_t Pattern::pieces(std::uint64_t from, std::uint64_t to) const {
  if (from >= to) return 0;
  if (view_ != nullptr) {
    const std::uint64_t first = position_ + from;
    const bool inside = view_->offset_of(first) != view_->piece_at(first).begin;
    return view_->pieces_before(position_ + to) - view_->pieces_before(first) + (inside ? 1 : 0);
  }
  if (list_.empty()) return 1;
  const auto index = [&](std::uint64_t data) {
    return std::upper_bound(data_before_list_.begin(), data_before_list_.end(), data) - data_before_list_.begin();
  };
  return static_cast<std::uint64_t>(index(to - 1) - index(from) + 1);
}

Patterns::Patterns(const Program& program) : footprints_(program) {
  for (std::uint32_t i = 0; i < program.layouts(); ++i) {
    const std::optional<archive::Layout> layout = archive::parse_layout(program.layout(i));
    views_.push_back(layout ? ViewMap::of(*layout) : nullptr);
  }
}

const ViewMap* Patterns::view_of(const RankProgram& rank, const Operation& op) const {
  if (op.extra == kNone || rank.accesses[op.extra].layout == kNone) return nullptr;
  return views_[rank.accesses[op.extra].layout].get();
}

Pattern Patterns::of(const RankProgram& rank, const Operation& op, std::uint64_t unknown_at) const {
  if (const ViewMap* view = view_of(rank, op))
    return Pattern::through(*view, rank.accesses[op.extra].view_position, op.bytes);
  Footprint footprint = footprints_.footprint(rank, op, unknown_at);
  if (footprint.runs.size() > 1) return Pattern::of_pieces(std::move(footprint.runs));
  if (footprint.runs.size() == 1) return Pattern::contiguous(footprint.begin(), op.bytes);
  const bool is_known = op.extra != kNone && rank.accesses[op.extra].offset != kUnknownOffset;
  return Pattern::contiguous(is_known ? rank.accesses[op.extra].offset : unknown_at, 0);
}

}  // namespace plumbline::replay::io
