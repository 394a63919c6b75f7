#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/control_group.hpp"
#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

struct Quota {
  double cores = 0;
  std::string directory, file;
};

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
std::optional<Quota> quota_of(Source& source, const ControlGroup& group) {
  std::optional<Quota> least;
  for (const std::string& directory : group.directories) {
    const auto quota = quota_in(source, directory, group.version);
    if (quota && (!least || quota->cores < least->cores)) least = quota;
  }
  return least;
}

}  // namespace

void read_cgroup_settings(Source& source) {
  const auto group = control_group(source, "cpu");
  if (!group) return;
  source.put("cgroup.version", std::to_string(group->version), "/proc/self/mountinfo");
  source.put("cgroup.path", group->path, "/proc/self/cgroup");
  if (const auto quota = quota_of(source, *group))
    source.put("cgroup.cpu_quota_cores", fmt::format("{:.4g}", quota->cores), quota->file);
}

void read_cgroup_counters(Source& source) {
  const auto group = control_group(source, "cpu");
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
