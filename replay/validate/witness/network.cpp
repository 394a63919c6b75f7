#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/witness/lossy_pairs.hpp"
#include "replay/validate/witness/parts.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr double kInterrupts = 1000;  // fewer say nothing of where they go
constexpr double kNearlyAll = 0.9;
constexpr double kSmallBuffer = 1 << 20;  // B: 10 Gbit/s over 1 ms of round trip; Linux allows 4 MiB and more itself

// The last of "4096 131072 6291456": what a socket may take at most.
double largest_of(std::string_view triple) {
  const std::size_t blank = triple.rfind(' ');
  const std::string_view last = blank == std::string_view::npos ? triple : triple.substr(blank + 1);
  double value = 0;
  const auto [end, fault] = std::from_chars(last.data(), last.data() + last.size(), value);
  return fault == std::errc{} && end == last.data() + last.size() ? value : 0;
}

void see_buffers(const NodeWitness& node, Sightings& seen) {
  constexpr std::string_view kUsual[] = {"cubic", "bbr", "dctcp", "reno"};
  std::vector<Datum> rows;
  for (const char* name : {"sysctl.net.ipv4.tcp_rmem", "sysctl.net.ipv4.tcp_wmem"}) {
    const double most = largest_of(node.settings.value(name));
    if (most > 0 && most < kSmallBuffer) add_setting(node, name, "B", rows);
  }
  for (const char* name :
       {"sysctl.net.ipv4.tcp_window_scaling", "sysctl.net.ipv4.tcp_sack", "sysctl.net.ipv4.tcp_moderate_rcvbuf"})
    if (node.settings.value(name) == "0") add_setting(node, name, "", rows);
  const std::string_view control = node.settings.value("sysctl.net.ipv4.tcp_congestion_control");
  if (!control.empty() && std::ranges::find(kUsual, control) == std::end(kUsual))
    add_setting(node, "sysctl.net.ipv4.tcp_congestion_control", "", rows);
  for (const char* name : {"tcp.PruneCalled", "tcp.TCPRcvCollapsed", "tcp.TCPMemoryPressures", "tcp.TCPRcvQDrop"})
    add_growth(node, name, "", rows);
  if (!rows.empty())
    seen.push_back({"net.congestion-control", "TCP has less buffer, or other rules, than Linux gives it", "tcp", rows});
}

// Dropped frames are usual where a protocol is not known; errors are not.
void add_losses(const NodeWitness& node, const std::string& interface, std::vector<Datum>& rows) {
  const std::string fact = "net." + interface;
  for (const char* counter : {".rx_errors", ".tx_errors", ".rx_crc_errors", ".rx_frame_errors", ".rx_length_errors",
                              ".rx_fifo_errors", ".rx_missed_errors", ".tx_carrier_errors", ".collisions"})
    add_growth(node, fact + counter, "frames", rows);
  for (const char* way : {"rx", "tx"}) {
    const double dropped = grown(node, fmt::format("{}.{}_dropped", fact, way));
    if (is_lossy(grown(node, fmt::format("{}.{}_packets", fact, way)), dropped))
      add_growth(node, fmt::format("{}.{}_dropped", fact, way), "frames", rows);
  }
}

}  // namespace

void see_tcp(const NodeWitness& node, Sightings& seen) {
  const double again = grown(node, "tcp.RetransSegs");
  std::vector<Datum> rows;
  if (is_lossy(grown(node, "tcp.OutSegs"), again)) {
    for (const char* name : {"tcp.RetransSegs", "tcp.OutSegs", "tcp.TCPTimeouts", "tcp.TCPLostRetransmit"})
      add_growth(node, name, "", rows);
    seen.push_back({"net.retransmits", "TCP sent more than 1 segment in 10,000 again", "tcp", rows});
  }
  std::vector<Datum> too_large;
  add_growth(node, "tcp.TCPMTUPFail", "", too_large);
  add_growth(node, "ip.FragFails", "", too_large);
  if (!too_large.empty())
    seen.push_back({"net.mtu.uniform", "Packets were too large for a part of the path", "tcp", too_large});
  see_buffers(node, seen);
}

