#include "bench/storage/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"

namespace plumbline::bench {

void fail(const std::string& path, const char* call) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  throw Error(path, fmt::format("{} failed: {}", call, std::strerror(errno)),
              full ? "free some space or choose another directory" : "choose another directory",
              ExitCode::kCannotRunHere);
}

StorageFile::StorageFile(const std::filesystem::path& path, int flags)
    : path_(path.string()), fd_(::open(path_.c_str(), flags | O_CLOEXEC, 0600)) {
  if (fd_ < 0) fail(path_, "open");
}

StorageFile::~StorageFile() { ::close(fd_); }

void StorageFile::write(const char* data, std::uint64_t size, std::uint64_t at) const {
  if (::pwrite(fd_, data, size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) fail(path_, "write");
}

void StorageFile::read(char* data, std::uint64_t size, std::uint64_t at) const {
  if (::pread(fd_, data, size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) fail(path_, "read");
}

void StorageFile::sync() const {
  if (::fsync(fd_) != 0) fail(path_, "fsync");
}

void StorageFile::forget(std::uint64_t at, std::uint64_t size) const {
  ::posix_fadvise(fd_, static_cast<off_t>(at), static_cast<off_t>(size), POSIX_FADV_DONTNEED);
}

void StorageFile::expect_random() const { ::posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM); }

PageBuffer page_buffer(std::uint64_t size) {
  const std::uint64_t whole = std::max(kPage, (size + kPage - 1) / kPage * kPage);
  PageBuffer buffer(static_cast<char*>(std::aligned_alloc(kPage, whole)));
  if (buffer == nullptr) throw std::bad_alloc();
  for (std::uint64_t i = 0; i < whole; ++i) buffer.get()[i] = static_cast<char>(i * 167 + i / kPage);
  return buffer;
}

double resident_share(const StorageFile& file, std::uint64_t size) {
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd(), 0);
  if (mapped == MAP_FAILED) return 0;
  std::vector<unsigned char> pages((size + kPage - 1) / kPage);
  const bool known = ::mincore(mapped, size, pages.data()) == 0;
  ::munmap(mapped, size);
  if (!known) return 0;
  const auto resident = std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

void fill(const StorageFile& file, std::uint64_t size) {
  const PageBuffer buffer = page_buffer(kMebi);
  for (std::uint64_t at = 0; at < size; at += kMebi) file.write(buffer.get(), std::min(kMebi, size - at), at);
  file.sync();
}

std::uint64_t free_space(const std::filesystem::path& directory) {
  struct statvfs space {};
  if (::statvfs(directory.c_str(), &space) != 0) fail(directory.string(), "statvfs");
  return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
}

bool reaches_device_directly(const std::filesystem::path& directory) {
  const std::string path = (directory / "direct").string();
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  ::close(fd);
  const StorageFile file(path, O_RDWR | O_DIRECT);
  ::unlink(path.c_str());
  constexpr std::uint64_t kProbe = 16 * kPage;
  const PageBuffer buffer = page_buffer(kProbe);
  const auto probe = static_cast<ssize_t>(kProbe);
  if (::pwrite(file.fd(), buffer.get(), kProbe, 0) != probe || ::pread(file.fd(), buffer.get(), kProbe, 0) != probe)
    return false;
  return resident_share(file, kProbe) == 0;
}

}  // namespace plumbline::bench
