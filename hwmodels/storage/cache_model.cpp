#include "hwmodels/storage/cache_model.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace plumbline::hw::storage {
namespace {

Order order_of(CachePolicy policy) {
  switch (policy) {
    case CachePolicy::kNone:
    case CachePolicy::kWriteBehind:
      return Order::kArrival;
    case CachePolicy::kAggregation:
    case CachePolicy::kAggregationReorder:
    case CachePolicy::kPageCache:
      return Order::kPlace;
    case CachePolicy::kServerDirected:
      return Order::kPlaceAndSize;
  }
  return Order::kArrival;
}

bool keeps_flushes_apart(CachePolicy policy) {
  return policy != CachePolicy::kNone && policy != CachePolicy::kWriteBehind && policy != CachePolicy::kAggregation;
}

}  // namespace

CacheModel::CacheModel(const ServerCache& cache, bool holds_all)
    : cache_(cache),
      memory_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
      reads_(order_of(cache.policy), *memory_),
      writes_(order_of(cache.policy), *memory_),
      flushes_(Order::kArrival, *memory_),
      capacity_(static_cast<std::int64_t>(
          (cache.policy == CachePolicy::kPageCache ? dirty_limit(cache) : cache.memory).count)),
      free_(capacity_),
      holds_all_(holds_all && cache.policy == CachePolicy::kPageCache) {
  PLUMBLINE_CHECK(cache.granularity.count > 0 && cache.concurrent > 0, "a cache gives its device something to do");
  if (cache.policy == CachePolicy::kPageCache) resident_.emplace(cache.memory, cache.granularity, *memory_);
}

bool CacheModel::accepts(Bytes size) const {
  if (cache_.policy == CachePolicy::kNone) return writes_.empty() && writes_under_way_ == 0;
  return has_memory(size.count);
}

void CacheModel::write(std::uint32_t file, Extent extent) {
  if (extent.length == 0) return;
  free_ -= static_cast<std::int64_t>(extent.length);
  written_ += extent.length;
  if (resident_) resident_->insert(file, extent);
  if (resident_ || cache_.policy == CachePolicy::kServerDirected)
    insert_run(file, extent);
  else
    writes_.add({extent, number_++, file, kNone, Operation::kWrite});
}

Bytes CacheModel::read(std::uint32_t portion, std::uint32_t file, Extent extent) {
  asked_ += extent.length;
  if (holds_all_) return {extent.length};
  Bytes here;
  while (extent.length > 0) {
    const ResidentSet::Found found =
        resident_ ? resident_->find(file, extent) : ResidentSet::Found{extent.length, false};
    if (found.here)
      here += {found.length};
    else
      reads_.add({{extent.offset, found.length}, number_++, file, portion, Operation::kRead});
    extent = {extent.offset + found.length, extent.length - found.length};
  }
  return here;
}

void CacheModel::flush(std::uint32_t portion, std::uint32_t file) {
  JobQueue& queue = keeps_flushes_apart(cache_.policy) ? flushes_ : writes_;
  queue.add({{}, number_++, file, portion, Operation::kFlush});
}

std::optional<DeviceAccess> CacheModel::next(bool overdraw) {
  if (under_way_count_ >= cache_.concurrent) return std::nullopt;
  const std::uint32_t index = free_slot();
  UnderWay& slot = slots_[index];
  slot.access.id = index;
  slot.memory = 0;
  slot.served.clear();
  if (!begin_next(slot, overdraw)) return std::nullopt;
  slot.active = true;
  ++under_way_count_;
  if (slot.access.operation == Operation::kWrite) ++writes_under_way_;
  if (slot.access.operation != Operation::kFlush) {
    last_file_ = slot.access.file;
    last_position_ = slot.access.extent.end();
  }
  return slot.access;
}

