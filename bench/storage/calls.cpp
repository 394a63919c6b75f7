#include "bench/storage/calls.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.hpp"
#include "bench/results/storage_cells.hpp"

namespace plumbline::bench {
namespace {

bool is_aligned(std::uint64_t size) { return size > 0 && size % kPage == 0; }

}  // namespace

std::string way_to_device(std::string_view call, std::uint64_t size, bool direct) {
  if (call != kDeviceWrite && call != kDeviceRead) return "";
  if (direct && is_aligned(size)) return cells::kDirect;
  return call == kDeviceWrite ? cells::kSynced : cells::kDropped;
}

ClientFiles::ClientFiles(const std::filesystem::path& directory, const std::filesystem::path& device_path,
                         std::uint64_t size, std::uint64_t largest, bool direct, std::uint64_t seed)
    : size_(size),
      largest_(std::min(size, largest)),
      direct_(direct),
      buffer_(page_buffer(largest_)),
      cached_(directory / "cached", O_RDWR | O_CREAT),
      device_(device_path, O_RDWR | O_CREAT),
      synced_(device_path, O_RDWR | O_DSYNC),
      small_(directory / "small", O_RDWR | O_CREAT),
      raw_(direct ? std::make_unique<StorageFile>(device_path, O_RDWR | O_DIRECT) : nullptr),
      random_(seed) {
  for (const std::filesystem::path& path : {directory / "cached", device_path, directory / "small"})
    ::unlink(path.c_str());
  fill(cached_, size);
  fill(device_, size);
  device_.expect_random();
  device_.forget();
}

double ClientFiles::still_resident() const { return resident_share(device_, size_); }

std::uint64_t ClientFiles::next_in_turn(std::uint64_t size) {
  if (turn_ + size > size_) turn_ = 0;
  const std::uint64_t at = turn_;
  turn_ += size;
  return at;
}

std::uint64_t ClientFiles::anywhere(std::uint64_t size) {
  return std::uniform_int_distribution<std::uint64_t>(0, (size_ - size) / kPage)(random_) * kPage;
}

ClientFiles::Call ClientFiles::call(std::string_view name, std::uint64_t size) {
  PLUMBLINE_CHECK(size <= largest_, "an access within the buffer");
  char* const data = buffer_.get();
  const auto choose = [this, size] { place_ = anywhere(size); };
  if (name == kCachedWrite) return {{}, [this, data, size] { cached_.write(data, size, next_in_turn(size)); }};
  if (name == kCachedRead) return {{}, [this, data, size] { cached_.read(data, size, next_in_turn(size)); }};
  if (name == kDeviceWrite) {
    const StorageFile& file = direct_ && is_aligned(size) ? *raw_ : synced_;
    return {choose, [this, &file, data, size] { file.write(data, size, place_); }};
  }
  if (name == kDeviceRead && direct_ && is_aligned(size))
    return {choose, [this, data, size] { raw_->read(data, size, place_); }};
  if (name == kDeviceRead) {
    const auto choose_and_forget = [this, size] {
      place_ = anywhere(size);
      device_.forget(place_, (size + kPage - 1) / kPage * kPage);
    };
    return {choose_and_forget, [this, data, size] { device_.read(data, size, place_); }};
  }
  if (name == kSyncDirty) return {[this, data, size] { small_.write(data, size, 0); }, [this] { small_.sync(); }};
  PLUMBLINE_CHECK(name == kSyncClean, "a call of storage");
  return {[this] { small_.sync(); }, [this] { small_.sync(); }};
}

}  // namespace plumbline::bench
