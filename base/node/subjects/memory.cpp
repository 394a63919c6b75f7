#include <fmt/format.h>

#include <string>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kPages = "/sys/kernel/mm/transparent_hugepage/";
constexpr const char* kNodes = "/sys/devices/system/node/";

// Of /proc/vmstat, what happens where memory is short, moves or is not found in large pages.
constexpr const char* kVmCounters[] = {"pswpin",           "pswpout",       "pgmajfault",         "numa_pages_migrated",
                                       "numa_hint_faults", "compact_stall", "thp_fault_fallback", "allocstall_normal"};

bool is_node(const std::string& name) {
  return name.starts_with("node") && number_of(std::string_view(name).substr(4)).has_value();
}

// "MemTotal:  16384 kB", also behind "Node 0 "
void put_total(Source& source, const std::string& name, const std::string& path) {
  const auto text = source.text(path);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    for (std::size_t i = 0; i + 2 < words.size(); ++i)
      if (const auto kib = number_of(words[i + 1]); kib && words[i] == "MemTotal:" && words[i + 2] == "kB")
        source.put(name, std::to_string(*kib * 1024), path);
  }
}

// The balloon of a virtual machine, through which its host may take back what is free: VIRTIO_BALLOON_F_REPORTING of
// linux/virtio_balloon.h, bit 5; the kernel writes bit 0 first.
constexpr std::string_view kBalloon = "0x0005";
constexpr std::size_t kReportingBit = 5;

void read_balloon(Source& source) {
  for (const std::string& name : source.names("/sys/bus/virtio/devices")) {
    const std::string device = fmt::format("/sys/bus/virtio/devices/{}/", name);
    if (source.line(device + "device") != kBalloon) continue;
    source.put_line("memory.page_reporting", device + "features", [](std::string_view bits) {
      if (bits.size() <= kReportingBit) return std::string();
      return std::string(1, bits[kReportingBit]);
    });
  }
}

void read_first_use(Source& source, const ReadOptions& options) {
  const auto rates = options.first_use_of_memory ? options.first_use_of_memory() : std::nullopt;
  if (!rates) return;
  source.put("memory.first_use_idle_bytes_s", fmt::format("{:.0f}", rates->idle), "timed");
  source.put("memory.first_use_recent_bytes_s", fmt::format("{:.0f}", rates->recent), "timed");
}

std::string chosen_word(std::string_view text) { return std::string(chosen_of(text)); }

}  // namespace

void read_memory_settings(Source& source, const ReadOptions& options) {
  put_total(source, "memory.bytes", "/proc/meminfo");
  source.put_line("memory.numa_nodes", "/sys/devices/system/node/online");
  for (const std::string& node : source.names("/sys/devices/system/node"))
    if (is_node(node)) {
      put_total(source, fmt::format("memory.{}.bytes", node), kNodes + node + "/meminfo");
      source.put_line(fmt::format("memory.{}.cpus", node), kNodes + node + "/cpulist");
    }
  source.put_line("memory.thp", std::string(kPages) + "enabled", chosen_word);
  source.put_line("memory.thp_defrag", std::string(kPages) + "defrag", chosen_word);
  source.put_line("memory.thp_shmem", std::string(kPages) + "shmem_enabled", chosen_word);
  for (const std::string& size : source.names("/sys/kernel/mm/hugepages"))
    if (size.starts_with("hugepages-"))
      source.put_number(fmt::format("memory.hugepages.{}", size.substr(10)),
                        "/sys/kernel/mm/hugepages/" + size + "/nr_hugepages");
  source.put_number("memory.numa_balancing", "/proc/sys/kernel/numa_balancing");
  source.put_number("memory.zone_reclaim_mode", "/proc/sys/vm/zone_reclaim_mode");
  source.put_number("memory.overcommit", "/proc/sys/vm/overcommit_memory");
  source.put_number("memory.kdamonds", "/sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds");
  read_balloon(source);
  read_first_use(source, options);
}

void read_memory_counters(Source& source) {
  for (const std::string& node : source.names("/sys/devices/system/node")) {
    const std::string path = kNodes + node + "/numastat";
    const auto text = is_node(node) ? source.text(path) : std::nullopt;
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
      const auto words = words_of(take_line(rest));
      if (words.size() == 2 && number_of(words[1]))
        source.put(fmt::format("memory.{}.{}", node, as_part(words[0])), std::string(words[1]), path);
    }
  }
  const auto text = source.text("/proc/vmstat");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    if (words.size() != 2 || !number_of(words[1])) continue;
    for (const char* wanted : kVmCounters)
      if (words[0] == wanted) source.put(fmt::format("memory.{}", wanted), std::string(words[1]), "/proc/vmstat");
  }
}

}  // namespace plumbline::node