bool CacheModel::begin_next(UnderWay& slot, bool overdraw) {
  switch (cache_.policy) {
    case CachePolicy::kNone:
    case CachePolicy::kWriteBehind:
      return next_in_turn(slot, overdraw);
    case CachePolicy::kAggregation:
      return next_aggregated(slot, overdraw);
    case CachePolicy::kAggregationReorder:
      return next_reordered(slot, overdraw);
    case CachePolicy::kServerDirected:
      return next_directed(slot, overdraw);
    case CachePolicy::kPageCache:
      return next_of_pages(slot, overdraw);
  }
  return false;
}

void CacheModel::done(std::uint32_t access, std::vector<Served>& served) {
  UnderWay& slot = slots_[access];
  PLUMBLINE_CHECK(slot.active, "the device does what it was given, once");
  slot.active = false;
  --under_way_count_;
  if (slot.access.operation == Operation::kWrite) --writes_under_way_;
  free_ += static_cast<std::int64_t>(slot.memory);
  if (resident_ && slot.access.operation == Operation::kRead) resident_->insert(slot.access.file, slot.access.extent);
  served.insert(served.end(), slot.served.begin(), slot.served.end());
}

// The access begins with the first bytes of a job, at most `granularity` of them.
void CacheModel::begin(UnderWay& slot, JobQueue& queue, std::uint32_t index) {
  const Job job = queue[index];
  const std::uint64_t length = piece(job);
  slot.access.file = job.file;
  slot.access.operation = job.operation;
  slot.access.extent = {job.extent.offset, length};
  serve(slot, job, length);
  if (length == job.extent.length)
    queue.remove(index);
  else
    queue.cut_front(index, length);
}

void CacheModel::serve(UnderWay& slot, const Job& job, std::uint64_t length) {
  if (job.operation == Operation::kWrite) {
    slot.memory += length;
    return;
  }
  if (job.operation == Operation::kRead && !resident_) free_ -= static_cast<std::int64_t>(length);
  slot.served.push_back({job.portion, {length}});
}

bool CacheModel::may_merge(const UnderWay& slot, const Job& job) const {
  if (!touch(slot.access.extent, job.extent)) return false;
  if (span_of(slot.access.extent, job.extent).length > cache_.granularity.count) return false;
  return job.operation == Operation::kWrite || resident_ || has_memory(job.extent.length);
}

void CacheModel::merge(UnderWay& slot, JobQueue& queue, std::uint32_t index) {
  const Job job = queue[index];
  slot.access.extent = span_of(slot.access.extent, job.extent);
  serve(slot, job, job.extent.length);
  queue.remove(index);
}

void CacheModel::merge_upward(UnderWay& slot, JobQueue& queue) {
  while (true) {
    const std::uint32_t job = queue.at_or_behind(slot.access.file, slot.access.extent.offset);
    if (job == kNone || !may_merge(slot, queue[job])) return;
    merge(slot, queue, job);
  }
}

bool CacheModel::writing(std::uint32_t file) const {
  return std::any_of(slots_.begin(), slots_.end(), [file](const UnderWay& slot) {
    return slot.active && slot.access.operation == Operation::kWrite && slot.access.file == file;
  });
}

std::uint64_t CacheModel::piece(const Job& job) const { return std::min(job.extent.length, cache_.granularity.count); }

std::uint32_t CacheModel::free_slot() {
  for (std::uint32_t i = 0; i < slots_.size(); ++i)
    if (!slots_[i].active) return i;
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

std::uint32_t touching_neighbour(const JobQueue& queue, std::uint32_t file, Extent extent) {
  const auto touching = [&](std::uint32_t job) { return job != kNone && touch(queue[job].extent, extent); };
  const std::uint32_t above = queue.at_or_behind(file, extent.offset), below = queue.before(file, extent.offset);
  if (!touching(below)) return touching(above) ? above : kNone;
  if (!touching(above)) return below;
  return queue[above].number < queue[below].number ? above : below;
}

}  // namespace plumbline::hw::storage
