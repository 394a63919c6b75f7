#include "tests/replay/io/romio_lists.hpp"

#include <algorithm>

#include "replay/io/append_transfer.hpp"
#include "tests/replay/io/windows.hpp"

namespace plumbline::replay::io {
namespace {

FileAction action_of(hw::Access kind) { return kind == hw::Access::kWrite ? FileAction::kWrite : FileAction::kRead; }

ByteRange range_of(const RomioPart& part) { return {part.pieces.front().begin, part.pieces.back().end}; }

void lock(FileOperations& operations, const ByteRange& range) {
  operations.push_back({FileAction::kLockWrite, range.begin, range.end - range.begin});
}

void unlock(FileOperations& operations, const ByteRange& range) {
  operations.push_back({FileAction::kUnlock, range.begin, range.end - range.begin});
}

// ---- Data sieving: windows over the pieces

// ADIOI_BUFFERED_READ (ad_read_str.c). A piece that crosses the end of a window stays in the buffer up to there, and
// the next window is read behind it; its length is counted from the beginning of what stayed, so that it may reach
// beyond the last byte by as much.
void sieve_reads(FileOperations& operations, const std::vector<ByteRange>& pieces, std::uint64_t buffer) {
  const std::uint64_t end = pieces.back().end;
  buffer = std::max<std::uint64_t>(buffer, 1);
  ByteRange window;
  for (const ByteRange& piece : pieces) {
    if (piece.begin >= window.end) {
      window = {piece.begin, piece.begin + std::min(buffer, end - piece.begin)};
      append_transfer(operations, FileAction::kRead, window.begin, window.end - window.begin);
    }
    while (piece.end > window.end) {
      const std::uint64_t bytes = std::min(buffer, end - piece.begin);
      append_transfer(operations, FileAction::kRead, window.end, bytes);
      window = {piece.begin, window.end + bytes};
    }
  }
}

// ADIOI_BUFFERED_WRITE and ADIOI_BUFFERED_WRITE_WITHOUT_READ (ad_write_str.c).
void sieve_writes(FileOperations& operations, const std::vector<ByteRange>& pieces, std::uint64_t buffer,
                  bool reads_first) {
  const std::uint64_t end = pieces.back().end;
  buffer = std::max<std::uint64_t>(buffer, 1);
  ByteRange window;
  const auto begin_window = [&](std::uint64_t begin) {
    window = {begin, begin + std::min(buffer, end - begin)};
    if (reads_first) append_transfer(operations, FileAction::kRead, window.begin, window.end - window.begin);
  };
  const auto write_window = [&] {
    append_transfer(operations, FileAction::kWrite, window.begin, window.end - window.begin);
  };
  for (const ByteRange& piece : pieces) {
    if (piece.begin >= window.end) {
      write_window();
      begin_window(piece.begin);
    }
    while (piece.end > window.end) {
      write_window();
      begin_window(window.end);
    }
  }
  write_window();
}

// ADIOI_GEN_ReadStrided_naive, ADIOI_GEN_WriteStrided_naive.
FileOperations piece_by_piece(hw::Access kind, bool atomic, const RomioPart& part) {
  FileOperations operations;
  if (atomic) lock(operations, range_of(part));
  for (const ByteRange& piece : part.pieces)
    append_transfer(operations, action_of(kind), piece.begin, piece.end - piece.begin);
  if (atomic) unlock(operations, range_of(part));
  return operations;
}

// ADIOI_GEN_ReadStrided, ADIOI_GEN_WriteStrided: memory or file has gaps.
FileOperations strided(const RomioHints& hints, hw::Access kind, bool atomic, const RomioPart& part) {
  const bool writes = kind == hw::Access::kWrite;
  if ((writes ? hints.romio_ds_write : hints.romio_ds_read) == RomioSwitch::kDisable)
    return piece_by_piece(kind, atomic, part);
  const bool in_one_block = part.pieces.size() == 1 && part.file_has_gaps && !part.memory_has_gaps;
  const bool locks = writes || (atomic && !in_one_block);
  FileOperations operations;
  if (locks) lock(operations, range_of(part));
  if (in_one_block)
    append_transfer(operations, action_of(kind), part.pieces[0].begin, part.pieces[0].end - part.pieces[0].begin);
  else if (writes)
    sieve_writes(operations, part.pieces, hints.ind_wr_buffer_size, part.file_has_gaps);
  else
    sieve_reads(operations, part.pieces, hints.ind_rd_buffer_size);
  if (locks) unlock(operations, range_of(part));
  return operations;
}

FileOperations contiguous_transfer(hw::Access kind, const RomioPart& part) {
  FileOperations operations;
  const ByteRange range = range_of(part);
  append_transfer(operations, action_of(kind), range.begin, range.end - range.begin);
  return operations;
}

bool is_contiguous(const RomioPart& part) { return !part.file_has_gaps && !part.memory_has_gaps; }

// ---- Two phases

std::vector<RomioExtent> extents_of(std::span<const RomioPart> parts) {
  std::vector<RomioExtent> extents;
  for (const RomioPart& part : parts)
    extents.push_back(part.pieces.empty()
                          ? romio_extent(true, part.position, part.position, part.file_has_gaps)
                          : romio_extent(false, part.pieces.front().begin, part.pieces.back().end, part.file_has_gaps));
  return extents;
}

std::vector<ByteRange> wanted_in(const ByteRange& domain, std::span<const RomioPart> parts) {
  std::vector<ByteRange> wanted;
  for (const RomioPart& part : parts) add_clipped(wanted, part.pieces, domain);
  return wanted;
}

}  // namespace

FileOperations romio_independent(const RomioHints& hints, hw::Access kind, bool atomic, const RomioPart& part) {
  if (part.pieces.empty()) return {};
  if (!is_contiguous(part)) return strided(hints, kind, atomic, part);
  FileOperations operations;
  if (atomic) lock(operations, range_of(part));
  const FileOperations whole = contiguous_transfer(kind, part);
  operations.insert(operations.end(), whole.begin(), whole.end());
  if (atomic) unlock(operations, range_of(part));
  return operations;
}

bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioPart> parts) {
  return romio_collects(collective_buffering, extents_of(parts));
}

