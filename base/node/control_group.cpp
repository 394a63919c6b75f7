#include "base/node/control_group.hpp"

#include <algorithm>

#include "base/node/mounts.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

bool has_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// In "0::/user.slice" (version 2), "4:cpu,cpuacct:/job_7" (version 1).
std::optional<std::string> path_of_group(std::string_view text, int version, std::string_view controller) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = version == 2 ? line.starts_with("0::") : has_item(controllers, controller);
    if (is_it) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

// In a container the hierarchy is mounted from its own group on, or the path leads out of what can be seen.
std::vector<std::string> chain(Source& source, const Mount& mount, std::string_view path) {
  if (mount.root != "/" && path.starts_with(mount.root)) path.remove_prefix(mount.root.size());
  if (path.find("..") != std::string_view::npos || !source.exists(mount.point + std::string(path))) path = "";
  std::vector<std::string> directories;
  while (path.size() > 1) {
    directories.push_back(mount.point + std::string(path));
    path = path.substr(0, path.rfind('/'));
  }
  directories.push_back(mount.point);
  return directories;
}

}  // namespace

std::optional<ControlGroup> control_group(Source& source, std::string_view controller) {
  const auto groups = source.text("/proc/self/cgroup"), mountinfo = source.text("/proc/self/mountinfo");
  if (!groups || !mountinfo) return std::nullopt;
  const std::vector<Mount> mounts = mounts_of(*mountinfo);
  for (const int version : {1, 2})
    for (const Mount& mount : mounts) {
      const bool fits =
          version == 2 ? mount.type == "cgroup2" : mount.type == "cgroup" && has_item(mount.options, controller);
      const auto path = fits ? path_of_group(*groups, version, controller) : std::nullopt;
      if (path) return ControlGroup{version, *path, chain(source, mount, *path)};
    }
  return std::nullopt;
}

}  // namespace plumbline::node
