#include "replay/io/rounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "replay/io/append_transfer.hpp"

namespace plumbline::replay::io {
namespace {

std::uint64_t length(const ByteRange& run) { return run.end - run.begin; }

std::uint64_t quotient_up(std::uint64_t number, std::uint64_t divisor) {
  return number / divisor + (number % divisor != 0 ? 1 : 0);
}

// Whether pieces, in order of their beginnings, leave nothing of a window.
bool covers(const std::vector<ByteRange>& pieces, const ByteRange& window) {
  std::uint64_t covered = window.begin;
  for (const ByteRange& piece : pieces) {
    if (piece.begin > covered) return false;
    covered = std::max(covered, piece.end);
  }
  return covered >= window.end;
}

}  // namespace

ByteRange Ownership::from(std::uint64_t offset) const {
  offset = std::max(offset, range.begin);
  if (offset >= range.end) return {range.end, range.end};
  if (stripe == 0) return {offset, range.end};
  const std::uint64_t at = offset / stripe, lap = at % number;
  if (lap != index) {
    const std::uint64_t next = at + (index + number - lap) % number;
    if (next > range.end / stripe) return {range.end, range.end};
    return from(next * stripe);
  }
  return {offset, std::min(range.end, (at + 1) * stripe)};
}

std::span<const Transfer> Round::of_aggregator(std::size_t index) const {
  return std::span(transfers).subspan(first_transfer[index], first_transfer[index + 1] - first_transfer[index]);
}

std::span<const std::uint32_t> Round::of_rank(std::uint32_t rank) const {
  return std::span(by_rank).subspan(first_of_rank[rank], first_of_rank[rank + 1] - first_of_rank[rank]);
}

Rounds::Rounds(const RoundRules& rules, std::vector<Aggregator> aggregators, std::span<const Pattern> patterns)
    : rules_(rules), aggregators_(std::move(aggregators)), patterns_(patterns) {
  rules_.bytes = std::max<std::uint64_t>(rules_.bytes, 1);
  for (const Aggregator& aggregator : aggregators_) {
    Progress& progress = progress_.emplace_back();
    // From the first byte that anybody wants to the last one.
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
    const ByteRange owned = aggregator.owned.range;
    for (std::uint32_t rank = aggregator.first; rank < aggregator.behind_last; ++rank) {
      const Pattern& pattern = patterns[rank];
      const std::uint64_t before = pattern.data_before(owned.begin), until = pattern.data_before(owned.end);
      progress.reached.push_back(before);
      progress.next.push_back(place_of(pattern, before));
      if (before == until) continue;
      begin = std::min(begin, pattern.offset_of(before));
      end = std::max(end, pattern.offset_of(until - 1) + 1);
    }
    progress.at = std::min(begin, end);
    progress.end = end;
  }
  count();
}

void Rounds::count() {
  for (std::size_t i = 0; i < aggregators_.size(); ++i) {
    if (rules_.cut == Cut::kWindows) {
      number_ = std::max(number_, quotient_up(progress_[i].end - progress_[i].at, rules_.bytes));
      continue;
    }
    std::uint64_t bytes = 0;
    for (std::uint32_t rank = aggregators_[i].first; rank < aggregators_[i].behind_last; ++rank)
      bytes += bytes_of(i, rank);
    number_ = std::max(number_, quotient_up(bytes, rules_.bytes));
  }
}

std::uint64_t Rounds::bytes_of(std::size_t aggregator, std::uint32_t rank) const {
  const Ownership& owned = aggregators_[aggregator].owned;
  const Pattern& pattern = patterns_[rank];
  if (owned.number <= 1) return pattern.bytes_in(owned.range.begin, owned.range.end);
  std::uint64_t bytes = 0;
  for (ByteRange run = owned.from(pattern.begin()); run.begin < std::min(run.end, pattern.end());
       run = owned.from(run.end))
    bytes += pattern.bytes_in(run.begin, run.end);
  return bytes;
}

std::uint64_t Rounds::pieces_of(std::size_t aggregator, std::uint32_t rank) const {
  const Ownership& owned = aggregators_[aggregator].owned;
  const Pattern& pattern = patterns_[rank];
  if (owned.number <= 1)
    return pattern.pieces(pattern.data_before(owned.range.begin), pattern.data_before(owned.range.end));
  std::uint64_t pieces = 0;
  for (ByteRange run = owned.from(pattern.begin()); run.begin < std::min(run.end, pattern.end());
       run = owned.from(run.end))
    pieces += pattern.pieces(pattern.data_before(run.begin), pattern.data_before(run.end));
  return pieces;
}

void Rounds::make(Round& round) {
  round.transfers.clear();
  round.first_transfer.clear();
  round.before.resize(aggregators_.size());
  round.after.resize(aggregators_.size());
  for (std::size_t i = 0; i < aggregators_.size(); ++i) {
    round.before[i].clear();
    round.after[i].clear();
    taken_.assign(aggregators_[i].behind_last - aggregators_[i].first, 0);
    if (rules_.cut == Cut::kWindows)
      make_windows(i, round);
    else
      make_cycle(i, round);
    add_transfers(i, round);
  }
  round.first_transfer.push_back(static_cast<std::uint32_t>(round.transfers.size()));
  index_by_rank(round.transfers, patterns_.size(), round.by_rank, round.first_of_rank);
}

void Rounds::add_transfers(std::size_t index, Round& round) {
  const Aggregator& aggregator = aggregators_[index];
  round.first_transfer.push_back(static_cast<std::uint32_t>(round.transfers.size()));
  for (std::uint32_t rank = aggregator.first; rank < aggregator.behind_last; ++rank)
    if (rank != aggregator.rank && taken_[rank - aggregator.first] > 0)
      round.transfers.push_back({rank, aggregator.rank, taken_[rank - aggregator.first]});
}

// Of a data byte in the file.
std::uint64_t Rounds::place_of(const Pattern& pattern, std::uint64_t data) {
  return data < pattern.bytes() ? pattern.offset_of(data) : kNowhere;
}

// Moves on to the end of the region; the bytes that lay in it. Most ranks have none there.
std::uint64_t Rounds::take(std::size_t index, const ByteRange& region) {
  const Aggregator& aggregator = aggregators_[index];
  Progress& progress = progress_[index];
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < progress.next.size(); ++i) {
    if (progress.next[i] >= region.end) continue;
    const Pattern& pattern = patterns_[aggregator.first + i];
    const std::uint64_t before = aggregator.owned.stripe == 0 ? progress.reached[i] : pattern.data_before(region.begin);
    progress.reached[i] = pattern.data_before(region.end);
    progress.next[i] = place_of(pattern, progress.reached[i]);
    taken_[i] += progress.reached[i] - before;
    bytes += progress.reached[i] - before;
  }
  progress.at = region.end;
  return bytes;
}

