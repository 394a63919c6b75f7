#pragma once
// What file systems tell about where the bytes of a file lie, and what a directory is on.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::bench {

// Of a file, or of files that will be made in a directory.
struct FileLayout {
  std::string told_by;               // "lustre", "beegfs", "glusterfs"
  std::uint64_t stripe = 0;          // bytes; 0: not told
  std::uint32_t count = 0;           // servers of one file; 0: not told
  std::vector<std::string> servers;  // as the file system names them: those of the file, of a directory all

  bool operator==(const FileLayout&) const = default;
};

// Asks Lustre and GlusterFS by extended attributes, BeeGFS by its ioctl; no tool is run. Nothing: a file system that
// does not tell, as most do not.
std::optional<FileLayout> layout_of(const std::filesystem::path& path);

// The attribute lustre.lov: struct lov_user_md_v1 or _v3 of lustre_user.h, little-endian. Of composite layouts only
// told_by is filled in. Nothing when it is cut off or something else.
std::optional<FileLayout> parse_lustre_layout(std::string_view attribute);

// The attribute glusterfs.pathinfo, "(<DISTRIBUTE:v> <POSIX(/brick):host:/brick/file>)": one server per brick, as
// "host:/brick". A file with several bricks is replicated or dispersed, and count is then 1.
std::optional<FileLayout> parse_gluster_layout(std::string_view attribute);

// What Linux knows of the device below a directory and of its own cache: words and numbers of cells
// (bench/results/storage_cells.hpp).
struct StoragePlace {
  std::map<std::string, std::string> words;
  std::map<std::string, double> numbers;
};
StoragePlace describe_storage(const std::filesystem::path& directory);

// The value of "Dirty:" and the like in /proc/meminfo, bytes; 0 when it is not there.
std::uint64_t memory_line(std::string_view name);

}  // namespace plumbline::bench
