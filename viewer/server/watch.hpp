#pragma once
// Whether an archive is still the one that was opened.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plumbline::viewer {

struct WatchedFile {
  std::filesystem::path path;
  std::int64_t bytes = -1, modified = 0;  // ns since the epoch of the file system's clock
  std::uint64_t content = 0;              // hash; 0 of a large file
};

struct WatchedArchive {
  std::string name;  // as the user named it
  std::vector<WatchedFile> files;
};

// The files as they are now: of an OTF2 archive its anchor and its definitions, which are written last and hold a
// number of their own.
WatchedArchive watch(std::string name, std::span<const std::filesystem::path> files);

// A sentence for each that has changed since, or is gone. A file that was only touched has not changed.
std::vector<std::string> changes(std::span<const WatchedArchive> archives);

}  // namespace plumbline::viewer
