#include "tracer/record/launch/orphaned_spools.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace plumbline::record {
namespace {

constexpr char kKept[] = "kept";

int open_directory(const std::filesystem::path& path) { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

bool is_held(const std::filesystem::path& directory) {
  const int fd = open_directory(directory);
  if (fd < 0) return true;  // not ours to look into
  const bool held = flock(fd, LOCK_EX | LOCK_NB) != 0;
  close(fd);
  return held;
}

bool has_spools(const std::filesystem::path& directory) {
  std::error_code ignored;
  const std::filesystem::directory_iterator entries(directory, ignored);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return entry.path().extension() == ".spool"; });
}

}  // namespace

void hold_directory(const std::filesystem::path& directory) {
  if (const int fd = open_directory(directory); fd >= 0) flock(fd, LOCK_SH | LOCK_NB);  // closed with the process
}

void mark_kept(const std::filesystem::path& directory) { std::ofstream(directory / kKept).flush(); }

std::string spool_directory_stem() {
  const char* base = std::getenv("TMPDIR");
  const char* user = std::getenv("USER");
  return fmt::format("{}/plumbline-{}-", base == nullptr ? "/tmp" : base,
                     user == nullptr ? std::to_string(getuid()) : user);
}

std::vector<std::filesystem::path> orphaned_spools() {
  const std::filesystem::path stem = spool_directory_stem();
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(stem.parent_path(), ignored)) {
    const std::filesystem::path& path = entry.path();
    if (!path.string().starts_with(stem.string()) || !entry.is_directory(ignored)) continue;
    if (has_spools(path) && !std::filesystem::exists(path / kKept, ignored) && !is_held(path)) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace plumbline::record
