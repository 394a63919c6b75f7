// Which access each policy gives to the device next. Rules and constants are those of PIOsimHD (revision 969d4e5),
// where nothing else is said.

#include <algorithm>

#include "base/units.hpp"
#include "hwmodels/storage/cache_model.hpp"

namespace plumbline::hw::storage {
namespace {

// Of server-directed I/O: what a file that is served already weighs more than others, and how far from the last access
// an access counts as near.
constexpr std::uint64_t kFavour = 10;
constexpr std::uint64_t kNear = 5 * kMebi;

}  // namespace

// None and write-behind: reads before writes, each in the order of arrival; nothing is merged.
bool CacheModel::next_in_turn(UnderWay& slot, bool overdraw) {
  if (!reads_.empty() && (overdraw || has_memory(piece(reads_[reads_.oldest()])))) {
    begin(slot, reads_, reads_.oldest());
    return true;
  }
  if (writes_.empty()) return false;
  if (writes_[writes_.oldest()].operation == Operation::kFlush) return next_flush(slot, writes_, false);
  begin(slot, writes_, writes_.oldest());
  return true;
}

// Aggregation: as before, and what is given is merged with what touches it, in both directions, up to the granularity.
bool CacheModel::next_aggregated(UnderWay& slot, bool overdraw) {
  const bool reads = !reads_.empty() && (overdraw || has_memory(cache_.granularity.count));
  JobQueue& queue = reads ? reads_ : writes_;
  if (queue.empty()) return false;
  if (queue[queue.oldest()].operation == Operation::kFlush) return next_flush(slot, queue, false);
  begin(slot, queue, queue.oldest());
  while (true) {
    const std::uint32_t job = touching_neighbour(queue, slot.access.file, slot.access.extent);
    if (job == kNone || !may_merge(slot, queue[job])) return true;
    merge(slot, queue, job);
  }
}

// Aggregation with reordering: reads as long as there are any, then all writes, then all flushes; of the last file, if
// it has any, those of the lowest offset; merged with what lies behind. Neither side is protected against starving.
bool CacheModel::next_reordered(UnderWay& slot, bool overdraw) {
  const auto read = [&] {
    if (reads_.empty()) return false;
    const std::uint32_t job = in_last_file_or_lowest(reads_);
    if (!overdraw && !has_memory(piece(reads_[job]))) return false;
    begin(slot, reads_, job);
    merge_upward(slot, reads_);
    return true;
  };
  if (reading_ && read()) return true;
  reading_ = false;
  if (!writes_.empty()) {
    begin(slot, writes_, in_last_file_or_lowest(writes_));
    merge_upward(slot, writes_);
    return true;
  }
  if (!flushes_.empty()) return next_flush(slot, flushes_, true);
  reading_ = true;
  return read();
}

// Server-directed: of the file and direction with the most bytes, the last file favoured, what is near to the last
// access, else the largest. What a flush waits for goes first, so that no other file can keep it waiting for ever.
bool CacheModel::next_directed(UnderWay& slot, bool overdraw) {
  if (!flushes_.empty()) {
    const std::uint32_t file = flushes_[flushes_.oldest()].file;
    if (writes_.largest(file) != kNone) {
      begin(slot, writes_, near_or_largest(writes_, file));
      return true;
    }
    if (!writing(file)) return next_flush(slot, flushes_, true);
  }
  const bool may_read = overdraw || has_memory(cache_.granularity.count);
  const JobQueue::Weight reads = may_read ? reads_.heaviest(last_file_, kFavour) : JobQueue::Weight{};
  const JobQueue::Weight writes = writes_.heaviest(last_file_, kFavour);
  if (reads.file == kNone && writes.file == kNone) return false;
  const bool read = reads.bytes >= writes.bytes;
  JobQueue& queue = read ? reads_ : writes_;
  begin(slot, queue, near_or_largest(queue, read ? reads.file : writes.file));
  merge_upward(slot, queue);
  return true;
}

// Page cache: reads that found nothing; then what a flush waits for, and the flush; then, from the background limit on,
// what is dirty, upward in the last file. Reads take no memory of their own: what is read stays until it gives way.
bool CacheModel::next_of_pages(UnderWay& slot, bool overdraw) {
  if (!reads_.empty()) {
    begin(slot, reads_, in_last_file_or_lowest(reads_));
    merge_upward(slot, reads_);
    return true;
  }
  if (!flushes_.empty()) {
    const std::uint32_t file = flushes_[flushes_.oldest()].file;
    const std::uint32_t job = writes_.at_or_behind(file, 0);
    if (job == kNone) return next_flush(slot, flushes_, true);
    begin(slot, writes_, job);
    return true;
  }
  const std::int64_t dirty = capacity_ - free_;
  const bool much = dirty >= static_cast<std::int64_t>(dirty_background(cache_).count);
  if (writes_.empty() || (!much && !overdraw)) return false;
  begin(slot, writes_, in_last_file_or_lowest(writes_));
  return true;
}

// The oldest flush of a queue, or all of the same file; not while something is being written to the file.
bool CacheModel::next_flush(UnderWay& slot, JobQueue& queue, bool all_of_file) {
  const std::uint32_t oldest = queue.oldest();
  const std::uint32_t file = queue[oldest].file;
  if (writing(file)) return false;
  slot.access.file = file;
  slot.access.operation = Operation::kFlush;
  slot.access.extent = {};
  for (std::uint32_t job = oldest; job != kNone;) {
    const std::uint32_t next = all_of_file ? queue.next_oldest(job) : kNone;
    if (queue[job].file == file) {
      slot.served.push_back({queue[job].portion, {}});
      queue.remove(job);
    }
    job = next;
  }
  return true;
}

// Writes of server-directed I/O never overlap: newer data replaces older, and what is adjacent is one.
void CacheModel::insert_run(std::uint32_t file, Extent extent) {
  while (true) {
    const std::uint32_t other = touching_neighbour(writes_, file, extent);
    if (other == kNone) break;
    const Extent old = writes_[other].extent, both = span_of(old, extent);
    free_ += static_cast<std::int64_t>(old.length + extent.length - both.length);
    extent = both;
    writes_.remove(other);
  }
  writes_.add({extent, number_++, file, kNone, Operation::kWrite});
}

std::uint32_t CacheModel::in_last_file_or_lowest(const JobQueue& queue) const {
  const std::uint32_t job = last_file_ == kNone ? kNone : queue.at_or_behind(last_file_, 0);
  return job != kNone ? job : queue.lowest();
}

std::uint32_t CacheModel::near_or_largest(const JobQueue& queue, std::uint32_t file) const {
  if (file == last_file_) {
    const std::uint32_t job = queue.at_or_behind(file, last_position_ - std::min(last_position_, kNear));
    if (job != kNone && queue[job].extent.offset <= last_position_ + kNear) return job;
  }
  return queue.largest(file);
}

}  // namespace plumbline::hw::storage
