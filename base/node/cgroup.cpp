#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/mounts.hpp"
#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

// The control group of this process that shares out processors.
struct Group {
  int version = 2;
  std::string path;                      // as the kernel names it
  std::vector<std::string> directories;  // its own, then those above it up to where the hierarchy is mounted
};

struct Quota {
  double cores = 0;
  std::string directory, file;
};

bool has_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// In "0::/user.slice" (version 2), "4:cpu,cpuacct:/job_7" (version 1).
std::optional<std::string> path_of_group(std::string_view text, int version) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = version == 2 ? line.starts_with("0::") : has_item(controllers, "cpu");
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

std::optional<Group> find_group(Source& source) {
  const auto groups = source.text("/proc/self/cgroup"), mountinfo = source.text("/proc/self/mountinfo");
  if (!groups || !mountinfo) return std::nullopt;
  const std::vector<Mount> mounts = mounts_of(*mountinfo);
  for (const int version : {1, 2})
    for (const Mount& mount : mounts) {
      const bool fits =
          version == 2 ? mount.type == "cgroup2" : mount.type == "cgroup" && has_item(mount.options, "cpu");
      const auto path = fits ? path_of_group(*groups, version) : std::nullopt;
      if (path) return Group{version, *path, chain(source, mount, *path)};
    }
  return std::nullopt;
}

// Microseconds of processor time in each period; no limit: "max", or -1 in version 1.
std::optional<Quota> quota_in(Source& source, const std::string& directory, int version) {
  const std::string file = directory + (version == 2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const std::string line = source.line(file).value_or("");
  const auto words = words_of(line);
  const std::string period_line =
      version == 1 ? source.line(directory + "/cpu.cfs_period_us").value_or("") : std::string();
  if (words.empty() || (version == 2 && words.size() < 2)) return std::nullopt;
  const auto quota = number_of(words[0]), period = number_of(version == 2 ? words[1] : std::string_view(period_line));
  if (!quota || !period || *period == 0) return std::nullopt;
  return Quota{static_cast<double>(*quota) / static_cast<double>(*period), directory, file};
}

// The smallest of the group and all above it counts.
std::optional<Quota> quota_of(Source& source, const Group& group) {
  std::optional<Quota> least;
  for (const std::string& directory : group.directories) {
    const auto quota = quota_in(source, directory, group.version);
    if (quota && (!least || quota->cores < least->cores)) least = quota;
  }
  return least;
}

}  // namespace

void read_cgroup_settings(Source& source) {
  const auto group = find_group(source);
  if (!group) return;
  source.put("cgroup.version", std::to_string(group->version), "/proc/self/mountinfo");
  source.put("cgroup.path", group->path, "/proc/self/cgroup");
  if (const auto quota = quota_of(source, *group))
    source.put("cgroup.cpu_quota_cores", fmt::format("{:.4g}", quota->cores), quota->file);
}

void read_cgroup_counters(Source& source) {
  const auto group = find_group(source);
  if (!group) return;
  const auto quota = quota_of(source, *group);
  const std::string path = (quota ? quota->directory : group->directories.front()) + "/cpu.stat";
  const auto text = source.text(path);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    const auto number = words.size() == 2 ? number_of(words[1]) : std::nullopt;
    if (!number) continue;
    if (words[0] == "nr_periods") source.put("cgroup.periods", std::string(words[1]), path);
    if (words[0] == "nr_throttled") source.put("cgroup.throttled_periods", std::string(words[1]), path);
    if (words[0] == "throttled_usec") source.put("cgroup.throttled_us", std::string(words[1]), path);
    if (words[0] == "throttled_time") source.put("cgroup.throttled_us", std::to_string(*number / 1000), path);  // ns
  }
}

}  // namespace plumbline::node
