#include "hwmodels/storage/resident_set.hpp"

#include <algorithm>
#include <iterator>

namespace plumbline::hw::storage {

void ResidentSet::insert(std::uint32_t file, Extent extent) {
  cut(file, extent);
  if (!by_use_.empty()) {  // a sequential access makes one run longer
    const auto last = runs_.find(by_use_.rbegin()->second);
    const Extent before{last->first.offset, last->second.length};
    if (last->first.file == file && before.end() == extent.offset && before.length + extent.length <= run_) {
      extent = span_of(before, extent);
      remove(last);
    }
  }
  add(file, extent, ++uses_);
  while (size_ > memory_) remove(runs_.find(by_use_.begin()->second));
}

ResidentSet::Found ResidentSet::find(std::uint32_t file, Extent extent) {
  const Runs::iterator run = first_behind(file, extent.offset);
  if (run == runs_.end() || run->first.file != file || run->first.offset >= extent.end()) return {extent.length, false};
  if (run->first.offset > extent.offset) return {run->first.offset - extent.offset, false};
  by_use_.erase(run->second.used);
  run->second.used = ++uses_;
  by_use_.emplace(uses_, run->first);
  return {std::min(extent.end(), run->first.offset + run->second.length) - extent.offset, true};
}

void ResidentSet::add(std::uint32_t file, Extent extent, std::uint64_t used) {
  runs_.emplace(Place{file, extent.offset}, Run{extent.length, used});
  by_use_.emplace(used, Place{file, extent.offset});
  size_ += extent.length;
}

void ResidentSet::remove(Runs::iterator run) {
  size_ -= run->second.length;
  by_use_.erase(run->second.used);
  runs_.erase(run);
}

// What other runs hold of `extent` is no longer theirs.
void ResidentSet::cut(std::uint32_t file, Extent extent) {
  while (true) {
    const Runs::iterator run = first_behind(file, extent.offset);
    if (run == runs_.end() || run->first.file != file || run->first.offset >= extent.end()) return;
    const Extent old{run->first.offset, run->second.length};
    const std::uint64_t used = run->second.used;
    remove(run);
    const bool front = old.offset < extent.offset;
    if (front) add(file, {old.offset, extent.offset - old.offset}, used);
    // Of two parts one needs another number: numbers are unique.
    if (old.end() > extent.end()) add(file, {extent.end(), old.end() - extent.end()}, front ? ++uses_ : used);
  }
}

ResidentSet::Runs::iterator ResidentSet::first_behind(std::uint32_t file, std::uint64_t offset) {
  Runs::iterator run = runs_.upper_bound({file, offset});
  if (run == runs_.begin()) return run;
  const Runs::iterator before = std::prev(run);
  const bool reaches = before->first.file == file && before->first.offset + before->second.length > offset;
  return reaches ? before : run;
}

}  // namespace plumbline::hw::storage
