#pragma once
// What the way between two accesses costs, and what accesses beside each other do: on one large file, around the page
// cache.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "bench/storage/calls.hpp"
#include "bench/storage/file.hpp"

namespace plumbline::bench {

// 0, then `least`, twice that ... up to half of a file of `size` bytes.
std::vector<std::uint64_t> seek_distances(std::uint64_t least, std::uint64_t size);

class SeekFile {
 public:
  // As ClientFiles: without a name, filled. Of at least four accesses of `largest` bytes.
  SeekFile(const std::filesystem::path& directory, std::uint64_t size, std::uint64_t largest, bool direct,
           std::uint64_t seed);

  // One read, more than half of `distance` and at most so far from where the last one ended, to either side; at that
  // very place with 0. All of a file's calls go on from each other. `distance` is at most half of the file.
  ClientFiles::Call read_at_distance(std::uint64_t distance, std::uint64_t bytes);

  // `threads` times kAccessesOfThread accesses anywhere, by threads that begin and end with it; always of the same
  // `bytes`. Writes only where O_DIRECT does what it says.
  static constexpr std::uint32_t kAccessesOfThread = 8;
  ClientFiles::Call beside_each_other(std::uint32_t threads, std::uint64_t bytes, bool write);

  std::uint64_t last_end() const { return end_; }  // of the last access
  bool direct() const { return direct_; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t place_at_distance(std::uint64_t distance, std::uint64_t bytes);
  const StorageFile& device() const { return direct_ ? *raw_ : file_; }

  std::uint64_t size_;
  bool direct_;
  PageBuffer buffer_;
  StorageFile file_;
  std::unique_ptr<StorageFile> raw_;
  std::mt19937_64 random_;
  std::uint64_t end_ = 0, place_ = 0;  // of the last access; of the next one
  std::vector<std::uint64_t> places_;  // of a batch
  std::vector<PageBuffer> buffers_;    // of its threads
};

}  // namespace plumbline::bench
