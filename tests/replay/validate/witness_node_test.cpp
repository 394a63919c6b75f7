#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "replay/validate/witness/witness.hpp"
#include "tests/replay/validate/witness_case.hpp"

namespace plumbline::replay::validate::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WitnessOfNodes, AHealthyNodeShowsNothing) {
  EXPECT_EQ(ids(seen_of({{"sysctl.net.core.busy_poll", "0"},
                         {"sysctl.kernel.yama.ptrace_scope", "1"},
                         {"process.seccomp", "0"},
                         {"cpu.governor", "performance"},
                         {"cpu.idle.C1.latency_us", "2"},
                         {"kernel.clocksource", "tsc"},
                         {"memory.thp", "always"},
                         {"memory.numa_nodes", "0-1"},
                         {"disk.nvme0n1.write_cache", "write through"},
                         {"disk.nvme0n1.rotational", "0"},
                         {"net.eth0.mtu_bytes", "1500"},
                         {"net.eth0.pcie_width", "8"},
                         {"net.eth0.pcie_width_max", "8"},
                         {"sysctl.net.ipv4.tcp_congestion_control", "cubic"},
                         {"sysctl.net.ipv4.tcp_rmem", "4096 131072 6291456"},
                         {"mount./home.type", "nfs4"},
                         {"mount./home.options", "rw,vers=4.2,rsize=1048576,wsize=1048576"},
                         {"mount./home.bytes", "1000"},
                         {"mount./home.free_bytes", "500"},
                         {"md.md0.state", "active"},
                         {"md.md0.members", "2"},
                         {"md.md0.members_active", "2"}},
                        {{"cpu.idle.C1.usage", 5000},
                         {"tcp.RetransSegs", 9},
                         {"tcp.OutSegs", 1e6},
                         {"net.eth0.rx_dropped", 5},
                         {"net.eth0.rx_packets", 1e6},
                         {"memory.node0.local_node", 1e6},
                         {"memory.node0.other_node", 10}})),
            "");
}

TEST(WitnessOfNodes, BusyPollingIsSeen) {
  const auto seen = seen_of({{"sysctl.net.core.busy_poll", "50"}, {"sysctl.net.core.busy_read", "0"}});
  ASSERT_EQ(ids(seen), "node.busy-poll");
  EXPECT_THAT(seen[0].rows, ElementsAre(Datum{"sysctl.net.core.busy_poll", "50", "us"}));
  EXPECT_THAT(seen[0].places, ElementsAre("n0"));
}

TEST(WitnessOfNodes, CopiesThatTheKernelRefusesAreSeen) {
  const std::string plain = "00000000a80425fb", may_trace = "000001ffffffffff";
  const auto of = [](const char* scope, const std::string& capabilities, const char* seccomp) {
    return ids(seen_of(
        {{"sysctl.kernel.yama.ptrace_scope", scope}, {"process.cap_eff", capabilities}, {"process.seccomp", seccomp}}));
  };
  EXPECT_EQ(of("1", plain, "0"), "");
  EXPECT_EQ(of("2", plain, "0"), "node.ptrace-scope");
  EXPECT_EQ(of("2", may_trace, "0"), "");
  EXPECT_EQ(of("3", may_trace, "0"), "node.ptrace-scope");
  EXPECT_EQ(of("0", plain, "2"), "node.ptrace-scope");
  EXPECT_EQ(of("0", may_trace, "2"), "");
}

TEST(WitnessOfNodes, AGovernorOrALimitThatSlowsDownIsSeen) {
  EXPECT_EQ(ids(seen_of({{"cpu.governor", "powersave"}})), "cpu.governor");
  EXPECT_EQ(ids(seen_of({{"cpu.governor", "performance:0 powersave:1"}})), "cpu.governor");
  EXPECT_EQ(
      ids(seen_of(
          {{"cpu.governor", "performance"}, {"cpu.allowed_least_mhz", "1200"}, {"cpu.hardware_least_mhz", "3600"}})),
      "cpu.governor");
  EXPECT_EQ(ids(seen_of({{"cpu.boost", "0"}})), "cpu.governor");
}

TEST(WitnessOfNodes, ThrottlingByHeatAndByQuotaAreTwoThings) {
  EXPECT_EQ(ids(seen_of({}, {{"cpu.package_throttles", 3}})), "cpu.throttled");
  const auto seen =
      seen_of({{"cgroup.cpu_quota_cores", "1.5"}}, {{"cgroup.throttled_periods", 31}, {"cgroup.throttled_us", 5500}});
  ASSERT_EQ(ids(seen), "cpu.quota");
  EXPECT_EQ(row(seen[0], "cgroup.throttled_us"), "5500");
  EXPECT_EQ(row(seen[0], "cgroup.cpu_quota_cores"), "1.5");
}

