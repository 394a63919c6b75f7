#pragma once
// Files of /proc and /sys that were copied of a node at one moment, to be read later and elsewhere.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

// All by path as on the node: "/proc/stat".
struct Copy {
  std::map<std::string, std::string, std::less<>> files, links;        // content; where a symbolic link points to
  std::map<std::string, std::vector<std::string>, std::less<>> lists;  // of directories whose names alone were copied
  std::map<std::string, std::string, std::less<>> unreadable;          // why there is no copy of what was there
};

// Names in a directory, as far as anything in it was copied; in no order.
std::vector<std::string> names_in(const Copy& copy, std::string_view directory);

// Whether the path, or anything below it, was copied.
bool holds(const Copy& copy, std::string_view path);

}  // namespace plumbline::node