void Rounds::make_windows(std::size_t index, Round& round) {
  Progress& progress = progress_[index];
  if (progress.at >= progress.end) return;
  const ByteRange window = {progress.at, std::min(progress.end, progress.at + rules_.bytes)};
  const std::uint64_t bytes = take(index, window);
  if (bytes == 0) return;
  const bool writes = rules_.kind == hw::Access::kWrite;
  if (!writes || !is_covered(index, window, bytes))
    append_transfer(round.before[index], FileAction::kRead, window.begin, length(window));
  if (writes) append_transfer(round.after[index], FileAction::kWrite, window.begin, length(window));
}

// As many bytes as the window has cover it, unless ranks write the same bytes, which MPI leaves undefined (MPI 4.0,
// 14.6.1); more than it has are looked at piece by piece.
bool Rounds::is_covered(std::size_t index, const ByteRange& window, std::uint64_t bytes) const {
  if (bytes <= length(window)) return bytes == length(window);
  return covers(pieces_in(index, std::span(&window, 1)), window);
}

std::vector<ByteRange> Rounds::pieces_in(std::size_t index, std::span<const ByteRange> regions) const {
  const Aggregator& aggregator = aggregators_[index];
  std::vector<ByteRange> pieces;
  for (std::uint32_t rank = aggregator.first; rank < aggregator.behind_last; ++rank)
    for (const ByteRange& region : regions) {
      std::uint64_t data = patterns_[rank].data_before(region.begin);
      const std::uint64_t end = patterns_[rank].data_before(region.end);
      while (data < end) {
        ByteRange piece = patterns_[rank].piece_from(data);
        piece.end = std::min(piece.end, region.end);
        pieces.push_back(piece);
        data += length(piece);
      }
    }
  std::sort(pieces.begin(), pieces.end(), [](const ByteRange& a, const ByteRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  return pieces;
}

std::uint64_t Rounds::data_in(std::size_t index, const ByteRange& region) const {
  const Aggregator& aggregator = aggregators_[index];
  std::uint64_t bytes = 0;
  for (std::uint32_t rank = aggregator.first; rank < aggregator.behind_last; ++rank)
    bytes += patterns_[rank].bytes_in(region.begin, region.end);
  return bytes;
}

// Where the first `bytes` of data of a region end, which has as many.
std::uint64_t Rounds::border(std::size_t index, const ByteRange& region, std::uint64_t bytes) const {
  std::uint64_t low = region.begin, high = region.end;
  if (data_in(index, {region.begin, region.begin + bytes - 1}) < bytes) low = region.begin + bytes - 1;  // no overlaps
  for (std::uint64_t step = bytes; step < length(region); step *= 2) {  // without holes the first one is it
    if (data_in(index, {region.begin, region.begin + step}) >= bytes) {
      high = region.begin + step;
      break;
    }
    low = region.begin + step;
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (data_in(index, {region.begin, middle}) >= bytes ? high : low) = middle;
  }
  return high;
}

void Rounds::make_cycle(std::size_t index, Round& round) {
  Progress& progress = progress_[index];
  std::vector<ByteRange> regions;
  std::uint64_t left = rules_.bytes, bytes = 0;
  while (left > 0 && progress.at < progress.end) {
    ByteRange region = aggregators_[index].owned.from(progress.at);
    region.end = std::min(region.end, progress.end);
    if (region.begin >= region.end) break;
    if (data_in(index, region) > left) region.end = border(index, region, left);
    const std::uint64_t taken = take(index, region);
    left -= std::min(left, taken);
    bytes += taken;
    if (taken > 0) regions.push_back(region);
  }
  if (regions.empty()) return;
  if (rules_.kind == hw::Access::kRead) return add_cycle_operations(index, regions, bytes, round.before[index]);
  if (!rules_.by_stripe) return add_cycle_operations(index, regions, bytes, round.after[index]);
  for (const ByteRange& region : regions)
    add_cycle_operations(index, std::span(&region, 1), data_in(index, region), round.after[index]);
}

void Rounds::add_cycle_operations(std::size_t index, std::span<const ByteRange> regions, std::uint64_t bytes,
                                  FileOperations& operations) const {
  const bool is_whole = regions.size() == 1 && bytes == length(regions[0]);
  const std::vector<ByteRange> pieces =
      is_whole ? std::vector<ByteRange>(regions.begin(), regions.end()) : ompio_joined(pieces_in(index, regions));
  if (!rules_.asynchronous) return ompio_append_list(operations, *rules_.ompio, rules_.kind, rules_.caller, pieces);
  for (const ByteRange& piece : pieces) operations.push_back({FileAction::kSubmitWrite, piece.begin, length(piece)});
}

}  // namespace plumbline::replay::io
