#pragma once
// Output that appears whole or not at all: written beside its final name, renamed by commit(), removed when the object
// dies without it, or when a signal ends a program that asked for that (unfinished.hpp). An existing output is refused
// unless `overwrite`, before any work is done.

#include <filesystem>
#include <string_view>

namespace plumbline {

enum class Overwrite { kNo, kYes };

// A pipe or device (/dev/stdout, /dev/null): written straight through, never replaced.
bool is_stream(const std::filesystem::path& path);

// Throws Error "already exists; use --force" when `path` is there and overwriting was not asked for, and when the
// directory that is to hold it does not exist or cannot be written. Pipes and devices (/dev/stdout) are always
// writable; a directory that holds the working directory is never replaced.
void require_writable(const std::filesystem::path& path, Overwrite overwrite);

// A directory or a file under construction, at staging(), on the same file system as its final place.
class StagedOutput {
 public:
  enum class Kind { kFile, kDirectory };

  // kDirectory: staging() exists and is empty. kFile: staging() does not exist yet, its directory does.
  StagedOutput(const std::filesystem::path& path, Kind kind, Overwrite overwrite);
  ~StagedOutput();
  StagedOutput(const StagedOutput&) = delete;
  StagedOutput& operator=(const StagedOutput&) = delete;

  const std::filesystem::path& staging() const { return staging_; }
  const std::filesystem::path& path() const { return path_; }

  // Moves the staged output to its final name, replacing what is there if that was allowed.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path staging_;
  bool may_replace_ = false;
  bool committed_ = false;
};

// Writes `text` to `path`, whole or not at all; straight through when `path` is a pipe or a device.
void write_file(const std::filesystem::path& path, std::string_view text, Overwrite overwrite);

}  // namespace plumbline
