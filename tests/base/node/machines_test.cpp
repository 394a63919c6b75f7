// Nodes that are not here: what is read of directories that look like theirs.

#include <gtest/gtest.h>

#include <string>

#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

// A node with a ConnectX-6 in a slot of half the width, as Linux 5.14 shows it.
void add_infiniband(Tree& tree) {
  const std::string device = "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0";
  tree.file(device + "/current_link_speed", "8.0 GT/s PCIe\n")
      .file(device + "/max_link_speed", "16.0 GT/s PCIe\n")
      .file(device + "/current_link_width", "8\n")
      .file(device + "/max_link_width", "16\n")
      .file(device + "/numa_node", "1\n")
      .link(device + "/driver", "../../../../bus/pci/drivers/mlx5_core")
      .file("/sys/class/infiniband/mlx5_0/fw_ver", "20.31.1014\n")
      .file("/sys/class/infiniband/mlx5_0/board_id", "MT_0000000223\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/phys_state", "5: LinkUp\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "12\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_wait", "90000\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_errors", "not a number\n")
      .link("/sys/class/infiniband/mlx5_0/device", "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
}

TEST(InfiniBandNode, PortAndSlotAreTold) {
  Tree tree;
  add_infiniband(tree);
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.state"), "ACTIVE");
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.phys_state"), "LinkUp");
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.rate_gbit"), "100");
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.lanes"), "4X EDR");
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.link_layer"), "InfiniBand");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.pcie_width"), "8");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.pcie_width_max"), "16");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.pcie_speed_gts"), "8.0");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.pcie_speed_max_gts"), "16.0");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.numa_node"), "1");
  EXPECT_EQ(value(facts, "rdma.mlx5_0.driver"), "mlx5_core");
  EXPECT_EQ(facts.facts.at("rdma.mlx5_0:1.state").source, "/sys/class/infiniband/mlx5_0/ports/1/state");
}

TEST(InfiniBandNode, CountersAreNumbersAlone) {
  Tree tree;
  add_infiniband(tree);
  const Facts facts = tree.counters();
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.symbol_error"), "12");
  EXPECT_EQ(value(facts, "rdma.mlx5_0:1.port_xmit_wait"), "90000");
  EXPECT_FALSE(facts.facts.contains("rdma.mlx5_0:1.port_rcv_errors"));
}

TEST(SlowInterface, SpeedDuplexAndErrorsAreTold) {
  Tree tree;
  tree.file("/sys/class/net/eno1/speed", "100\n")
      .file("/sys/class/net/eno1/duplex", "half\n")
      .file("/sys/class/net/eno1/mtu", "1500\n")
      .file("/sys/class/net/eno1/operstate", "up\n")
      .file("/sys/class/net/eno1/statistics/rx_crc_errors", "41\n")
      .file("/sys/class/net/eno1/statistics/collisions", "7\n")
      .file("/sys/class/net/lo/mtu", "65536\n");
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "net.eno1.speed_mbit"), "100");
  EXPECT_EQ(value(facts, "net.eno1.duplex"), "half");
  EXPECT_EQ(value(facts, "net.eno1.mtu_bytes"), "1500");
  EXPECT_EQ(value(facts, "net.eno1.operstate"), "up");
  EXPECT_EQ(value(tree.counters(), "net.eno1.rx_crc_errors"), "41");
  EXPECT_EQ(value(tree.counters(), "net.eno1.collisions"), "7");
}

TEST(VirtualInterface, ASpeedThatTheDriverDoesNotKnowIsNone) {
  Tree tree;
  tree.file("/sys/class/net/eth0/speed", "-1\n").file("/sys/class/net/eth0/duplex", "unknown\n");
  EXPECT_FALSE(tree.settings().facts.contains("net.eth0.speed_mbit"));
  EXPECT_FALSE(tree.settings().facts.contains("net.eth0.duplex"));
}

