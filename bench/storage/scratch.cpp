#include "bench/storage/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "base/error.hpp"

namespace plumbline::bench {
namespace {

constexpr std::time_t kAgeOfAbandoned = 60;  // seconds; a younger one may not be locked yet

// With the host in it: not all file systems tell nodes of each other's locks.
std::string prefix() {
  char host[HOST_NAME_MAX + 1] = "";
  ::gethostname(host, HOST_NAME_MAX);
  return fmt::format(".plumbline-{}-", host);
}

// The owner of a directory has a lock on it as long as it lives. -1: it cannot be opened.
int open_directory(const std::filesystem::path& directory) {
  return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_abandoned(const std::filesystem::path& directory) {
  const int fd = open_directory(directory);
  if (fd < 0) return false;
  struct stat about {};
  const bool old =
      ::fstat(fd, &about) == 0 && about.st_uid == ::geteuid() && std::time(nullptr) - about.st_mtime >= kAgeOfAbandoned;
  const bool free = old && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  return free;
}

}  // namespace

ScratchDirectory::ScratchDirectory(const std::filesystem::path& parent) {
  std::string name = (parent / (prefix() + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(parent.string(), fmt::format("no directory can be made here: {}", std::strerror(errno)),
                "choose a directory that you may write to", ExitCode::kCannotRunHere);
  path_ = name;
  owner_ = open_directory(path_);
  // Where there are no locks, nobody gets one, and nothing of ours is taken for abandoned.
  if (owner_ >= 0) ::flock(owner_, LOCK_EX | LOCK_NB);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (owner_ >= 0) ::close(owner_);
}

std::size_t remove_abandoned(const std::filesystem::path& parent) {
  std::size_t removed = 0;
  const std::string ours = prefix();
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(parent, ignored), end; entry != end; entry.increment(ignored)) {
    const std::filesystem::path path = entry->path();
    if (!path.filename().string().starts_with(ours) || !is_abandoned(path)) continue;
    std::filesystem::remove_all(path, ignored);
    ++removed;
  }
  return removed;
}

}  // namespace plumbline::bench
