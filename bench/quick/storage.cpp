#include "bench/quick/storage.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "bench/storage/file.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::array<std::uint64_t, 11> kSizes = {1,     16,     256,   1024,      4096,     16384,
                                                  65536, 262144, kMebi, 2 * kMebi, 4 * kMebi};
constexpr int kMostCalls = 24;
constexpr double kBlockSeconds = 0.01;  // a block that took longer is not continued

template <class Call>
double nanoseconds_of(Call call) {
  const Clock::time_point begin = Clock::now();
  call();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

std::uint64_t choose_file_size(const std::filesystem::path& directory) {
  const std::uint64_t free = free_space(directory);
  if (free < 64 * kMebi)
    throw Error(directory.string(), fmt::format("only {} MiB are free, the measurement needs 64 MiB", free / kMebi),
                "free some space or choose another directory", ExitCode::kCannotRunHere);
  return std::min(64 * kMebi, free / 4 / kMebi * kMebi);
}

struct Block {
  std::string_view series;
  std::uint64_t size;
};

class StorageProbe {
 public:
  StorageProbe(const std::filesystem::path& directory, Measurements& into)
      : into_(into),
        size_(choose_file_size(directory)),
        scratch_(directory),
        buffer_(4 * kMebi, 'p'),
        cached_(scratch_.path() / "cached", O_RDWR | O_CREAT),
        device_(scratch_.path() / "device", O_RDWR | O_CREAT),
        synced_(scratch_.path() / "device", O_RDWR | O_DSYNC),
        small_(scratch_.path() / "small", O_RDWR | O_CREAT) {
    for (const StorageFile* file : {&cached_, &device_}) fill(*file, size_);
    device_.expect_random();
    check_dropping();
  }

  void rounds(Clock::time_point begin, double seconds, const std::function<void(double)>& progress) {
    std::vector<Block> blocks = {{kOpen, 0}, {kSyncClean, 0}, {kSyncDirty, kPage}};
    for (const std::string_view name : {kCachedWrite, kCachedRead, kDeviceWrite, kDeviceRead})
      for (const std::uint64_t size : kSizes) blocks.push_back({name, size});
    for (std::uint32_t round = 0;; ++round) {
      std::shuffle(blocks.begin(), blocks.end(), random_);
      for (const Block& block : blocks) {
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (elapsed > seconds && round > 0) return;  // the first round is completed: every size is needed
        if (elapsed > 3 * seconds) return into_.notes.push_back("storage was too slow for one whole round");
        if (progress) progress(std::min(1.0, elapsed / seconds));
        measure(block, round);
      }
    }
  }

 private:
  void check_dropping() {
    device_.forget();
    const double resident = resident_share(device_, size_);
    if (resident > 0.1)
      into_.notes.push_back(
          fmt::format("{:.0f} % of a file stay in memory though they were to be dropped (file system {}): reads from "
                      "the device are reads from memory",
                      100 * resident, into_.environment.file_system));
  }

  std::uint64_t random_page(std::uint64_t bytes_behind_it) {
    const std::uint64_t last = (size_ - std::min(size_, bytes_behind_it)) / kPage;
    return std::uniform_int_distribution<std::uint64_t>(0, last)(random_) * kPage;
  }

  // Places of the calls of a block. In the cache one behind the other, which is the cheapest; on the device apart from
  // each other, so that each is an access of its own.
  std::uint64_t place(const Block& block, int call) {
    if (call == 0) start_ = random_page(kMostCalls * block.size);
    const auto number = static_cast<std::uint64_t>(call);
    if (block.series == kCachedWrite || block.series == kCachedRead)
      return (start_ + number * block.size) % (size_ - block.size);
    const std::uint64_t stretch =
        std::max(size_ / kMostCalls / kPage * kPage, (block.size + kPage - 1) / kPage * kPage);
    const std::uint64_t slack = (stretch - std::min(block.size, stretch)) / kPage;
    const std::uint64_t page = std::uniform_int_distribution<std::uint64_t>(0, slack)(random_);
    return number % (size_ / stretch) * stretch + page * kPage;
  }

  void measure(const Block& block, std::uint32_t round) {
    const Clock::time_point begin = Clock::now();
    if (block.series == kDeviceRead) device_.forget();
    if (block.series == kSyncClean) small_.sync();
    // A read that comes twice to the same place finds it in the cache.
    const std::uint64_t places = block.series == kDeviceRead ? size_ / std::max(block.size, kPage) / 2 : kMostCalls;
    for (int call = 0; call < kMostCalls && static_cast<std::uint64_t>(call) < places; ++call) {
      if (block.series == kOpen)
        open_and_close(round);
      else
        record(block.series, block.size, round, one_call(block, call));
      if (std::chrono::duration<double>(Clock::now() - begin).count() > kBlockSeconds) return;
    }
  }

  double one_call(const Block& block, int call) {
    const std::uint64_t at = place(block, call);
    char* const data = buffer_.data();
    if (block.series == kCachedWrite) return nanoseconds_of([&] { cached_.write(data, block.size, at); });
    if (block.series == kCachedRead) return nanoseconds_of([&] { cached_.read(data, block.size, at); });
    if (block.series == kDeviceWrite) return nanoseconds_of([&] { synced_.write(data, block.size, at); });
    if (block.series == kDeviceRead) return nanoseconds_of([&] { device_.read(data, block.size, at); });
    if (block.series == kSyncDirty) small_.write(data, block.size, 0);
    return nanoseconds_of([&] { small_.sync(); });
  }

  void open_and_close(std::uint32_t round) {
    const std::string path = (scratch_.path() / fmt::format("new{}", opened_++)).string();
    int fd = -1;
    record(kOpen, 0, round, nanoseconds_of([&] { fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0600); }));
    if (fd < 0) fail(path, "open");
    record(kClose, 0, round, nanoseconds_of([&] { ::close(fd); }));
    ::unlink(path.c_str());
  }

  void record(std::string_view name, std::uint64_t size, std::uint32_t round, double ns) {
    series(into_, name, "ns").samples.push_back({size, round, 0, ns});
  }

  Measurements& into_;
  std::uint64_t size_;  // of each of the two files
  ScratchDirectory scratch_;
  std::vector<char> buffer_;
  StorageFile cached_, device_, synced_, small_;
  std::mt19937_64 random_{20240229};
  int opened_ = 0;
  std::uint64_t start_ = 0;  // of the block in hand
};

}  // namespace

void measure_storage(const std::filesystem::path& directory, double seconds,
                     const std::function<void(double)>& progress, Measurements& into) {
  const Clock::time_point begin = Clock::now();
  StorageProbe(directory, into).rounds(begin, seconds, progress);
}

}  // namespace plumbline::bench