TEST(Processors, AGovernorThatDiffersNamesWhichHaveIt) {
  Tree tree;
  for (int i = 0; i < 12; ++i) {
    const std::string directory = "/sys/devices/system/cpu/cpu" + std::to_string(i);
    tree.file(directory + "/cpufreq/scaling_governor", i == 3 || i == 10 ? "performance\n" : "powersave\n")
        .file(directory + "/cpufreq/scaling_cur_freq", i == 10 ? "3500000\n" : "1200000\n")
        .file(directory + "/cpufreq/cpuinfo_max_freq", "3600000\n");
  }
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "cpu.governor"), "performance:3,10 powersave:0-2,4-9,11");
  EXPECT_EQ(value(facts, "cpu.current_least_mhz"), "1200");
  EXPECT_EQ(value(facts, "cpu.current_most_mhz"), "3500");
  EXPECT_EQ(value(facts, "cpu.hardware_most_mhz"), "3600");
}

TEST(Processors, TheSameGovernorEverywhereIsToldOnce) {
  Tree tree;
  tree.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
      .file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(value(tree.settings(), "cpu.governor"), "powersave");
}

TEST(Processors, SiblingsIdleStatesAndMitigationsAreTold) {
  Tree tree;
  const std::string cpu = "/sys/devices/system/cpu/";
  for (const char* each : {"cpu0", "cpu2"})
    tree.file(cpu + each + "/topology/thread_siblings_list", "0,2\n")
        .file(cpu + each + "/cpuidle/state0/name", "POLL\n")
        .file(cpu + each + "/cpuidle/state0/usage", "5\n")
        .file(cpu + each + "/cpuidle/state3/name", "C6\n")
        .file(cpu + each + "/cpuidle/state3/latency", "133\n")
        .file(cpu + each + "/cpuidle/state3/usage", "1000\n")
        .file(cpu + each + "/cpuidle/state3/time", "70000\n")
        .file(cpu + each + "/cpuidle/state3/disable", "0\n");
  tree.file(cpu + "cpu1/topology/thread_siblings_list", "1\n")
      .file(cpu + "vulnerabilities/meltdown", "Mitigation: PTI\n")
      .file("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=1 mitigations=off isolcpus=2-3 nosmt\n");
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "cpu.siblings"), "0,2");
  EXPECT_EQ(value(facts, "cpu.idle.C6.latency_us"), "133");
  EXPECT_EQ(value(facts, "cpu.idle.C6.disabled"), "0");
  EXPECT_EQ(value(facts, "cpu.vulnerability.meltdown"), "Mitigation: PTI");
  EXPECT_EQ(value(facts, "kernel.option.mitigations"), "off");
  EXPECT_EQ(value(facts, "kernel.option.isolcpus"), "2-3");
  EXPECT_EQ(value(facts, "kernel.option.nosmt"), "set");
  EXPECT_FALSE(facts.facts.contains("kernel.option.root"));
  EXPECT_EQ(value(tree.counters(), "cpu.idle.C6.usage"), "2000");
  EXPECT_EQ(value(tree.counters(), "cpu.idle.C6.time_us"), "140000");
}

// Two sockets of two cores with two threads each; what a package counts, all of its processors show.
TEST(Processors, AThrottledPackageIsCountedOnce) {
  Tree tree;
  for (int i = 0; i < 8; ++i) {
    const std::string directory = "/sys/devices/system/cpu/cpu" + std::to_string(i);
    tree.file(directory + "/topology/physical_package_id", std::to_string(i / 4) + "\n")
        .file(directory + "/topology/core_id", std::to_string(i % 2) + "\n")
        .file(directory + "/thermal_throttle/core_throttle_count", i % 4 == 1 ? "3\n" : "0\n")
        .file(directory + "/thermal_throttle/package_throttle_count", i < 4 ? "10\n" : "1\n");
  }
  EXPECT_EQ(value(tree.counters(), "cpu.package_throttles"), "11");
  EXPECT_EQ(value(tree.counters(), "cpu.core_throttles"), "6");
  EXPECT_EQ(value(tree.settings(), "cpu.sockets"), "2");
}

