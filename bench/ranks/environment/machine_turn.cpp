#include "bench/ranks/environment/machine_turn.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace plumbline::bench {
namespace {

// The kernel's own number since it was started, which containers share.
int open_lock(const std::filesystem::path& directory) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return ::open((directory / (".machine-" + boot)).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
}

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// A file that cannot be locked is nobody's.
bool take(int file) {
  struct flock lock = whole_file();
  return file < 0 || ::fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_free(int file) {
  struct flock lock = whole_file();
  return file < 0 || ::fcntl(file, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK;
}

}  // namespace

MachineTurn::MachineTurn(const std::filesystem::path& directory, double most)
    : file_(open_lock(directory)), is_had_(take(file_)) {
  constexpr std::chrono::milliseconds kBetween{5};
  for (const Clock::time_point end = after(most); !is_had_ && Clock::now() < end; is_had_ = take(file_))
    std::this_thread::sleep_for(kBetween);
}

MachineTurn::~MachineTurn() {
  if (file_ >= 0) ::close(file_);  // which unlocks it
}

void wait_for_quiet(const std::filesystem::path& directory, const std::filesystem::path& done, double most) {
  constexpr std::chrono::milliseconds kLeast{30}, kMost{250};
  constexpr int kTimes = 3;
  const int file = open_lock(directory);
  const Clock::time_point end = after(most);
  std::error_code ignored;
  bool is_done = false;
  std::chrono::milliseconds between = kLeast;
  for (int quiet = 0; quiet < kTimes && Clock::now() < end;) {
    std::this_thread::sleep_for(between);
    is_done = is_done || std::filesystem::exists(done, ignored);
    quiet = is_done && is_free(file) ? quiet + 1 : 0;
    between = is_done ? kLeast : std::min(between * 3 / 2, kMost);
  }
  if (file >= 0) ::close(file);
}

}  // namespace plumbline::bench
