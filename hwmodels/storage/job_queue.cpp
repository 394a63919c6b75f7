#include "hwmodels/storage/job_queue.hpp"

#include <iterator>

namespace plumbline::hw::storage {

JobQueue::JobQueue(Order order, std::pmr::memory_resource& memory)
    : order_(order), places_(&memory), sizes_(&memory), bytes_(&memory) {}

std::uint32_t JobQueue::add(const Job& job) {
  std::uint32_t index = free_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(jobs_.size());
    jobs_.emplace_back();
  } else {
    free_ = jobs_[index].after;
  }
  jobs_[index] = {job, tail_, kNone};
  (tail_ == kNone ? head_ : jobs_[tail_].after) = index;
  tail_ = index;
  ++count_;
  enter(index);
  return index;
}

void JobQueue::remove(std::uint32_t job) {
  leave(job);
  const Node& node = jobs_[job];
  (node.before == kNone ? head_ : jobs_[node.before].after) = node.after;
  (node.after == kNone ? tail_ : jobs_[node.after].before) = node.before;
  jobs_[job].after = free_;
  free_ = job;
  --count_;
}

void JobQueue::cut_front(std::uint32_t job, std::uint64_t length) {
  leave(job);
  Extent& extent = jobs_[job].job.extent;
  extent = {extent.offset + length, extent.length - length};
  enter(job);
}

std::uint32_t JobQueue::lowest() const { return places_.empty() ? kNone : places_.begin()->job; }

std::uint32_t JobQueue::at_or_behind(std::uint32_t file, std::uint64_t offset) const {
  return job_at(places_.lower_bound({file, offset, 0, 0, 0}), file);
}

std::uint32_t JobQueue::before(std::uint32_t file, std::uint64_t offset) const {
  const Index::const_iterator at = places_.lower_bound({file, offset, 0, 0, 0});
  return at == places_.begin() ? kNone : job_at(std::prev(at), file);
}

std::uint32_t JobQueue::largest(std::uint32_t file) const {
  const Index::const_iterator at = sizes_.lower_bound({file, 0, 0, 0, 0});
  return at != sizes_.end() && at->file == file ? at->job : kNone;
}

JobQueue::Weight JobQueue::heaviest(std::uint32_t favoured, std::uint64_t factor) const {
  Weight best;
  for (const auto& [file, bytes] : bytes_) {
    const std::uint64_t weight = file == favoured ? bytes * factor : bytes;
    if (weight > best.bytes) best = {file, weight};
  }
  return best;
}

std::uint32_t JobQueue::job_at(Index::const_iterator at, std::uint32_t file) const {
  return at != places_.end() && at->file == file ? at->job : kNone;
}

JobQueue::Place JobQueue::by_place(std::uint32_t job) const {
  const Job& j = jobs_[job].job;
  return {j.file, j.extent.offset, j.extent.offset, j.number, job};
}

JobQueue::Place JobQueue::by_size(std::uint32_t job) const {
  const Job& j = jobs_[job].job;
  return {j.file, ~j.extent.length, j.extent.offset, j.number, job};
}

void JobQueue::enter(std::uint32_t job) {
  if (jobs_[job].job.operation == Operation::kFlush) return;
  if (order_ != Order::kArrival) places_.insert(by_place(job));
  if (order_ != Order::kPlaceAndSize) return;
  sizes_.insert(by_size(job));
  bytes_[jobs_[job].job.file] += jobs_[job].job.extent.length;
}

void JobQueue::leave(std::uint32_t job) {
  if (jobs_[job].job.operation == Operation::kFlush) return;
  if (order_ != Order::kArrival) places_.erase(by_place(job));
  if (order_ != Order::kPlaceAndSize) return;
  sizes_.erase(by_size(job));
  const auto bytes = bytes_.find(jobs_[job].job.file);
  bytes->second -= jobs_[job].job.extent.length;
  if (bytes->second == 0) bytes_.erase(bytes);
}

}  // namespace plumbline::hw::storage