std::vector<ByteRange> romio_domains(const RomioHints& hints, std::size_t aggregators,
                                     std::span<const RomioPart> parts) {
  return romio_domains(hints, aggregators, extents_of(parts));
}

std::vector<FileOperations> romio_collective(const RomioHints& hints, hw::Access kind, bool atomic,
                                             std::span<const std::uint32_t> aggregators,
                                             std::span<const RomioPart> parts) {
  std::vector<FileOperations> operations(parts.size());
  if (!romio_collects(kind == hw::Access::kWrite ? hints.romio_cb_write : hints.romio_cb_read, parts)) {
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      if (parts[rank].pieces.empty()) continue;
      operations[rank] = is_contiguous(parts[rank]) ? contiguous_transfer(kind, parts[rank])  // no lock, even if atomic
                                                    : strided(hints, kind, atomic, parts[rank]);
    }
    return operations;
  }
  const std::vector<ByteRange> domains = romio_domains(hints, aggregators.size(), parts);
  for (std::size_t i = 0; i < aggregators.size(); ++i)
    operations[aggregators[i]] = window_by_window(kind, hints.cb_buffer_size, wanted_in(domains[i], parts));
  return operations;
}

FileOperations romio_shared_pointer() {
  constexpr std::uint64_t kPointerBytes = 8;  // sizeof(ADIO_Offset), ad_get_sh_fp.c
  return {{FileAction::kLockWrite, 0, kPointerBytes},
          {FileAction::kRead, 0, kPointerBytes},
          {FileAction::kWrite, 0, kPointerBytes},
          {FileAction::kUnlock, 0, kPointerBytes}};
}

}  // namespace plumbline::replay::io
