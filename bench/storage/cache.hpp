#pragma once
// What the page cache does with a growing file: how much can be written before writers wait, what is written back
// meanwhile, and how much can be read again without the device.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bench/storage/file.hpp"

namespace plumbline::bench {

struct CacheFilled {
  std::vector<double> seconds;     // of each chunk, one behind the other
  std::uint64_t dirty_before = 0;  // bytes that waited for the device on this node, by the kernel, before the sync
  double sync_seconds = 0;         // the sync behind the last chunk
  bool out_of_time = false;
};

struct CacheRead {
  std::uint64_t bytes = 0;      // read from the begin of the file
  double resident = 0;          // share of them that was in memory when it had been read once
  std::vector<double> again;    // seconds, each the whole of it
  std::vector<double> dropped;  // the same when its pages had been dropped; empty: they cannot be
};

class CacheFile {
 public:
  CacheFile(const std::filesystem::path& directory, std::uint64_t chunk);

  // Writes `most` bytes in chunks, for at most about `seconds`, and syncs them.
  CacheFilled write_growing(std::uint64_t most, double seconds);

  // Reads 4, 8, 16 ... chunks and all that was written, each `times` times, for at most about `seconds`.
  std::vector<CacheRead> read_growing(int times, double seconds);

 private:
  double read_all(std::uint64_t bytes) const;

  std::uint64_t chunk_, size_ = 0;
  PageBuffer buffer_;
  StorageFile file_;
};

}  // namespace plumbline::bench
