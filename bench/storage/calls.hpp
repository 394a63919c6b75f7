#pragma once
// The files of one client, and calls on them at places that cost what the call is to cost: in the cache one behind the
// other, which is the cheapest; on the device apart from each other, each an access of its own.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "bench/results/measurements.hpp"
#include "bench/storage/file.hpp"

namespace plumbline::bench {

// How a call of this kind and size comes to the device (cells::kDirect ...); empty where it does not.
std::string way_to_device(std::string_view call, std::uint64_t size, bool direct);

class ClientFiles {
 public:
  // Makes the files and fills them, `size` bytes each; they have no name any more when this is done. `direct`: O_DIRECT
  // does what it says here. `device_path`: of the file that device calls go to. `largest`: of all accesses.
  ClientFiles(const std::filesystem::path& directory, const std::filesystem::path& device_path, std::uint64_t size,
              std::uint64_t largest, bool direct, std::uint64_t seed);

  struct Call {
    std::function<void()> prepare, execute;
  };
  // One of kCachedWrite ... kSyncDirty, with `size` bytes, at most `largest`.
  Call call(std::string_view name, std::uint64_t size);

  // Share of the device file in memory though it was to be dropped: then reads are not from the device.
  double still_resident() const;

 private:
  std::uint64_t next_in_turn(std::uint64_t size);
  std::uint64_t anywhere(std::uint64_t size);

  std::uint64_t size_, largest_;
  bool direct_;
  PageBuffer buffer_;
  StorageFile cached_, device_, synced_, small_;
  std::unique_ptr<StorageFile> raw_;  // the device file by O_DIRECT
  std::mt19937_64 random_;
  std::uint64_t turn_ = 0, place_ = 0;
};

}  // namespace plumbline::bench
