#include "base/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.hpp"

namespace plumbline {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) throw_system_error(path, "cannot be opened", errno);
  struct stat status {};
  if (::fstat(file.number, &status) != 0) throw_system_error(path, "cannot be examined", errno);
  if (S_ISDIR(status.st_mode)) throw Error(path.string(), "is a directory, not a file");
  if (!S_ISREG(status.st_mode)) throw Error(path.string(), "is a device, a pipe or a socket", "name a file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED) throw_system_error(path, "cannot be mapped", errno);
  data_ = static_cast<const std::byte*>(address);
}

void MappedFile::leave(std::size_t offset, std::size_t length) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first = offset / page * page, end = std::min(size_, offset + length);
  if (first < end) ::madvise(const_cast<std::byte*>(data_) + first, end - first, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace plumbline
