#include "bench/storage/seeks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "base/check.hpp"

namespace plumbline::bench {
namespace {

// Runs `work(i)` in so many threads at once; the first Error of one of them is thrown when all have ended.
void in_threads(std::uint32_t count, const std::function<void(std::uint32_t)>& work) {
  std::exception_ptr failure;
  std::mutex guard;
  std::vector<std::jthread> threads;
  for (std::uint32_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock lock(guard);
        if (failure == nullptr) failure = std::current_exception();
      }
    });
  threads.clear();  // joins
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace

std::vector<std::uint64_t> seek_distances(std::uint64_t least, std::uint64_t size) {
  std::vector<std::uint64_t> distances = {0};
  for (std::uint64_t distance = least; distance <= size / 2; distance *= 2) distances.push_back(distance);
  return distances;
}

SeekFile::SeekFile(const std::filesystem::path& directory, std::uint64_t size, std::uint64_t largest, bool direct,
                   std::uint64_t seed)
    : size_(size),
      direct_(direct),
      buffer_(page_buffer(largest)),
      file_(directory / "seek", O_RDWR | O_CREAT),
      raw_(direct ? std::make_unique<StorageFile>(directory / "seek", O_RDWR | O_DIRECT) : nullptr),
      random_(seed) {
  ::unlink((directory / "seek").c_str());
  fill(file_, size);
  file_.expect_random();
  file_.forget();
}

std::uint64_t SeekFile::place_at_distance(std::uint64_t distance, std::uint64_t bytes) {
  if (distance == 0) return end_ + bytes <= size_ ? end_ : 0;
  const std::uint64_t pages = distance / kPage;
  const std::uint64_t way = std::uniform_int_distribution<std::uint64_t>(pages / 2 + 1, pages)(random_) * kPage;
  const bool can_back = end_ >= way, can_forward = end_ + way + bytes <= size_;
  const bool back = can_back && (!can_forward || (random_() & 1) != 0);
  // Where neither is possible the access is long and the file short: from the begin, which is another distance.
  return back ? end_ - way : can_forward ? end_ + way : 0;
}

ClientFiles::Call SeekFile::read_at_distance(std::uint64_t distance, std::uint64_t bytes) {
  PLUMBLINE_CHECK(bytes % kPage == 0 && distance <= size_ / 2 && 4 * bytes <= size_, "an access within the file");
  return {[this, distance, bytes] {
            place_ = place_at_distance(distance, bytes);
            if (!direct_) file_.forget(place_, bytes);
          },
          [this, bytes] {
            device().read(buffer_.get(), bytes, place_);
            end_ = place_ + bytes;
          }};
}

ClientFiles::Call SeekFile::beside_each_other(std::uint32_t threads, std::uint64_t bytes, bool write) {
  PLUMBLINE_CHECK(!write || direct_, "writes go around the page cache");
  return {[this, threads, bytes] {
            places_.resize(std::size_t{threads} * kAccessesOfThread);
            std::uniform_int_distribution<std::uint64_t> page(0, (size_ - bytes) / kPage);
            for (std::uint64_t& place : places_) place = page(random_) * kPage;
            while (buffers_.size() < threads) buffers_.push_back(page_buffer(bytes));
            if (!direct_) file_.forget();
          },
          [this, threads, bytes, write] {
            in_threads(threads, [this, bytes, write](std::uint32_t thread) {
              for (std::uint32_t i = 0; i < kAccessesOfThread; ++i) {
                const std::uint64_t place = places_[std::size_t{thread} * kAccessesOfThread + i];
                if (write)
                  device().write(buffers_[thread].get(), bytes, place);
                else
                  device().read(buffers_[thread].get(), bytes, place);
              }
            });
            end_ = 0;
          }};
}

}  // namespace plumbline::bench
