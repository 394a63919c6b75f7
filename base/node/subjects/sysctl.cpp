#include <algorithm>
#include <string>
#include <string_view>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr std::string_view kSysctls[] = {"net.core.busy_poll",
                                         "net.core.busy_read",
                                         "net.core.rmem_max",
                                         "net.core.wmem_max",
                                         "net.core.rmem_default",
                                         "net.core.wmem_default",
                                         "net.core.somaxconn",
                                         "net.core.netdev_max_backlog",
                                         "net.core.netdev_budget",
                                         "net.core.netdev_budget_usecs",
                                         "net.core.default_qdisc",
                                         "net.ipv4.tcp_rmem",
                                         "net.ipv4.tcp_wmem",
                                         "net.ipv4.tcp_mem",
                                         "net.ipv4.tcp_congestion_control",
                                         "net.ipv4.tcp_available_congestion_control",
                                         "net.ipv4.tcp_mtu_probing",
                                         "net.ipv4.tcp_sack",
                                         "net.ipv4.tcp_timestamps",
                                         "net.ipv4.tcp_window_scaling",
                                         "net.ipv4.tcp_moderate_rcvbuf",
                                         "net.ipv4.tcp_slow_start_after_idle",
                                         "net.ipv4.tcp_autocorking",
                                         "net.ipv4.tcp_max_syn_backlog",
                                         "kernel.yama.ptrace_scope",
                                         "kernel.sched_autogroup_enabled",
                                         "kernel.watchdog",
                                         "kernel.nmi_watchdog",
                                         "kernel.perf_event_paranoid",
                                         "kernel.shmmax",
                                         "vm.dirty_ratio",
                                         "vm.dirty_background_ratio",
                                         "vm.dirty_bytes",
                                         "vm.dirty_background_bytes",
                                         "vm.dirty_expire_centisecs",
                                         "vm.swappiness",
                                         "vm.max_map_count"};

// "4096\t131072\t6291456" with single blanks.
std::string with_single_blanks(std::string_view line) {
  std::string text;
  for (const std::string_view word : words_of(line)) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

}  // namespace

void read_sysctl_settings(Source& source) {
  for (const std::string_view name : kSysctls) {
    std::string path(name);
    std::ranges::replace(path, '.', '/');
    source.put_line("sysctl." + std::string(name), "/proc/sys/" + path, with_single_blanks);
  }
}

}  // namespace plumbline::node
