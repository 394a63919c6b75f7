#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/cpu_list.hpp"
#include "replay/validate/preflight/parts.hpp"
#include "replay/validate/witness/parts.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr double kSoon_us = 10;  // to wake up: about what a small message over Ethernet takes in all

bool has_capability(std::string_view mask, unsigned bit) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(mask.data(), mask.data() + mask.size(), value, 16);
  return fault == std::errc{} && end == mask.data() + mask.size() && (value >> bit & 1) != 0;
}

std::vector<std::vector<std::uint32_t>> cores_of(std::string_view siblings) {
  std::vector<std::vector<std::uint32_t>> cores;
  while (!siblings.empty()) {
    const std::size_t end = std::min(siblings.find(' '), siblings.size());
    if (end != 0) cores.push_back(node::processors_of(siblings.substr(0, end)));
    siblings.remove_prefix(std::min(end + 1, siblings.size()));
  }
  return cores;
}

}  // namespace

void see_busy_poll(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> rows;
  for (const char* name : {"sysctl.net.core.busy_poll", "sysctl.net.core.busy_read"})
    if (number(node, name) > 0) add_setting(node, name, "us", rows);
  if (!rows.empty())
    seen.push_back({"node.busy-poll", "The kernel polls sockets for a while on each call", "sysctl", rows});
}

// yama: 1 lets a process allow it to others, which Open MPI 4 and UCX do (PR_SET_PTRACER); 2 lets CAP_SYS_PTRACE alone,
// 3 nobody. seccomp 2: a filter, as containers have, may refuse process_vm_readv to those without that capability.
void see_single_copy_refused(const NodeWitness& node, Sightings& seen) {
  constexpr unsigned kSysPtrace = 19;
  constexpr const char *kScope = "sysctl.kernel.yama.ptrace_scope", *kSeccomp = "process.seccomp";
  const bool may_trace = has_capability(node.settings.value("process.cap_eff"), kSysPtrace);
  const double scope = number(node, kScope);
  std::vector<Datum> rows;
  if (scope >= 3 || (scope >= 2 && !may_trace)) add_setting(node, kScope, "", rows);
  const bool refused = !rows.empty();
  if (number(node, kSeccomp) == 2 && !may_trace) add_setting(node, kSeccomp, "", rows);
  if (rows.empty()) return;
  add_setting(node, "process.cap_eff", "", rows);
  add_setting(node, "process.uid_map", "", rows);
  seen.push_back({"node.ptrace-scope",
                  refused ? "The kernel refuses copies between processes of one user"
                          : "A filter of system calls may refuse copies between processes",
                  refused ? "kernel.yama.ptrace_scope" : "seccomp", rows});
}

void see_governor(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> rows;
  const std::string_view governor = node.settings.value("cpu.governor");
  if (!governor.empty() && governor != "performance") add_setting(node, "cpu.governor", "", rows);
  if (number(node, "cpu.allowed_least_mhz") < number(node, "cpu.hardware_least_mhz"))
    add_setting(node, "cpu.allowed_least_mhz", "MHz", rows);
  if (node.settings.value("cpu.no_turbo") == "1") add_setting(node, "cpu.no_turbo", "", rows);
  if (node.settings.value("cpu.boost") == "0") add_setting(node, "cpu.boost", "", rows);
  if (rows.empty()) return;
  add_setting(node, "cpu.frequency_driver", "", rows);
  add_setting(node, "cpu.hardware_most_mhz", "MHz", rows);
  add_setting(node, "cpu.current_least_mhz", "MHz", rows);
  seen.push_back({"cpu.governor", "Processors may run below their full speed", "cpufreq", rows});
}

void see_throttling(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> heat, quota;
  add_growth(node, "cpu.core_throttles", "", heat);
  add_growth(node, "cpu.core_throttled_ms", "ms", heat);
  add_growth(node, "cpu.package_throttles", "", heat);
  add_growth(node, "cpu.package_throttled_ms", "ms", heat);
  if (!heat.empty())
    seen.push_back({"cpu.throttled", "Processors were slowed down for heat or power", "processors", heat});
  add_growth(node, "cgroup.throttled_periods", "", quota);
  if (quota.empty()) return;
  add_growth(node, "cgroup.throttled_us", "us", quota);
  add_growth(node, "cgroup.periods", "", quota);
  add_setting(node, "cgroup.cpu_quota_cores", "processors", quota);
  seen.push_back({"cpu.quota", "The control group was stopped because its quota was used up", "cgroup", quota});
}

