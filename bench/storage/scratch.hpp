#pragma once
// A directory of our own that disappears with its owner.

#include <cstddef>
#include <filesystem>

namespace plumbline::bench {

class ScratchDirectory {
 public:
  // Below `parent`. Throws Error (kCannotRunHere) when it cannot be made.
  explicit ScratchDirectory(const std::filesystem::path& parent);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int owner_ = -1;  // the directory, whose lock says that we live
};

// Removes directories of killed owners below `parent`: those of this user and host that have not changed for a minute
// and that nobody holds. Returns how many there were.
std::size_t remove_abandoned(const std::filesystem::path& parent);

}  // namespace plumbline::bench
