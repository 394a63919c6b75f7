#include "cli/workflows/validate/preflight/fact_sources.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace plumbline::cli::validate {
namespace {

// A check, and how the names of its facts begin and end.
struct Source {
  std::string_view id, begin, end;
};
constexpr std::array kSources{Source{"cpu.governor", "cpu.governor", ""},
                              Source{"cpu.throttled", "cpu.core_throttles", ""},
                              Source{"cpu.noise", "noise.", ""},
                              Source{"cpu.idle-states", "cpu.idle.", ""},
                              Source{"cpu.smt-siblings", "cpu.siblings", ""},
                              Source{"cpu.mitigations", "cpu.vulnerability", ""},
                              Source{"cpu.clocksource", "kernel.clocksource", ""},
                              Source{"memory.thp", "memory.thp", ""},
                              Source{"memory.first-use", "memory.first_use", ""},
                              Source{"memory.numa-remote", "memory.node", ".other_node"},
                              Source{"net.retransmits", "tcp.", ""},
                              Source{"net.errors", "net.", ".rx_errors"},
                              Source{"net.softnet-squeeze", "softnet.", ""},
                              Source{"net.irq-one-core", "interrupts.", ""},
                              Source{"net.coalescing", "net.", ".coalesce_rx_us"},
                              Source{"net.pcie-width", "net.", ".pcie_width"},
                              Source{"node.ptrace-scope", "sysctl.kernel.yama", ""},
                              Source{"node.busy-poll", "sysctl.net.core.busy", ""},
                              Source{"disk.write-cache-off", "disk.", ".write_cache"},
                              Source{"disk.array-degraded", "md.", ""},
                              Source{"fs.nfs-options", "nfs.", ""},
                              Source{"fs.mount-options", "mount.", ".options"},
                              Source{"cpu.quota", "cgroup.cpu_quota_cores", ""}};

bool has_fact(const FactsByHost& nodes, const Source& source) {
  return std::ranges::any_of(nodes, [&](const auto& each) {
    const auto& facts = each.second.facts;
    for (auto fact = facts.lower_bound(source.begin); fact != facts.end() && fact->first.starts_with(source.begin);
         ++fact)
      if (fact->first.ends_with(source.end)) return true;
    return false;
  });
}

}  // namespace

std::vector<std::string_view> checks_without_facts(
    std::initializer_list<std::reference_wrapper<const FactsByHost>> all) {
  std::vector<std::string_view> ids;
  for (const Source& source : kSources)
    if (std::ranges::none_of(all, [&](const FactsByHost& nodes) { return has_fact(nodes, source); }))
      ids.push_back(source.id);
  return ids;
}

}  // namespace plumbline::cli::validate
