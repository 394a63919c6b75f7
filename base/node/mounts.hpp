#pragma once
// What is mounted where, by the text of /proc/self/mountinfo.

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

struct Mount {
  std::string point, root;  // root: the directory of the file system that is mounted; "/" but for parts of one
  std::string type, source;
  std::string options;  // of the mount, then those of the file system that are not among them
};

// The kernel writes blanks, line ends and backslashes as \040 and the like.
std::string unescaped(std::string_view text);

// Whether "sync" is in "rw,sync"; a value is part of an option.
bool has_option(std::string_view options, std::string_view option);

// In the order of the text; lines that are none are left out.
std::vector<Mount> mounts_of(std::string_view mountinfo);

// That with the longest point that is the path or above it, of equal ones the last: it lies on top. nullptr: none.
const Mount* mount_of(std::string_view path, const std::vector<Mount>& mounts);

}  // namespace plumbline::node
