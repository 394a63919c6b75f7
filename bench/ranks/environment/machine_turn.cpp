#include "bench/ranks/environment/machine_turn.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace plumbline::bench {
namespace {

// The kernel's own number since it was started, which containers share.
int open_lock(const std::filesystem::path& directory) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return ::open((directory / (".machine-" + boot)).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
}

bool is_free(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  ::flock(file, LOCK_UN);
  return true;
}

}  // namespace

MachineTurn::MachineTurn(const std::filesystem::path& directory) : file_(open_lock(directory)) {
  while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
}

MachineTurn::~MachineTurn() {
  if (file_ >= 0) ::close(file_);  // which unlocks it
}

void wait_for_quiet(const std::filesystem::path& directory, double most) {
  constexpr std::chrono::milliseconds kBetween{30};
  constexpr int kTimes = 3;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(most);
  const int file = open_lock(directory);
  for (int quiet = 0; file >= 0 && quiet < kTimes && std::chrono::steady_clock::now() < end;
       quiet = is_free(file) ? quiet + 1 : 0)
    std::this_thread::sleep_for(kBetween);
  if (file >= 0) ::close(file);
}

}  // namespace plumbline::bench
