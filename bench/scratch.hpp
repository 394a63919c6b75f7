#pragma once
// A directory of our own that disappears with its owner.

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
};

}  // namespace plumbline::bench
