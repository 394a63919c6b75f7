#include "base/files/unfinished.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Everything that a handler calls is async-signal-safe: system calls and lock-free atomics, no allocation, no opendir.

namespace plumbline {
namespace {

constexpr int kDeepest = 8;  // directories in directories; an archive has one

std::array<std::atomic<const char*>, 64> unfinished{};
pid_t owner = 0;

struct Entry {  // linux_dirent64 of getdents64(2)
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[1];
};

bool is_self_or_parent(const char* name) { return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0; }

bool remove_tree(int directory, const char* name, int depth);

// One pass over a directory; how many of its entries are gone.
int remove_entries(int directory, int depth) {
  alignas(Entry) std::array<char, 4096> buffer;
  int removed = 0;
  long filled = 0;
  while ((filled = ::syscall(SYS_getdents64, directory, buffer.data(), buffer.size())) > 0)
    for (long at = 0; at < filled;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      const char* name = buffer.data() + at + offsetof(Entry, name);
      if (!is_self_or_parent(name) && remove_tree(directory, name, depth)) ++removed;
      at += entry->bytes;
    }
  return removed;
}

bool remove_tree(int directory, const char* name, int depth) {
  if (::unlinkat(directory, name, 0) == 0) return true;
  if ((errno != EISDIR && errno != EPERM) || depth == kDeepest) return false;
  const int inside = ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inside < 0) return false;
  // Removing while reading may pass entries by.
  while (remove_entries(inside, depth + 1) > 0 && ::lseek(inside, 0, SEEK_SET) == 0) {
  }
  ::close(inside);
  return ::unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

// A child that was forked, and not yet become another program, ends alone.
void remove_and_end(int signal) {
  for (std::atomic<const char*>& slot : unfinished)
    if (const char* path = slot.exchange(nullptr); path != nullptr && ::getpid() == owner)
      remove_tree(AT_FDCWD, path, 0);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // blocked until this handler returns
}

}  // namespace

void note_unfinished(const char* path) {
  for (std::atomic<const char*>& slot : unfinished) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, path)) return;
  }
}

void forget_unfinished(const char* path) {
  for (std::atomic<const char*>& slot : unfinished) {
    const char* noted = path;
    if (slot.compare_exchange_strong(noted, nullptr)) return;
  }
}

void remove_unfinished_when_ended() {
  static_assert(std::atomic<const char*>::is_always_lock_free);
  owner = ::getpid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction then = {};
    then.sa_handler = remove_and_end;
    then.sa_flags = SA_RESTART;
    ::sigaction(signal, &then, nullptr);
  }
}

}  // namespace plumbline