TEST(ControlGroup, OfVersion2HasTheSmallestQuotaOfItselfAndThoseAbove) {
  Tree tree;
  tree.file("/proc/self/cgroup", "0::/kubepods/pod7/c1\n")
      .file("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
      .file("/sys/fs/cgroup/kubepods/pod7/c1/cpu.max", "max 100000\n")
      .file("/sys/fs/cgroup/kubepods/pod7/c1/cpu.stat",
            "usage_usec 1\nnr_periods 1\nnr_throttled 0\nthrottled_usec 0\n")
      .file("/sys/fs/cgroup/kubepods/pod7/cpu.max", "150000 100000\n")
      .file("/sys/fs/cgroup/kubepods/pod7/cpu.stat",
            "usage_usec 1\nnr_periods 400\nnr_throttled 31\nthrottled_usec 5500\n")
      .file("/sys/fs/cgroup/kubepods/cpu.max", "800000 100000\n");
  EXPECT_EQ(value(tree.settings(), "cgroup.cpu_quota_cores"), "1.5");
  EXPECT_EQ(tree.settings().facts.at("cgroup.cpu_quota_cores").source, "/sys/fs/cgroup/kubepods/pod7/cpu.max");
  EXPECT_EQ(value(tree.counters(), "cgroup.throttled_periods"), "31");
  EXPECT_EQ(value(tree.counters(), "cgroup.throttled_us"), "5500");
}

TEST(ControlGroup, OfVersion1CountsNanoseconds) {
  Tree tree;
  tree.file("/proc/self/cgroup", "4:cpu,cpuacct:/job_7\n1:name=systemd:/\n")
      .file("/proc/self/mountinfo",
            "31 23 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
            "32 23 0:27 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.cfs_quota_us", "200000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 7000000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(value(tree.settings(), "cgroup.cpu_quota_cores"), "2");
  EXPECT_EQ(value(tree.settings(), "cgroup.version"), "1");
  EXPECT_EQ(value(tree.counters(), "cgroup.throttled_us"), "7000");
}

// In a container the path of the group may lead out of what is mounted.
TEST(ControlGroup, OfAContainerIsThatWhichIsMounted) {
  Tree tree;
  tree.file("/proc/self/cgroup", "0::/docker/abc\n")
      .file("/proc/self/mountinfo", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
      .file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(value(tree.settings(), "cgroup.cpu_quota_cores"), "0.5");
}

TEST(Memory, NodesPagesAndWhatWasRemoteAreTold) {
  Tree tree;
  tree.file("/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n")
      .file("/sys/devices/system/node/online", "0-1\n")
      .file("/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal:       8192 kB\nNode 1 MemFree: 1 kB\n")
      .file("/sys/devices/system/node/node1/numastat", "numa_hit 5\nnuma_miss 12\nother_node 13\n")
      .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
      .file("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512\n")
      .file("/proc/vmstat", "pswpin 3\nnr_dirty 9\n")
      .file("/proc/self/status", "Name:\tx\nSeccomp:\t2\nCapEff:\t00000000a80425fb\nMems_allowed_list:\t0-1\n");
  const Facts facts = tree.settings(), counters = tree.counters();
  EXPECT_EQ(value(facts, "memory.bytes"), "16777216");
  EXPECT_EQ(value(facts, "memory.node1.bytes"), "8388608");
  EXPECT_EQ(value(facts, "memory.numa_nodes"), "0-1");
  EXPECT_EQ(value(facts, "memory.thp"), "madvise");
  EXPECT_EQ(value(facts, "memory.hugepages.2048kB"), "512");
  EXPECT_EQ(value(facts, "process.seccomp"), "2");
  EXPECT_EQ(value(facts, "process.cap_eff"), "00000000a80425fb");
  EXPECT_EQ(value(facts, "process.mems_allowed"), "0-1");
  EXPECT_EQ(value(counters, "memory.node1.numa_miss"), "12");
  EXPECT_EQ(value(counters, "memory.pswpin"), "3");
  EXPECT_FALSE(counters.facts.contains("memory.nr_dirty"));
}

}  // namespace
}  // namespace plumbline::node::test
