#include "bench/storage/cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "bench/storage/layout.hpp"

namespace plumbline::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kFewestChunks = 4;
constexpr double kGone = 0.1;  // so much of a file may stay in memory that was dropped

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

CacheFile::CacheFile(const std::filesystem::path& directory, std::uint64_t chunk)
    : chunk_(chunk), buffer_(page_buffer(chunk)), file_(directory / "cache", O_RDWR | O_CREAT) {
  ::unlink((directory / "cache").c_str());
}

CacheFilled CacheFile::write_growing(std::uint64_t most, double seconds) {
  CacheFilled filled;
  const Clock::time_point begin = Clock::now();
  while (size_ + chunk_ <= most && !filled.out_of_time) {
    const Clock::time_point chunk_begin = Clock::now();
    file_.write(buffer_.get(), chunk_, size_);
    filled.seconds.push_back(seconds_since(chunk_begin));
    size_ += chunk_;
    filled.out_of_time = seconds_since(begin) > seconds;
  }
  filled.dirty_before = memory_line("Dirty:") + memory_line("Writeback:");
  const Clock::time_point sync_begin = Clock::now();
  file_.sync();
  filled.sync_seconds = seconds_since(sync_begin);
  return filled;
}

double CacheFile::read_all(std::uint64_t bytes) const {
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t at = 0; at < bytes; at += chunk_) file_.read(buffer_.get(), std::min(chunk_, bytes - at), at);
  return seconds_since(begin);
}

std::vector<CacheRead> CacheFile::read_growing(int times, double seconds) {
  const Clock::time_point begin = Clock::now();
  std::vector<CacheRead> reads;
  for (std::uint64_t bytes = std::min(size_, kFewestChunks * chunk_); bytes > 0 && seconds_since(begin) < seconds;
       bytes = bytes < size_ ? std::min(size_, bytes * 2) : 0) {
    CacheRead& read = reads.emplace_back();
    read.bytes = bytes;
    read_all(bytes);
    read.resident = resident_share(file_, bytes);
    for (int i = 0; i < times && seconds_since(begin) < seconds; ++i) {
      read.again.push_back(read_all(bytes));
      file_.forget();
      if (resident_share(file_, bytes) <= kGone) read.dropped.push_back(read_all(bytes));
    }
  }
  return reads;
}

}  // namespace plumbline::bench
