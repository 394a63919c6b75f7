#pragma once
// Files for measuring: plain POSIX calls of which every one is whole or an Error.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace plumbline::bench {

inline constexpr std::uint64_t kPage = 4096;  // what direct access is aligned to

// Throws "path: call failed: reason" (kCannotRunHere), the reason by errno.
[[noreturn]] void fail(const std::string& path, const char* call);

class StorageFile {
 public:
  StorageFile(const std::filesystem::path& path, int flags);
  ~StorageFile();
  StorageFile(const StorageFile&) = delete;
  StorageFile& operator=(const StorageFile&) = delete;

  int fd() const { return fd_; }

  void write(const char* data, std::uint64_t size, std::uint64_t at) const;
  void read(char* data, std::uint64_t size, std::uint64_t at) const;
  void sync() const;

  // Asks the kernel to forget clean pages of these bytes, which it may not do; all of them with size 0.
  void forget(std::uint64_t at = 0, std::uint64_t size = 0) const;
  void expect_random() const;  // no reading ahead: each read is one access

 private:
  std::string path_;
  int fd_;
};

struct FreeMemory {
  void operator()(char* memory) const { std::free(memory); }
};
// Aligned to kPage and filled, so that no file system can leave it out.
using PageBuffer = std::unique_ptr<char, FreeMemory>;
PageBuffer page_buffer(std::uint64_t size);

// Share of the first `size` bytes of `file` that is in the page cache; 0 where the system does not say.
double resident_share(const StorageFile& file, std::uint64_t size);

// Writes `size` bytes and waits until they are on the device.
void fill(const StorageFile& file, std::uint64_t size);

std::uint64_t free_space(const std::filesystem::path& directory);

// Whether O_DIRECT is taken in `directory`, and does what it says: nothing stays in the page cache. In a file system
// in memory it is taken and does not.
bool reaches_device_directly(const std::filesystem::path& directory);

}  // namespace plumbline::bench
