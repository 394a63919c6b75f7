#include "base/node/copy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// The same node as a directory and as a copy of it.
class OneNode {
 public:
  OneNode& file(const std::string& path, const std::string& text) {
    tree.file(path, text);
    copy.files[path] = text;
    return *this;
  }

  Tree tree;
  Copy copy;
};

void fill(OneNode& node) {
  node.file("/proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 1000 41\n")
      .file("/proc/self/cgroup", "0::/job\n")
      .file("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
      .file("/sys/fs/cgroup/job/cpu.max", "150000 100000\n")
      .file("/sys/fs/cgroup/job/cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_usec 1234\n")
      .file("/sys/class/net/eth10/mtu", "9000\n")
      .file("/sys/class/net/eth2/mtu", "1500\n")
      .file("/sys/class/net/eth2/statistics/rx_errors", "7\n")
      .file("/sys/class/net/eth2/queues/rx-0/x", "")
      .file("/sys/class/net/eth2/queues/rx-1/x", "")
      .file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
      .file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
  node.tree.link("/sys/class/net/eth2/device", "../../../virtio2");
  node.copy.links["/sys/class/net/eth2/device"] = "../../../virtio2";
  node.file("/proc/interrupts", "   CPU0 CPU1\n 38: 5 377 PCI-MSIX virtio2-input.0\n");
}

TEST(Copy, ReadsAsTheNodeItself) {
  OneNode node;
  fill(node);
  const ReadOptions options{.copy = &node.copy};
  EXPECT_EQ(read_settings(options), node.tree.settings());
  EXPECT_EQ(read_counters(options), node.tree.counters());
  EXPECT_EQ(value(read_settings(options), "cgroup.cpu_quota_cores"), "1.5");
  EXPECT_EQ(value(read_counters(options), "interrupts.eth2.cpu1"), "377");
}

// Nothing of the node that reads it, whose /dev/shm is another one.
TEST(Copy, OfNothingHasNoFacts) {
  const Copy nothing;
  EXPECT_THAT(read_settings({.copy = &nothing}).facts, IsEmpty());
  EXPECT_THAT(read_counters({.copy = &nothing}).facts, IsEmpty());
}

TEST(Copy, TellsWhyAFileIsNotInIt) {
  Copy copy;
  copy.unreadable["/proc/vmstat"] = "Permission denied";
  EXPECT_THAT(read_counters({.copy = &copy}).unreadable, ElementsAre(std::pair("/proc/vmstat", "Permission denied")));
}

TEST(Copy, ListsADirectoryByWhatWasCopiedBelowItAndByItsNames) {
  Copy copy;
  copy.files["/sys/a/b/c"] = copy.files["/sys/a/b/d"] = copy.files["/sys/ab/x"] = "1";
  copy.links["/sys/a/e"] = "f";
  copy.lists["/sys/a"] = {"g", "b"};
  EXPECT_THAT(names_in(copy, "/sys/a"), UnorderedElementsAre("b", "e", "g"));
  EXPECT_THAT(names_in(copy, "/sys/ab/x"), IsEmpty());
  EXPECT_TRUE(holds(copy, "/sys/a/b"));
  EXPECT_FALSE(holds(copy, "/sys/a/b/c/d"));
  EXPECT_FALSE(holds(copy, "/sys/a/bc"));
}

}  // namespace
}  // namespace plumbline::node::test
