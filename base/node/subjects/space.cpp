#include <sys/statvfs.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/node/mounts.hpp"
#include "base/node/subjects.hpp"

namespace plumbline::node {
namespace {

std::optional<Space> space_on_disk(const std::filesystem::path& path) {
  struct statvfs status {};
  if (::statvfs(path.c_str(), &status) != 0) return std::nullopt;
  return Space{status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize, status.f_files, status.f_favail};
}

std::optional<Space> space_of(const std::filesystem::path& path, const ReadOptions& options) {
  if (options.space_of) return options.space_of(path);
  if (options.root != "/" || options.copy != nullptr) return std::nullopt;
  return space_on_disk(path);
}

void put_space(Source& source, const std::string& fact, const std::filesystem::path& path, const ReadOptions& options) {
  const auto space = space_of(path, options);
  if (!space) return;
  source.put(fact + ".bytes", std::to_string(space->bytes), path.string());
  source.put(fact + ".free_bytes", std::to_string(space->free_bytes), path.string());
  if (space->files == 0) return;  // of file systems that make inodes as they are needed
  source.put(fact + ".files", std::to_string(space->files), path.string());
  source.put(fact + ".free_files", std::to_string(space->free_files), path.string());
}

// Links are followed on the node itself only: below another root they would lead out of it.
std::filesystem::path followed(const std::filesystem::path& directory, const ReadOptions& options) {
  std::error_code fault;
  const std::filesystem::path plain = std::filesystem::absolute(directory, fault).lexically_normal();
  const std::filesystem::path real =
      options.root == "/" ? std::filesystem::weakly_canonical(plain, fault) : std::filesystem::path();
  return fault || real.empty() ? plain : real;
}

}  // namespace

void read_directories(Source& source, const ReadOptions& options) {
  constexpr const char* kPath = "/proc/self/mountinfo";
  const std::vector<Mount> mounts = mounts_of(source.text(kPath).value_or(""));
  if (const Mount* mount = mount_of("/dev/shm", mounts)) {
    source.put("shm.type", mount->type, kPath);
    source.put("shm.options", mount->options, kPath);
  }
  put_space(source, "shm", "/dev/shm", options);
  for (const std::filesystem::path& directory : options.directories) {
    const std::string fact = "mount." + directory.string();
    const std::filesystem::path real = followed(directory, options);
    if (const Mount* mount = mount_of(real.string(), mounts)) {
      source.put(fact + ".point", mount->point, kPath);
      source.put(fact + ".type", mount->type, kPath);
      source.put(fact + ".source", mount->source, kPath);
      source.put(fact + ".options", mount->options, kPath);
    }
    put_space(source, fact, real, options);
  }
}

}  // namespace plumbline::node
