#include "base/memory/scratch.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace plumbline {
namespace {

constexpr std::size_t kLine = 64, kPage = 4096;
constexpr std::size_t kOrdinary = std::size_t{1} << 20;        // so much at first is ordinary memory
constexpr std::size_t kMostSegment = std::size_t{1} << 30;     // unless more is asked for at a time
constexpr std::size_t kLeastForgotten = std::size_t{1} << 25;  // what is smaller is soon used again as it is

std::size_t rounded(std::size_t bytes) {
  const std::size_t unit = bytes < kPage ? kLine : kPage;
  return std::max((bytes + unit - 1) / unit * unit, kLine);
}

bool lies_in_memory(const std::filesystem::path& directory) {
  struct statfs status {};
  if (::statfs(directory.c_str(), &status) != 0) return true;
  return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

int file_without_name(const std::filesystem::path& directory) {
  if (lies_in_memory(directory)) return -1;
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = (directory / "plumbline-scratch-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

// A page without room behind it would end the process when it is written.
bool take_room(int file, std::size_t offset, std::size_t bytes) {
  return ::posix_fallocate(file, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0;
}

}  // namespace

ScratchFile::ScratchFile(std::filesystem::path directory) : directory_(std::move(directory)), owner_(::getpid()) {}

ScratchFile::~ScratchFile() {
  for (const Segment& segment : segments_)
    if (segment.is_file)
      ::munmap(segment.begin, segment.bytes);
    else
      std::free(segment.begin);
  if (file_ >= 0) ::close(file_);
}

void* ScratchFile::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  leave_to_parent();
  bytes = rounded(bytes);
  if (void* const memory = reuse(bytes)) return memory;
  const auto has_room = [&](const Segment& segment) {
    return !segment.is_parents && segment.bytes - segment.used >= bytes;
  };
  if (segments_.empty() || !has_room(segments_.back())) add_segment(bytes);
  Segment& segment = segments_.back();
  void* const memory = segment.begin + segment.used;
  segment.used += bytes;
  return memory;
}

void ScratchFile::release(void* memory, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  leave_to_parent();
  if (const Segment* const segment = segment_of(memory); segment != nullptr && segment->is_parents) return;
  bytes = rounded(bytes);
  if (bytes >= kLeastForgotten) forget_contents(memory, bytes);
  try {
    free_[bytes].push_back(memory);
  } catch (const std::bad_alloc&) {  // then it stays unused
  }
}

void ScratchFile::leave_to_parent() {
  if (owner_ == ::getpid()) return;
  owner_ = ::getpid();
  free_.clear();
  if (file_ >= 0) ::close(file_);
  file_ = -1, file_bytes_ = 0, refused_ = false;
  for (Segment& segment : segments_) segment.is_parents = true;
}

void* ScratchFile::reuse(std::size_t bytes) {
  const auto found = free_.find(bytes);
  if (found == free_.end() || found->second.empty()) return nullptr;
  void* const memory = found->second.back();
  if (bytes >= kLeastForgotten && !take_room_again(memory, bytes)) return nullptr;
  found->second.pop_back();
  return memory;
}

// As large as all before it, so that there are few.
void ScratchFile::add_segment(std::size_t least) {
  std::size_t all = 0;
  for (const Segment& segment : segments_)
    if (!segment.is_parents) all += segment.bytes;
  Segment segment;
  segment.bytes = rounded(std::max({least, kOrdinary, std::min(all, kMostSegment)}));
  segment.is_file = all + least > kOrdinary && map_file(segment);
  if (!segment.is_file) {
    segment.begin = static_cast<std::byte*>(std::aligned_alloc(kPage, segment.bytes));
    if (segment.begin == nullptr) throw std::bad_alloc();
  }
  segments_.push_back(segment);
}

bool ScratchFile::map_file(Segment& segment) {
  if (refused_) return false;
  refused_ = true;
  if (file_ < 0) file_ = file_without_name(directory_);
  std::error_code ignored;
  if (file_ < 0) file_ = file_without_name(std::filesystem::temp_directory_path(ignored));
  if (file_ < 0 || !take_room(file_, file_bytes_, segment.bytes)) return false;
  void* const address =
      ::mmap(nullptr, segment.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(file_bytes_));
  if (address == MAP_FAILED) return false;
  segment.begin = static_cast<std::byte*>(address);
  segment.offset = file_bytes_;
  file_bytes_ += segment.bytes;
  refused_ = false;
  return true;
}

const ScratchFile::Segment* ScratchFile::segment_of(const void* memory) const {
  const auto holds = [&](const Segment& segment) {
    return memory >= segment.begin && memory < segment.begin + segment.bytes;
  };
  const auto found = std::ranges::find_if(segments_, holds);
  return found == segments_.end() ? nullptr : &*found;
}

// Else the kernel would write to the disk what nobody reads again.
void ScratchFile::forget_contents(void* memory, std::size_t bytes) noexcept {
  if (const Segment* const segment = segment_of(memory); segment != nullptr && segment->is_file) {
    const auto offset = static_cast<off_t>(segment->offset) + (static_cast<std::byte*>(memory) - segment->begin);
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, static_cast<off_t>(bytes));
  } else {
    ::madvise(memory, bytes, MADV_DONTNEED);
  }
}

bool ScratchFile::take_room_again(void* memory, std::size_t bytes) {
  const Segment* const segment = segment_of(memory);
  if (segment == nullptr || !segment->is_file) return true;
  const auto at = static_cast<std::size_t>(static_cast<std::byte*>(memory) - segment->begin);
  return take_room(file_, segment->offset + at, bytes);
}

}  // namespace plumbline