void see_interfaces(const NodeWitness& node, Sightings& seen) {
  for (const std::string& interface : parts_between(node.settings, "net.", ".mtu_bytes")) {
    std::vector<Datum> rows;
    add_losses(node, interface, rows);
    if (rows.empty()) continue;
    add_growth(node, "net." + interface + ".rx_packets", "frames", rows);
    add_growth(node, "net." + interface + ".tx_packets", "frames", rows);
    seen.push_back({"net.errors", "The interface has counted errors, drops or collisions", interface, rows});
  }
  for (const std::string& port : parts_between(node.settings, "rdma.", ".state")) {
    std::vector<Datum> rows;
    for (const char* counter : {"symbol_error", "link_error_recovery", "link_downed", "local_link_integrity_errors",
                                "excessive_buffer_overrun_errors", "port_rcv_errors", "port_xmit_discards"})
      add_growth(node, fmt::format("rdma.{}.{}", port, counter), "", rows);
    if (!rows.empty()) seen.push_back({"net.errors", "The port has counted errors", port, rows});
  }
}

void see_packet_queues(const NodeWitness& node, Sightings& seen) {
  std::vector<Datum> rows;
  add_growth(node, "softnet.dropped", "packets", rows);
  add_growth(node, "softnet.squeezed", "", rows);
  if (rows.empty()) return;
  add_growth(node, "softnet.processed", "packets", rows);
  add_setting(node, "sysctl.net.core.netdev_budget", "packets", rows);
  add_setting(node, "sysctl.net.core.netdev_max_backlog", "packets", rows);
  seen.push_back({"net.softnet-squeeze", "The kernel did not keep up with packets", "softnet", rows});
}

void see_interrupts(const NodeWitness& node, Sightings& seen) {
  for (const std::string& interface : parts_between(node.settings, "net.", ".rx_queues")) {
    const std::string begin = "interrupts." + interface + ".";
    double all = 0, most = 0;
    int processors = 0;
    std::string busiest;
    for (auto one = node.growth.lower_bound(begin); one != node.growth.end() && one->first.starts_with(begin); ++one) {
      all += one->second;
      ++processors;
      if (one->second <= most) continue;
      most = one->second;
      busiest = one->first;
    }
    const bool several = number(node, "net." + interface + ".rx_queues") > 1 && processors > 1;
    if (!several || all < kInterrupts || most < kNearlyAll * all) continue;
    std::vector<Datum> rows;
    add_growth(node, busiest, "", rows);
    rows.push_back({begin + "all", fmt::format("{:.15g}", all), ""});
    add_setting(node, "net." + interface + ".rx_queues", "", rows);
    seen.push_back({"net.irq-one-core", "One processor has nearly all interrupts of an interface with several queues",
                    interface, rows});
  }
}

void see_pcie(const NodeWitness& node, Sightings& seen) {
  for (const char* kind : {"net.", "rdma."})
    for (const std::string& device : parts_between(node.settings, kind, ".pcie_width_max")) {
      const std::string fact = kind + device;
      const double width = number(node, fact + ".pcie_width"), speed = number(node, fact + ".pcie_speed_gts");
      const bool narrow = width > 0 && width < number(node, fact + ".pcie_width_max");
      const bool slow = speed > 0 && speed < number(node, fact + ".pcie_speed_max_gts");
      if (!narrow && !slow) continue;
      std::vector<Datum> rows;
      add_setting(node, fact + ".pcie_width", "lanes", rows);
      add_setting(node, fact + ".pcie_width_max", "lanes", rows);
      add_setting(node, fact + ".pcie_speed_gts", "GT/s", rows);
      add_setting(node, fact + ".pcie_speed_max_gts", "GT/s", rows);
      seen.push_back({"net.pcie-width", "The card has fewer or slower PCIe lanes than it could have", device, rows});
    }
}

void see_coalescing(const NodeWitness& node, Sightings& seen) {
  constexpr double kLongDelay = 20;  // us: as long as a small message takes between two nodes
  for (const std::string& interface : parts_between(node.settings, "net.", ".coalesce_rx_us")) {
    const std::string fact = "net." + interface + ".coalesce_rx_";
    if (number(node, fact + "us") < kLongDelay || number(node, fact + "adaptive") != 0) continue;
    std::vector<Datum> rows;
    add_setting(node, fact + "us", "us", rows);
    add_setting(node, fact + "adaptive", "", rows);
    seen.push_back({"net.coalescing", "The interface holds interrupts back for long", interface, rows});
  }
}

}  // namespace plumbline::replay::validate
