#include "replay/io/romio.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "replay/io/two_phase.hpp"

namespace plumbline::replay::io {
namespace {

FileAction action_of(hw::Access kind) { return kind == hw::Access::kWrite ? FileAction::kWrite : FileAction::kRead; }

Run range_of(const RomioPart& part) { return {part.pieces.front().begin, part.pieces.back().end}; }

void lock(FileOperations& operations, const Run& range) {
  operations.push_back({FileAction::kLockWrite, range.begin, range.end - range.begin});
}

void unlock(FileOperations& operations, const Run& range) {
  operations.push_back({FileAction::kUnlock, range.begin, range.end - range.begin});
}

// ---- Data sieving: windows over the pieces

// ADIOI_BUFFERED_READ (ad_read_str.c). A piece that crosses the end of a window stays in the buffer up to there, and
// the next window is read behind it; its length is counted from the beginning of what stayed, so that it may reach
// beyond the last byte by as much.
void sieve_reads(FileOperations& operations, const std::vector<Run>& pieces, std::uint64_t buffer) {
  const std::uint64_t end = pieces.back().end;
  buffer = std::max<std::uint64_t>(buffer, 1);
  Run window;
  for (const Run& piece : pieces) {
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
void sieve_writes(FileOperations& operations, const std::vector<Run>& pieces, std::uint64_t buffer, bool reads_first) {
  const std::uint64_t end = pieces.back().end;
  buffer = std::max<std::uint64_t>(buffer, 1);
  Run window;
  const auto begin_window = [&](std::uint64_t begin) {
    window = {begin, begin + std::min(buffer, end - begin)};
    if (reads_first) append_transfer(operations, FileAction::kRead, window.begin, window.end - window.begin);
  };
  const auto write_window = [&] {
    append_transfer(operations, FileAction::kWrite, window.begin, window.end - window.begin);
  };
  for (const Run& piece : pieces) {
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
  for (const Run& piece : part.pieces)
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
  const Run range = range_of(part);
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

std::uint64_t nearest_multiple(std::uint64_t value, std::uint64_t unit) {
  const std::uint64_t front = value % unit, back = unit - front;
  return front < back ? value - front : value + back;
}

std::vector<Run> wanted_in(const Run& domain, std::span<const RomioPart> parts) {
  std::vector<Run> wanted;
  for (const RomioPart& part : parts) add_clipped(wanted, part.pieces, domain);
  return wanted;
}

// ---- The list of aggregators (cb_config_list.c)

struct HostShare {
  std::string_view processor;  // or "*"
  std::size_t most = 1;
};

// Takes the first item off the list.
HostShare next_share(std::string_view& list, std::size_t cb_nodes) {
  const std::size_t comma = list.find(',');
  const std::string_view item = list.substr(0, comma);
  list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  const std::size_t colon = item.find(':');
  HostShare share{item.substr(0, colon)};
  if (colon == std::string_view::npos) return share;
  const std::string_view number = item.substr(colon + 1);
  if (number == "*") share.most = cb_nodes;
  if (std::from_chars(number.data(), number.data() + number.size(), share.most).ptr != number.data() + number.size() &&
      number != "*")
    share.most = 1;
  return share;
}

// Up to `most` ranks of that processor, in order; none of its ranks is free afterwards.
void take(std::string_view processor, std::size_t most, std::span<const std::string> processors,
          std::vector<bool>& taken, std::size_t limit, std::vector<std::uint32_t>& aggregators) {
  for (std::size_t rank = 0; rank < processors.size(); ++rank) {
    if (taken[rank] || processors[rank] != processor) continue;
    taken[rank] = true;
    if (most == 0 || aggregators.size() == limit) continue;
    --most;
    aggregators.push_back(static_cast<std::uint32_t>(rank));
  }
}

}  // namespace

std::vector<std::uint32_t> romio_aggregators(std::span<const std::string> processors, std::string_view cb_config_list,
                                             std::uint32_t cb_nodes) {
  const std::size_t ranks = processors.size();
  const std::size_t limit = cb_nodes == 0 || cb_nodes > ranks ? ranks : cb_nodes;
  std::vector<std::uint32_t> aggregators;
  if (cb_config_list == "*:*") {  // ranks in order, whatever their processors
    for (std::uint32_t rank = 0; rank < limit; ++rank) aggregators.push_back(rank);
    return aggregators;
  }
  std::vector<bool> taken(ranks, false);
  while (!cb_config_list.empty() && aggregators.size() < limit) {
    const HostShare share = next_share(cb_config_list, limit);
    if (share.processor != "*") {
      take(share.processor, share.most, processors, taken, limit, aggregators);
      continue;
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (!taken[rank]) take(processors[rank], share.most, processors, taken, limit, aggregators);
  }
  return aggregators;
}

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

RomioExtent romio_extent(bool empty, std::uint64_t begin, std::uint64_t end, bool file_has_gaps) {
  const auto first = static_cast<std::int64_t>(begin);
  if (empty) return {first, file_has_gaps ? 0 : first - 1};
  return {first, static_cast<std::int64_t>(end) - 1};
}

bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioPart> parts) {
  return romio_collects(collective_buffering, extents_of(parts));
}

bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioExtent> extents) {
  if (collective_buffering != RomioSwitch::kAutomatic) return collective_buffering == RomioSwitch::kEnable;
  for (std::size_t rank = 1; rank < extents.size(); ++rank) {
    const RomioExtent& before = extents[rank - 1];
    const RomioExtent& own = extents[rank];
    if (own.first < before.last && own.first <= own.last) return true;
  }
  return false;
}

std::vector<Run> romio_domains(const RomioHints& hints, std::size_t aggregators, std::span<const RomioPart> parts) {
  return romio_domains(hints, aggregators, extents_of(parts));
}

std::vector<Run> romio_domains(const RomioHints& hints, std::size_t aggregators, std::span<const RomioExtent> extents) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  for (const RomioExtent& extent : extents) {
    first = std::min(first, extent.first);
    last = std::max(last, extent.last);
  }
  if (last < first) return std::vector<Run>(aggregators);
  const auto begin = static_cast<std::uint64_t>(first), end = static_cast<std::uint64_t>(last) + 1;
  const std::uint64_t share = std::max((end - begin - 1) / aggregators + 1, hints.romio_min_fdomain_size);
  std::vector<Run> domains(aggregators);
  std::uint64_t from = begin;
  for (std::size_t i = 0; i < aggregators; ++i) {
    std::uint64_t border = begin + share * (i + 1);
    if (hints.striping_unit > 0) border = i + 1 == aggregators ? end : nearest_multiple(border, hints.striping_unit);
    border = std::max(from, std::min(border, end));
    domains[i] = {from, border};
    from = border;
  }
  return domains;
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
  const std::vector<Run> domains = romio_domains(hints, aggregators.size(), parts);
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