void see_idle_states(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> rows;
  for (const std::string& state : parts_between(node.settings, "cpu.idle.", ".latency_us")) {
    const std::string name = "cpu.idle." + state;
    if (number(node, name + ".latency_us") <= kSoon_us || grown(node, name + ".usage") <= 0) continue;
    add_setting(node, name + ".latency_us", "us", rows);
    add_growth(node, name + ".usage", "", rows);
    add_growth(node, name + ".time_us", "us", rows);
  }
  if (!rows.empty())
    seen.push_back(
        {"cpu.idle-states", "Idle cores were in states that take more than 10 us to wake up from", "cpuidle", rows});
}

void see_consumers(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> rows;
  for (const node::Consumer& each : node.consumers)
    rows.push_back({fmt::format("{} (process {})", each.command, each.process), fmt::format("{:.2f}", each.processors),
                    "processors"});
  if (!rows.empty())
    seen.push_back(
        {"cpu.interference", "Processes of others use processors, before the suite and after it", "processes", rows});
}

// Ranks that are bound inside of one core, two to a core, while other cores have none.
void see_siblings(const NodeWitness& node, Sightings& seen) {
  const auto cores = cores_of(node.settings.value("cpu.siblings"));
  std::map<std::size_t, std::vector<std::string>> ranks_of;
  std::size_t bound = 0;
  for (const std::string& affinity : node.affinities) {
    const auto mask = node::processors_of(affinity);
    for (std::size_t core = 0; core < cores.size() && !mask.empty(); ++core) {
      if (!std::ranges::includes(cores[core], mask)) continue;
      ranks_of[core].push_back(affinity);
      ++bound;
    }
  }
  const bool idle_cores = ranks_of.size() < cores.size();
  if (bound == ranks_of.size() || !idle_cores) return;
  std::vector<Datum> rows;
  for (const auto& [core, ranks] : ranks_of)
    if (ranks.size() > 1)
      rows.push_back(
          {fmt::format("ranks on the core of {}", node::processor_list(cores[core])), some_of(ranks), "processors"});
  rows.push_back({"cores without a rank", std::to_string(cores.size() - ranks_of.size()), ""});
  seen.push_back({"cpu.smt-siblings", "Ranks share cores while other cores have none", "binding", rows});
}

// The others are read by the library without a call into the kernel (vDSO).
void see_clocksource(const NodeWitness& node, Sightings& seen) {
  constexpr std::string_view kSlow[] = {"hpet", "acpi_pm", "jiffies", "xen", "pit", "refined-jiffies"};
  const std::string_view source = node.settings.value("kernel.clocksource");
  if (std::ranges::find(kSlow, source) == std::end(kSlow)) return;
  std::vector<Datum> rows;
  add_setting(node, "kernel.clocksource", "", rows);
  add_setting(node, "kernel.clocksources", "", rows);
  seen.push_back({"cpu.clocksource", "Each reading of the clock enters the kernel", "clocksource", rows});
}

void see_mitigations(const WitnessInput& input, std::vector<Observation>& into) {
  std::vector<std::string> hosts;
  std::vector<node::Facts> facts;
  for (const NodeWitness& node : input.nodes) {
    hosts.push_back(node.host);
    facts.push_back(node.settings);
  }
  Observation seen{"cpu.mitigations", "Nodes do not have the same mitigations of processor faults", "processors", {}};
  for (const node::Difference& difference : node::differences(hosts, facts))
    for (const auto& [value, nodes] : difference.nodes_of)
      if (difference.name.starts_with("cpu.vulnerability."))
        seen.rows.push_back({difference.name + " on " + some_of(nodes), value.empty() ? "not there" : value, ""});
  if (!seen.rows.empty()) into.push_back(std::move(seen));
}

}  // namespace plumbline::replay::validate
