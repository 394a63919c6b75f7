#pragma once
// Where in a file one access goes, without the list of its pieces: questions are answered from the file view, so that
// an access of terabytes costs no more than one of bytes.

#include <cstdint>
#include <memory>
#include <vector>

#include "replay/io/footprint.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/layout/layout.hpp"

namespace plumbline::replay::io {

// A file view as a function between data bytes, counted from the beginning of the view, and bytes of the file.
class ViewMap {
 public:
  // Pieces that ascend and do not overlap, also from tile to tile, as MPI demands of file views (MPI 4.0, 14.1.1).
  // Nothing for other layouts, and for those that are opaque or empty.
  static std::unique_ptr<const ViewMap> of(const archive::Layout& layout);

  std::uint64_t tile_bytes() const { return tile_.size; }
  std::uint64_t tile_pieces() const { return pieces_before_.back(); }
  bool has_gaps() const { return has_gaps_; }  // size and extent differ

  std::uint64_t data_before(std::uint64_t offset) const;  // data bytes before that byte of the file
  ByteRange piece_at(std::uint64_t data) const;           // that holds this data byte
  std::uint64_t offset_of(std::uint64_t data) const;
  std::uint64_t pieces_before(std::uint64_t data) const;  // that begin before this data byte

 private:
  struct Place {
    std::uint64_t tile = 0, in_tile = 0;
    std::size_t block = 0;
  };

  Place place_of(std::uint64_t data) const;

  archive::Layout tile_;                      // offsets from the first byte of its first piece
  std::uint64_t base_ = 0;                    // of the first piece of the first tile
  std::vector<std::uint64_t> data_before_;    // each block of a tile; one more at the end
  std::vector<std::uint64_t> pieces_before_;  // likewise
  bool has_gaps_ = false;
};

// One access. Data bytes of it are counted from 0.
class Pattern {
 public:
  Pattern() = default;
  static Pattern contiguous(std::uint64_t offset, std::uint64_t bytes);
  // `bytes` from data byte `position` of the view on, which outlives the pattern.
  static Pattern through(const ViewMap& view, std::uint64_t position, std::uint64_t bytes);
  // Of pieces that fit no view: ascending, disjoint.
  static Pattern of_pieces(std::vector<ByteRange> pieces);

  bool empty() const { return bytes_ == 0; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t begin() const { return begin_; }  // of an access to nothing: where it stands
  std::uint64_t end() const { return end_; }      // behind the last byte
  bool view_has_gaps() const { return view_ != nullptr ? view_->has_gaps() : !list_.empty(); }
  const ViewMap* view() const { return view_; }

  // How many of its data bytes lie before that byte of the file.
  std::uint64_t data_before(std::uint64_t offset) const;
  std::uint64_t bytes_in(std::uint64_t from, std::uint64_t to) const { return data_before(to) - data_before(from); }
  std::uint64_t offset_of(std::uint64_t data) const { return piece_from(data).begin; }
  // The piece that holds this data byte: all of it, as far as it belongs to the access; and from that byte on.
  ByteRange piece_at(std::uint64_t data) const;
  ByteRange piece_from(std::uint64_t data) const;
  // Pieces that data bytes [from, to) lie in.
  std::uint64_t pieces(std::uint64_t from, std::uint64_t to) const;

 private:
  const ViewMap* view_ = nullptr;
  std::uint64_t position_ = 0, bytes_ = 0, begin_ = 0, end_ = 0;
  std::vector<ByteRange> list_;
  std::vector<std::uint64_t> data_before_list_;  // of each run
};

// Patterns of the accesses of a program.
class Patterns {
 public:
  explicit Patterns(const Program& program);

  // `unknown_at`: where an access begins whose place was not recorded.
  Pattern of(const RankProgram& rank, const Operation& op, std::uint64_t unknown_at) const;
  // The view that an access goes through; null: the default view, or an unknown one.
  const ViewMap* view_of(const RankProgram& rank, const Operation& op) const;

 private:
  std::vector<std::unique_ptr<const ViewMap>> views_;  // by layout
  FileViews footprints_;                               // where there is no view map
};

}  // namespace plumbline::replay::io
