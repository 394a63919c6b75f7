#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

// Options of the command line that change how fast a node is; the rest of it names disks and addresses.
constexpr std::string_view kOptions[] = {"mitigations",
                                         "nopti",
                                         "pti",
                                         "nospectre_v1",
                                         "nospectre_v2",
                                         "spectre_v2",
                                         "mds",
                                         "l1tf",
                                         "tsx",
                                         "retbleed",
                                         "spec_store_bypass_disable",
                                         "isolcpus",
                                         "nohz",
                                         "nohz_full",
                                         "rcu_nocbs",
                                         "intel_idle.max_cstate",
                                         "processor.max_cstate",
                                         "idle",
                                         "cpuidle.off",
                                         "intel_pstate",
                                         "amd_pstate",
                                         "intel_iommu",
                                         "amd_iommu",
                                         "iommu",
                                         "nosmt",
                                         "maxcpus",
                                         "numa_balancing",
                                         "transparent_hugepage",
                                         "clocksource",
                                         "tsc",
                                         "pcie_aspm",
                                         "preempt",
                                         "noibrs",
                                         "noibpb",
                                         "hugepages",
                                         "default_hugepagesz"};

void put_options(Source& source) {
  constexpr const char* kPath = "/proc/cmdline";
  const auto line = source.line(kPath);
  if (!line) return;
  source.put("kernel.cmdline", *line, kPath);
  for (const std::string_view word : words_of(*line)) {
    const std::size_t equal = word.find('=');
    const std::string_view name = word.substr(0, equal);
    if (std::ranges::find(kOptions, name) == std::end(kOptions)) continue;
    source.put(fmt::format("kernel.option.{}", as_part(name)),
               equal == std::string_view::npos ? "set" : std::string(word.substr(equal + 1)), kPath);
  }
}

}  // namespace

void read_kernel_settings(Source& source) {
  source.put_line("kernel.host", "/proc/sys/kernel/hostname");
  source.put_line("kernel.boot_id", "/proc/sys/kernel/random/boot_id");
  source.put_line("kernel.release", "/proc/sys/kernel/osrelease");
  source.put_line("kernel.version", "/proc/sys/kernel/version");
  source.put_line("kernel.clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  source.put_line("kernel.clocksources", "/sys/devices/system/clocksource/clocksource0/available_clocksource");
  put_options(source);
}

}  // namespace plumbline::node
