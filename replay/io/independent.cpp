#include "replay/io/independent.hpp"

#include <algorithm>
#include <utility>

#include "replay/io/append_transfer.hpp"

namespace plumbline::replay::io {
namespace {

std::uint64_t bytes_of(const ByteRange& run) { return run.end - run.begin; }

FileAction of_kind(hw::Access kind, FileAction read, FileAction write) {
  return kind == hw::Access::kWrite ? write : read;
}

}  // namespace

IndependentAccess::IndependentAccess(const FileSettings& settings, hw::Access kind, Called called, Pattern pattern)
    : settings_(&settings), kind_(kind), pattern_(std::move(pattern)) {
  if (pattern_.empty()) return;
  if (settings.library == MpiIoLibrary::kOmpio)
    way_ = Way::kList;
  else
    choose_romio(called);
}

// romio_independent(), and romio_collective() where ranks do not collect.
void IndependentAccess::choose_romio(Called called) {
  const bool writes = kind_ == hw::Access::kWrite;
  if (!pattern_.view_has_gaps()) {
    way_ = Way::kWhole;
    locks_ = settings_->atomic && called == Called::kIndependently;
    return;
  }
  if ((writes ? settings_->romio.romio_ds_write : settings_->romio.romio_ds_read) == RomioSwitch::kDisable) {
    way_ = Way::kPieces;
    locks_ = settings_->atomic;
    return;
  }
  const bool one_piece = pattern_.pieces(0, pattern_.bytes()) == 1;
  way_ = one_piece ? Way::kWhole : writes ? Way::kSievedWrites : Way::kSievedReads;
  locks_ = writes || (settings_->atomic && !one_piece);
}

std::optional<FileOperation> IndependentAccess::next() {
  while (taken_ == ready_.size()) {
    if (ended_ || way_ == Way::kNothing) return std::nullopt;
    ready_.clear();
    taken_ = 0;
    refill();
  }
  return ready_[taken_++];
}

void IndependentAccess::refill() {
  const ByteRange all = {pattern_.begin(), pattern_.end()};
  if (!std::exchange(begun_, true) && locks_)
    return ready_.push_back({FileAction::kLockWrite, all.begin, bytes_of(all)});
  if (data_ >= pattern_.bytes()) {
    if (locks_) ready_.push_back({FileAction::kUnlock, all.begin, bytes_of(all)});
    ended_ = true;
    return;
  }
  const FileAction action = of_kind(kind_, FileAction::kRead, FileAction::kWrite);
  switch (way_) {
    case Way::kNothing:
      return;
    case Way::kWhole:
      data_ = pattern_.bytes();
      return transfer(action, all);
    case Way::kPieces: {
      const ByteRange piece = pattern_.piece_from(data_);
      data_ += bytes_of(piece);
      return transfer(action, piece);
    }
    case Way::kSievedReads:
      return sieve_reads();
    case Way::kSievedWrites:
      return sieve_writes();
    case Way::kList:
      return next_of_list();
  }
}

void IndependentAccess::transfer(FileAction action, const ByteRange& range) {
  append_transfer(ready_, action, range.begin, bytes_of(range));
}

// The window goes on where the last one ended if a piece does, else at the next piece: at the next byte that is wanted.
void IndependentAccess::sieve_writes() {
  const std::uint64_t buffer = std::max<std::uint64_t>(settings_->romio.ind_wr_buffer_size, 1);
  const std::uint64_t begin = pattern_.offset_of(data_);
  window_ = {begin, begin + std::min(buffer, pattern_.end() - begin)};
  transfer(FileAction::kRead, window_);
  transfer(FileAction::kWrite, window_);
  data_ = pattern_.data_before(window_.end);
}

// In the middle of a piece the length of the next read is counted from the beginning of that piece.
void IndependentAccess::sieve_reads() {
  const std::uint64_t buffer = std::max<std::uint64_t>(settings_->romio.ind_rd_buffer_size, 1);
  const ByteRange piece = pattern_.piece_at(data_);
  const std::uint64_t begin = std::max(piece.begin, window_.end);
  window_ = {begin, begin + std::min(buffer, pattern_.end() - piece.begin)};
  transfer(FileAction::kRead, window_);
  data_ = pattern_.data_before(window_.end);
}

// ---- OMPIO: lists of pieces, so many bytes of data at a time

void IndependentAccess::begin_list() {
  const std::uint64_t most = std::max<std::uint64_t>(settings_->ompio.cycle_buffer_size, 1);
  cycle_ = data_ + std::min(most, pattern_.bytes() - data_);
  const std::uint64_t pieces = pattern_.pieces(data_, cycle_);
  list_sieves_ = pieces > 1 && ompio_sieves(settings_->ompio, kind_, OmpioCaller::kRank, pieces, cycle_ - data_,
                                            pattern_.offset_of(data_),
                                            std::max(pattern_.piece_at(cycle_ - 1).begin, pattern_.offset_of(data_)));
  if (pieces > 1) return;
  const std::uint64_t begin = pattern_.offset_of(data_);
  ready_.push_back({of_kind(kind_, FileAction::kRead, FileAction::kWrite), begin, cycle_ - data_});
  data_ = cycle_;
}

void IndependentAccess::next_of_list() {
  if (data_ == cycle_) begin_list();
  if (data_ == cycle_) return;
  if (list_sieves_)
    sieve_list();
  else
    next_vector();
}

// Whole pieces, as many as fit into the buffer, and one at least.
void IndependentAccess::sieve_list() {
  const std::uint64_t begin = pattern_.offset_of(data_), most = settings_->ompio.max_tmpbuf_size;
  const std::uint64_t first = data_ + std::min(bytes_of(pattern_.piece_from(data_)), cycle_ - data_);
  std::uint64_t end = std::min(std::max(pattern_.data_before(begin + most), data_), cycle_);
  if (end > data_ && end < cycle_) {
    const ByteRange piece = pattern_.piece_at(end - 1);
    if (pattern_.data_before(piece.end) != end) end = pattern_.data_before(piece.begin);
  }
  end = std::max(end, first);
  const ByteRange window = {begin, pattern_.offset_of(end - 1) + 1};
  transfer(FileAction::kRead, window);
  if (kind_ == hw::Access::kWrite) transfer(FileAction::kWrite, window);
  data_ = end;
}

void IndependentAccess::next_vector() {
  const FileAction action = of_kind(kind_, FileAction::kVectorRead, FileAction::kVectorWrite);
  const std::uint64_t begin = pattern_.offset_of(data_);
  std::uint64_t end = begin;
  for (std::size_t pieces = 0; data_ < cycle_ && pieces < kOmpioMostOfAVector; ++pieces) {
    const ByteRange piece = pattern_.piece_from(data_);
    if (piece.begin != end) break;
    const std::uint64_t bytes = std::min(bytes_of(piece), cycle_ - data_);
    end += bytes;
    data_ += bytes;
  }
  ready_.push_back({action, begin, end - begin});
}

}  // namespace plumbline::replay::io