TEST(WitnessOfNodes, DeepIdleStatesAreSeenWhereTheyWereEntered) {
  const Values states = {{"cpu.idle.C1.latency_us", "2"}, {"cpu.idle.C6.latency_us", "133"}};
  EXPECT_EQ(ids(seen_of(states, {{"cpu.idle.C1.usage", 10}, {"cpu.idle.C6.usage", 0}})), "");
  const auto seen = seen_of(states, {{"cpu.idle.C6.usage", 7}});
  ASSERT_EQ(ids(seen), "cpu.idle-states");
  EXPECT_EQ(row(seen[0], "cpu.idle.C6.latency_us"), "133");
}

TEST(WitnessOfNodes, ProcessesOfOthersAreSeen) {
  NodeWitness node = witness_node({});
  EXPECT_EQ(ids(witness({{node}, {}})), "");
  node.consumers = {{12, "dd", 0.97}, {7, "sh", 0.3}};
  const auto seen = witness({{node}, {}});
  ASSERT_EQ(ids(seen), "cpu.interference");
  EXPECT_THAT(seen[0].rows, ElementsAre(Datum{"dd (process 12)", "0.97", "processors"},
                                        Datum{"sh (process 7)", "0.30", "processors"}));
}

TEST(WitnessOfNodes, RanksOnSiblingsAreSeenWhileCoresAreIdle) {
  const auto of = [](std::vector<std::string> affinities) {
    NodeWitness node = witness_node({{"cpu.siblings", "0,4 1,5 2,6 3,7"}});
    node.affinities = std::move(affinities);
    return witness({{node}, {}});
  };
  const auto seen = of({"0", "4", "1"});
  ASSERT_EQ(ids(seen), "cpu.smt-siblings");
  EXPECT_EQ(row(seen[0], "ranks on the core of 0,4"), "0, 4");
  EXPECT_EQ(row(seen[0], "cores without a rank"), "2");
  EXPECT_EQ(ids(of({"0,4", "1,5"})), "");
  EXPECT_EQ(ids(of({"0-7", "0-7"})), "");
  EXPECT_EQ(ids(of({"0", "4", "1", "5", "2", "6", "3", "7"})), "");  // all cores are in use
}

TEST(WitnessOfNodes, MemoryThatIsRemoteSwappedOrCompactedIsSeen) {
  const Growth remote = {{"memory.node0.local_node", 60000}, {"memory.node1.other_node", 40000}};
  EXPECT_EQ(ids(seen_of({{"memory.numa_nodes", "0-1"}}, remote)), "memory.numa-remote");
  EXPECT_EQ(ids(seen_of({{"memory.numa_nodes", "0"}}, remote)), "");
  EXPECT_EQ(ids(seen_of({{"memory.numa_nodes", "0-1"}}, {{"memory.node1.other_node", 400}})), "");
  EXPECT_EQ(ids(seen_of({}, {{"memory.pswpout", 1}})), "memory.swap");
  EXPECT_EQ(ids(seen_of({{"memory.thp_defrag", "always"}}, {{"memory.compact_stall", 1}})), "memory.thp");
}

TEST(WitnessOfNodes, IdleMemoryThatIsSlowWhenItIsUsedAgainIsSeen) {
  const auto memory = [](const char* idle, const char* recent) {
    return seen_of({{"memory.first_use_idle_bytes_s", idle},
                    {"memory.first_use_recent_bytes_s", recent},
                    {"memory.page_reporting", "1"}});
  };
  const auto seen = memory("340000000", "4400000000");
  ASSERT_EQ(ids(seen), "memory.first-use");
  EXPECT_EQ(row(seen[0], "memory.first_use_idle_bytes_s"), "340000000");
  EXPECT_EQ(row(seen[0], "memory.page_reporting"), "1");
  EXPECT_EQ(ids(memory("2000000000", "4400000000")), "") << "less than three times";
  EXPECT_EQ(ids(seen_of({{"memory.page_reporting", "1"}})), "") << "a setting without a deviation";
}

TEST(WitnessOfNodes, AClockThatEntersTheKernelIsSeen) {
  EXPECT_EQ(ids(seen_of({{"kernel.clocksource", "hpet"}})), "cpu.clocksource");
  EXPECT_EQ(ids(seen_of({{"kernel.clocksource", "kvm-clock"}})), "");
}

TEST(WitnessOfNodes, DisksAndArraysAreSeen) {
  EXPECT_EQ(ids(seen_of({{"disk.sda.write_cache", "write through"}, {"disk.sda.rotational", "1"}})),
            "disk.write-cache-off");
  EXPECT_EQ(ids(seen_of({{"disk.sda.write_cache", "write back"}, {"disk.sda.rotational", "1"}})), "");
  const auto seen = seen_of({{"md.md0.state", "active"},
                             {"md.md0.level", "raid5"},
                             {"md.md0.members", "3"},
                             {"md.md0.members_active", "2"},
                             {"md.md0.action", "recovery"},
                             {"md.md0.action_percent", "8.5"}});
  ASSERT_EQ(ids(seen), "disk.array-degraded");
  EXPECT_EQ(seen[0].text, "A member of the array is missing");
  EXPECT_EQ(row(seen[0], "md.md0.action_percent"), "8.5");
  EXPECT_EQ(ids(seen_of({{"md.md0.state", "active"}, {"md.md0.action", "check"}})), "disk.array-degraded");
}

