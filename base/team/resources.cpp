#include "base/team/resources.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "base/node/control_group.hpp"
#include "base/node/facts.hpp"
#include "base/node/source.hpp"
#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline {
namespace {

using node::ControlGroup;
using node::Facts;
using node::Source;

// More processors than a cpu_set_t holds are refused by the kernel (EINVAL).
std::uint32_t processors_of_affinity() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<std::uint32_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

// The number behind `name` in lines as "inactive_file 4096", "MemAvailable:  4 kB".
std::optional<std::uint64_t> number_behind(std::string_view name, std::string_view text) {
  while (!text.empty()) {
    const auto words = node::words_of(node::take_line(text));
    if (words.size() >= 2 && words[0] == name) return node::number_of(words[1]);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(Source& source, const std::string& path) {
  const auto line = source.line(path);
  return line ? node::number_of(*line) : std::nullopt;  // no limit: "max"; in version 1 a number beyond all memory
}

// Files that were not used lately are dropped before anybody is refused.
std::optional<std::uint64_t> left_in(Source& source, const std::string& directory, int version) {
  const auto limit = number_in(source, directory + (version == 2 ? "/memory.max" : "/memory.limit_in_bytes"));
  const auto used = number_in(source, directory + (version == 2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!limit || !used) return std::nullopt;
  const auto stat = source.text(directory + "/memory.stat");
  const std::uint64_t dropped =
      stat ? number_behind(version == 2 ? "inactive_file" : "total_inactive_file", *stat).value_or(0) : 0;
  return *limit - std::min(*limit, *used - std::min(*used, dropped));
}

}  // namespace

std::uint32_t usable_processors(const std::filesystem::path& root) {
  std::uint32_t processors = processors_of_affinity();
  Facts facts;
  Source source(root, facts);
  node::read_cgroup_settings(source);
  const double quota = std::strtod(std::string(facts.value("cgroup.cpu_quota_cores")).c_str(), nullptr);
  // Of one and a half, both are of use.
  if (quota > 0 && quota < processors) processors = static_cast<std::uint32_t>(std::ceil(quota));
  return std::max(processors, 1U);
}

std::optional<std::uint64_t> available_memory(const std::filesystem::path& root) {
  Facts facts;
  Source source(root, facts);
  std::optional<std::uint64_t> least;
  if (const auto text = source.text("/proc/meminfo"))
    if (const auto kib = number_behind("MemAvailable:", *text)) least = *kib * 1024;
  const std::optional<ControlGroup> group = node::control_group(source, "memory");
  if (!group) return least;
  for (const std::string& directory : group->directories)
    if (const auto left = left_in(source, directory, group->version)) least = std::min(least.value_or(*left), *left);
  return least;
}

}  // namespace plumbline
