// Whatever the files hold, reading them ends, and what is no fact is none.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/base/node/tree.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::node::test {
namespace {

// One of every kind that is read.
const std::vector<std::string>& paths() {
  static const std::vector<std::string> all = {"/proc/cpuinfo",
                                               "/proc/meminfo",
                                               "/proc/cmdline",
                                               "/proc/interrupts",
                                               "/proc/mdstat",
                                               "/proc/vmstat",
                                               "/proc/net/snmp",
                                               "/proc/net/netstat",
                                               "/proc/net/softnet_stat",
                                               "/proc/self/cgroup",
                                               "/proc/self/mountinfo",
                                               "/proc/self/mountstats",
                                               "/proc/self/status",
                                               "/proc/self/uid_map",
                                               "/proc/sys/net/ipv4/tcp_rmem",
                                               "/sys/block/sda/stat",
                                               "/sys/block/sda/size",
                                               "/sys/block/sda/queue/scheduler",
                                               "/sys/class/net/eth0/speed",
                                               "/sys/class/net/eth0/statistics/rx_errors",
                                               "/sys/class/net/eth0/device/current_link_speed",
                                               "/sys/class/net/eth0/device/current_link_width",
                                               "/sys/class/infiniband/mlx5_0/ports/1/rate",
                                               "/sys/class/infiniband/mlx5_0/ports/1/state",
                                               "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                                               "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
                                               "/sys/devices/system/cpu/cpu0/cpuidle/state0/name",
                                               "/sys/devices/system/cpu/cpu0/cpuidle/state0/usage",
                                               "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
                                               "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
                                               "/sys/devices/system/node/node0/numastat",
                                               "/sys/devices/system/node/node0/meminfo",
                                               "/sys/kernel/mm/transparent_hugepage/enabled",
                                               "/sys/fs/cgroup/cpu.max",
                                               "/sys/fs/cgroup/cpu.stat"};
  return all;
}

std::string random_content(std::mt19937_64& random) {
  constexpr const char* kLikely[] = {"\n",
                                     " ",
                                     "0",
                                     "-1",
                                     "18446744073709551616",
                                     ":",
                                     "[",
                                     "]",
                                     "(F)",
                                     "/",
                                     "- ",
                                     "md0 : active raid1",
                                     "[2/1] [U_]",
                                     "device a mounted on /b with fstype nfs x",
                                     "\nper-op statistics\n",
                                     "READ: 1 2 3 4 5 6 7 8",
                                     "CPU0 CPU1\n",
                                     "0::/../..",
                                     "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 c rw\n",
                                     "\\04",
                                     "Tcp: OutSegs\nTcp: ",
                                     "MemTotal: 1 kB",
                                     ",",
                                     "=",
                                     "\xff",
                                     "4: ACTIVE",
                                     "Gb/sec (",
                                     "%",
                                     "max "};
  std::string text;
  for (std::uint64_t parts = random() % 30; parts != 0; --parts)
    if (random() % 4 == 0)
      text += static_cast<char>(random());
    else
      text += kLikely[random() % std::size(kLikely)];
  return text;
}

TEST(StrangeFiles, RandomContentIsReadToItsEnd) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  Tree tree;
  std::size_t found = 0;
  for (int i = 0; i < 200; ++i) {
    for (const std::string& path : paths()) tree.file(path, random_content(random));
    ReadOptions options = tree.options();
    options.directories = {"/b/c"};
    for (const Facts& facts : {read_settings(options), read_counters(options)}) {
      found += facts.facts.size();
      for (const auto& [name, fact] : facts.facts) {
        ASSERT_FALSE(fact.value.empty()) << name;
        ASSERT_EQ(fact.value.find('\n'), std::string::npos) << name;
      }
      // What is written can be read back, whatever bytes it has.
      ASSERT_EQ(facts_from_json(to_json(facts), "x").facts.size(), facts.facts.size());
    }
  }
  EXPECT_GT(found, 0U);
}

TEST(StrangeFiles, AnEmptyRootHasNoFactsAndNoFaults) {
  const Tree tree;
  EXPECT_EQ(tree.settings(), Facts{});
  EXPECT_EQ(tree.counters(), Facts{});
  EXPECT_EQ(read_settings({.root = "/no/such/root"}), Facts{});
}

TEST(StrangeFiles, EmptyOnesAreNoFacts) {
  Tree tree;
  for (const std::string& path : paths()) tree.file(path, "");
  EXPECT_EQ(tree.settings(), Facts{});
  EXPECT_EQ(tree.counters(), Facts{});
}

TEST(StrangeFiles, BytesThatAreNoTextAreToldAsUnreadable) {
  Tree tree;
  tree.file("/sys/class/net/eth0/operstate", std::string("u\0p\x01", 4));
  const Facts facts = tree.settings();
  EXPECT_FALSE(facts.facts.contains("net.eth0.operstate"));
  EXPECT_EQ(facts.unreadable.at("/sys/class/net/eth0/operstate"), "Not a text");
}

TEST(StrangeFiles, HugeOnesAreGivenUp) {
  Tree tree;
  tree.file("/proc/vmstat", std::string(17U << 20, '1')).file("/proc/cmdline", std::string(1U << 20, 'a'));
  EXPECT_EQ(tree.counters().unreadable.at("/proc/vmstat"), "File too large");
  EXPECT_EQ(tree.settings().unreadable.at("/proc/cmdline"), "Line too long");
}

TEST(StrangeFiles, APipeOrADirectoryInPlaceOfAFileDoesNotStopUs) {
  Tree tree;
  tree.file("/proc/cmdline/x", "").file("/proc/self/status", "");
  const std::string pipe = tree.options().root.string() + "/proc/cpuinfo";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Facts facts = tree.settings();
  EXPECT_EQ(facts.unreadable.at("/proc/cpuinfo"), "Not a file");
  EXPECT_EQ(facts.unreadable.at("/proc/cmdline"), "Not a file");
}

TEST(StrangeFiles, ALinkInACircleIsTold) {
  Tree tree;
  tree.link("/proc/cmdline", "cmdline");
  EXPECT_TRUE(tree.settings().unreadable.contains("/proc/cmdline"));
}

}  // namespace
}  // namespace plumbline::node::test
