#include "replay/io/lock_table.hpp"

#include <algorithm>

namespace plumbline::replay::io {
namespace {

bool overlap(const ByteRange& a, const ByteRange& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

bool LockTable::is_free(const Lock& lock) const {
  return std::none_of(held_.begin(), held_.end(), [&](const Lock& held) {
    return held.rank != lock.rank && (held.exclusive || lock.exclusive) && overlap(held.range, lock.range);
  });
}

bool LockTable::lock(std::uint32_t rank, const ByteRange& range, bool exclusive) {
  const Lock lock{rank, range, exclusive};
  const bool free = is_free(lock);
  (free ? held_ : waiting_).push_back(lock);
  return free;
}

std::vector<std::uint32_t> LockTable::unlock(std::uint32_t rank, const ByteRange& range) {
  std::vector<Lock> kept;
  for (const Lock& lock : held_) {
    if (lock.rank != rank || !overlap(lock.range, range)) {
      kept.push_back(lock);
      continue;
    }
    if (lock.range.begin < range.begin) kept.push_back({rank, {lock.range.begin, range.begin}, lock.exclusive});
    if (range.end < lock.range.end) kept.push_back({rank, {range.end, lock.range.end}, lock.exclusive});
  }
  held_ = std::move(kept);
  std::vector<std::uint32_t> granted;
  std::erase_if(waiting_, [&](const Lock& lock) {
    if (!is_free(lock)) return false;
    held_.push_back(lock);
    granted.push_back(lock.rank);
    return true;
  });
  return granted;
}

std::vector<std::uint32_t> LockTable::holders_before(std::uint32_t rank) const {
  std::vector<std::uint32_t> holders;
  const auto own = std::find_if(waiting_.begin(), waiting_.end(), [&](const Lock& l) { return l.rank == rank; });
  if (own == waiting_.end()) return holders;
  for (const Lock& held : held_)
    if (held.rank != rank && (held.exclusive || own->exclusive) && overlap(held.range, own->range))
      holders.push_back(held.rank);
  return holders;
}

}  // namespace plumbline::replay::io
