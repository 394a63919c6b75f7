#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/node/subjects.hpp"
#include "base/node/subjects/processors.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

std::string path_of_each(const char* file) { return fmt::format("{}/cpu*/{}", kProcessors, file); }

void put_joined(Source& source, const char* name, const char* file) {
  const auto lines = lines_of_processors(source, file);
  if (!lines.empty()) source.put(name, joined(lines), path_of_each(file));
}

// Files of cpufreq are in kHz. The lowest and the highest of all processors, in MHz.
void put_frequencies(Source& source, const char* name, const char* file) {
  std::uint64_t least = UINT64_MAX, most = 0;
  for (const auto& [processor, line] : lines_of_processors(source, file)) {
    const auto khz = number_of(line);
    if (!khz) continue;
    least = std::min(least, *khz);
    most = std::max(most, *khz);
  }
  if (least > most) return;
  source.put(fmt::format("cpu.{}_least_mhz", name), fmt::format("{}", least / 1000), path_of_each(file));
  source.put(fmt::format("cpu.{}_most_mhz", name), fmt::format("{}", most / 1000), path_of_each(file));
}

// "0,64 1,65": the processors of each core, where a core has several.
void put_siblings(Source& source) {
  std::set<std::string> seen;
  std::string all;
  for (const auto& [processor, line] : lines_of_processors(source, "topology/thread_siblings_list"))
    if (line.find_first_of(",-") != std::string::npos && seen.insert(line).second)
      all += (all.empty() ? "" : " ") + line;
  source.put("cpu.siblings", all, path_of_each("topology/thread_siblings_list"));
}

void put_sockets(Source& source) {
  std::set<std::string> sockets;
  for (const auto& [processor, line] : lines_of_processors(source, "topology/physical_package_id"))
    sockets.insert(line);
  if (!sockets.empty())
    source.put("cpu.sockets", std::to_string(sockets.size()), path_of_each("topology/physical_package_id"));
}

void put_model(Source& source) {
  const auto text = source.text("/proc/cpuinfo");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trimmed(line.substr(0, colon));
    if (name == "model name") source.put("cpu.model", std::string(trimmed(line.substr(colon + 1))), "/proc/cpuinfo");
    if (name == "microcode") source.put("cpu.microcode", std::string(trimmed(line.substr(colon + 1))), "/proc/cpuinfo");
    if (line.starts_with("processor") && trimmed(line.substr(colon + 1)) != "0") return;  // all are alike
  }
}

// A count of a package is the same in all of its processors, that of a core in its siblings.
void put_throttling(Source& source, const char* name, const char* file, const char* unit_file, const char* outer_file) {
  const auto units = lines_of_processors(source, unit_file), outer = lines_of_processors(source, outer_file);
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [processor, line] : lines_of_processors(source, file)) {
    const auto count = number_of(line);
    if (!count) continue;
    const auto unit = units.find(processor), around = outer.find(processor);
    const std::string key = fmt::format("{} {}", around == outer.end() ? "" : around->second,
                                        unit == units.end() ? fmt::format("cpu{}", processor) : unit->second);
    counts[key] = std::max(counts[key], *count);
  }
  if (counts.empty()) return;
  std::uint64_t sum = 0;
  for (const auto& [key, count] : counts) sum += count;
  source.put(name, std::to_string(sum), path_of_each(file));
}

}  // namespace

void read_cpu_settings(Source& source) {
  put_joined(source, "cpu.governor", "cpufreq/scaling_governor");
  put_joined(source, "cpu.frequency_driver", "cpufreq/scaling_driver");
  put_joined(source, "cpu.energy_preference", "cpufreq/energy_performance_preference");
  put_frequencies(source, "current", "cpufreq/scaling_cur_freq");
  put_frequencies(source, "allowed", "cpufreq/scaling_max_freq");
  put_frequencies(source, "hardware", "cpufreq/cpuinfo_max_freq");
  source.put_line("cpu.no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo");
  source.put_line("cpu.boost", "/sys/devices/system/cpu/cpufreq/boost");
  source.put_line("cpu.online", "/sys/devices/system/cpu/online");
  source.put_line("cpu.present", "/sys/devices/system/cpu/present");
  source.put_line("cpu.isolated", "/sys/devices/system/cpu/isolated");
  source.put_line("cpu.smt_active", "/sys/devices/system/cpu/smt/active");
  put_siblings(source);
  put_sockets(source);
  put_model(source);
  for (const std::string& name : source.names("/sys/devices/system/cpu/vulnerabilities"))
    source.put_line("cpu.vulnerability." + as_part(name), "/sys/devices/system/cpu/vulnerabilities/" + name);
}

void read_cpu_counters(Source& source) {
  constexpr const char *kCore = "topology/core_id", *kSocket = "topology/physical_package_id";
  put_throttling(source, "cpu.core_throttles", "thermal_throttle/core_throttle_count", kCore, kSocket);
  put_throttling(source, "cpu.core_throttled_ms", "thermal_throttle/core_throttle_total_time_ms", kCore, kSocket);
  put_throttling(source, "cpu.package_throttles", "thermal_throttle/package_throttle_count", kSocket, kSocket);
  put_throttling(source, "cpu.package_throttled_ms", "thermal_throttle/package_throttle_total_time_ms", kSocket,
                 kSocket);
}

}  // namespace plumbline::node