TEST(WitnessOfNodes, NfsThatIsMountedForSafetyOrLosesCallsIsSeen) {
  const auto of = [](const char* options, const Growth& growth = {}) {
    return seen_of(
        {{"mount./data/x.type", "nfs"}, {"mount./data/x.point", "/data"}, {"mount./data/x.options", options}}, growth);
  };
  for (const char* options : {"rw,sync", "noac,rw", "actimeo=0", "rsize=8192", "rw,wsize=65536,hard"})
    EXPECT_EQ(ids(of(options)), "fs.nfs-options") << options;
  for (const char* options : {"rw,async", "rw,actimeo=30", "rsize=1048576", "", "rw,syncer"})
    EXPECT_EQ(ids(of(options)), "") << options;
  const auto seen =
      of("rw", {{"nfs./data.retransmits", 4}, {"nfs./data.read_rtt_ms", 900}, {"nfs./data.read_calls", 9}});
  ASSERT_EQ(ids(seen), "fs.nfs-options");
  EXPECT_EQ(seen[0].component, "/data/x");
  EXPECT_EQ(row(seen[0], "nfs./data.read_rtt_ms"), "900");
}

TEST(WitnessOfNodes, MountsOnWhichWritesWaitForTheDeviceAreSeen) {
  const auto of = [](const char* type, const char* options) {
    return seen_of({{"mount./scratch.type", type}, {"mount./scratch.options", options}});
  };
  const auto seen = of("ext4", "rw,relatime,sync,dirsync");
  ASSERT_EQ(ids(seen), "fs.mount-options");
  EXPECT_EQ(seen[0].text, "The file system is mounted so that each write waits for the device");
  EXPECT_EQ(seen[0].component, "/scratch");
  EXPECT_EQ(row(seen[0], "mount./scratch.options"), "rw,relatime,sync,dirsync");
  for (const char* options : {"rw,dirsync", "rw,wsync"})
    EXPECT_EQ(of("xfs", options)[0].text,
              "The file system is mounted so that making or removing a file waits for the device");
  for (const char* options : {"rw,relatime", "async", "rw,syncer", ""})
    EXPECT_EQ(ids(of("ext4", options)), "") << options;
  EXPECT_EQ(ids(of("tmpfs", "rw,sync")), "") << "memory has no device";
}

TEST(WitnessOfNodes, FileSystemsThatAreNearlyFullAreSeenByBlocksAndByInodes) {
  EXPECT_EQ(ids(seen_of({{"mount./a.bytes", "1000"}, {"mount./a.free_bytes", "99"}})), "fs.full");
  const auto seen = seen_of({{"mount./a.bytes", "1000"},
                             {"mount./a.free_bytes", "900"},
                             {"mount./a.files", "100"},
                             {"mount./a.free_files", "3"}});
  ASSERT_EQ(ids(seen), "fs.full");
  EXPECT_EQ(row(seen[0], "mount./a.free_files"), "3");
  EXPECT_EQ(row(seen[0], "mount./a.bytes"), "");
}

// What is the same everywhere is told once, without places; numbers that differ keep the name of their node.
TEST(WitnessOfNodes, SeveralThatShowTheSameAreOneObservation) {
  const Values poll = {{"sysctl.net.core.busy_poll", "50"}};
  const auto seen = witness({{witness_node(poll, {{"softnet.squeezed", 3}}, "n0"), witness_node(poll, {}, "n1"),
                              witness_node(poll, {{"softnet.squeezed", 8}}, "n2")},
                             {}});
  ASSERT_EQ(ids(seen), "node.busy-poll net.softnet-squeeze");
  EXPECT_THAT(seen[0].places, IsEmpty());
  EXPECT_THAT(seen[0].rows, ElementsAre(Datum{"sysctl.net.core.busy_poll", "50", "us"}));
  EXPECT_THAT(seen[1].places, ElementsAre("n0", "n2"));
  EXPECT_EQ(row(seen[1], "n0 softnet.squeezed"), "3");
  EXPECT_EQ(row(seen[1], "n2 softnet.squeezed"), "8");
}

TEST(WitnessOfNodes, MitigationsThatDifferAreSeen) {
  const auto seen = witness({{witness_node({{"cpu.vulnerability.mds", "Mitigation: Clear"}}, {}, "n0"),
                              witness_node({{"cpu.vulnerability.mds", "Vulnerable"}}, {}, "n1")},
                             {}});
  ASSERT_EQ(ids(seen), "cpu.mitigations");
  EXPECT_EQ(row(seen[0], "cpu.vulnerability.mds on n1"), "Vulnerable");
}

}  // namespace
}  // namespace plumbline::replay::validate::test
