// The copies that the tracer makes of a node, below a directory that looks like one.

extern "C" {
#include "tracer/preload/node/copy.h"
}

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/spool/node_readings.hpp"

namespace plumbline::spool::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

class NodeCopy : public testing::Test {
 protected:
  void file(const std::string& path, const std::string& text) {
    fs::create_directories((root_.path().string() + path).substr(0, (root_.path().string() + path).rfind('/')));
    std::ofstream(root_.path().string() + path) << text;
  }

  NodeReading read(const std::string& root, const char* when = "begin") {
    const char* end = pl_copy_node(room_.data(), root.c_str(), when);
    const std::string_view text(room_.data(), static_cast<std::size_t>(end - room_.data()));
    EXPECT_LE(text.size(), std::size_t{PL_NODE_MOST});
    NodeReadings readings = parse_node_readings(text);
    auto& reading = std::string(when) == "begin" ? readings.begin : readings.end;
    EXPECT_TRUE(reading && reading->is_whole) << text.substr(0, 300);
    return reading ? *reading : NodeReading{};
  }
  NodeReading read_tree(const char* when = "begin") { return read(root_.path().string(), when); }

  plumbline::test::TemporaryDirectory root_;
  std::vector<char> room_ = std::vector<char>(PL_NODE_MOST);
};

// What changes from one moment to the next, is asked of the system and not of files, or is not copied on purpose.
bool is_of_the_moment(std::string_view name) {
  return name.find("free_") != std::string_view::npos || name.starts_with("cpu.current_") ||
         (name.starts_with("shm.") && (name.ends_with("bytes") || name.ends_with("files"))) || name == "kernel.host" ||
         name == "kernel.boot_id";
}

// What drivers tell by ioctl is in no file.
bool is_in_files(const std::string& name) { return name.find(".coalesce_") == name.npos; }

TEST_F(NodeCopy, OfThisNodeGivesTheFactsThatTheNodeItselfGives) {
  const NodeReading reading = read("");
  if (reading.stopped == PL_NODE_OUT_OF_TIME) GTEST_SKIP() << "this machine is too busy to read its node in time";
  const node::Facts there = node::read_settings(), copied = node::read_settings({.copy = &reading.copy});
  for (const auto& [name, fact] : there.facts)
    if (!is_of_the_moment(name) && is_in_files(name)) {
      EXPECT_EQ(copied.value(name), fact.value) << name;
    }
  const node::Facts counters = node::read_counters(), counted = node::read_counters({.copy = &reading.copy});
  for (const auto& [name, fact] : counters.facts)
    EXPECT_TRUE(counted.facts.contains(name) || copied.unreadable.contains(fact.source)) << name;
}

TEST_F(NodeCopy, AtTheEndHasAllThatCountsAndNothingThatIsSet) {
  const NodeReading begin = read(""), end = read("", "end");
  if (begin.stopped != PL_NODE_ALL || end.stopped != PL_NODE_ALL) GTEST_SKIP() << "this machine is too busy";
  const node::Facts first = node::read_counters({.copy = &begin.copy}), last = node::read_counters({.copy = &end.copy});
  for (const auto& [name, fact] : first.facts) EXPECT_TRUE(last.facts.contains(name)) << name;
  EXPECT_THAT(end.copy.files, Not(Contains(Key("/proc/cmdline"))));
}

TEST_F(NodeCopy, KeepsErrnoAndDescriptorsAndTakesNoMemoryOfTheProgram) {
  const int before = dup(0);
  close(before);
  const auto taken = mallinfo2();
  errno = 77;
  pl_copy_node(room_.data(), "", "begin");
  EXPECT_EQ(errno, 77);
  const auto now = mallinfo2();
  EXPECT_EQ(now.uordblks, taken.uordblks);
  EXPECT_EQ(now.hblks, taken.hblks);
  const int after = dup(0);
  EXPECT_EQ(after, before);
  close(after);
}

TEST_F(NodeCopy, OfANodeWithoutAnySourceIsWholeAndEmpty) {
  const NodeReading reading = read_tree();
  EXPECT_THAT(reading.copy.files, IsEmpty());
  EXPECT_THAT(reading.copy.unreadable, IsEmpty());
  EXPECT_EQ(reading.stopped, PL_NODE_ALL);
}

// A pipe would wait for its writer, a directory and a broken link are no files, zeros never end.
TEST_F(NodeCopy, PassesOverWhatIsNoFile) {
  fs::create_directories(root_ / "proc/net/snmp");
  fs::create_directories(root_ / "proc/self");
  ASSERT_EQ(mkfifo((root_ / "proc/net/netstat").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root_ / "proc/net/softnet_stat");
  fs::create_symlink("nowhere", root_ / "proc/vmstat");
  file("/proc/meminfo", "MemTotal: 1 kB\n");
  const NodeReading reading = read_tree();
  EXPECT_THAT(reading.copy.files, ElementsAre(Key("/proc/meminfo")));
}

TEST_F(NodeCopy, TellsOfAFileThatIsTooLongAndGoesOn) {
  file("/proc/interrupts", std::string(PL_NODE_MOST_FILE + 1, 'x'));
  file("/proc/vmstat", "pswpin 3\n");
  const NodeReading reading = read_tree();
  EXPECT_THAT(reading.copy.unreadable, ElementsAre(Pair("/proc/interrupts", "longer than 64 KiB")));
  EXPECT_THAT(reading.copy.files, Contains(Pair("/proc/vmstat", "pswpin 3\n")));
}

TEST_F(NodeCopy, OfTheListOfProcessorsHasWholeLinesOfTheFirstOnes) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "processor : " + std::to_string(i) + "\nmodel name : A\n\n";
  file("/proc/cpuinfo", text);
  const std::string copied = read_tree().copy.files["/proc/cpuinfo"];
  EXPECT_EQ(copied, text.substr(0, copied.size()));
  EXPECT_GT(copied.size(), 4000u);
  EXPECT_EQ(copied.back(), '\n');
}

TEST_F(NodeCopy, TakesNumbersWhereTheListSaysNumbersAndNamesThatCanStandInALine) {
  for (const char* name : {"node0", "node17", "nodeinfo", "node", "has_node0"})
    file(std::string("/sys/devices/system/node/") + name + "/numastat", "numa_hit 1\n");
  file("/sys/class/net/a b/mtu", "1500\n");
  file("/sys/class/net/two\nlines/mtu", "1500\n");
  const NodeReading reading = read_tree();
  EXPECT_THAT(reading.copy.files,
              ElementsAre(Key("/sys/class/net/a b/mtu"), Key("/sys/devices/system/node/node0/numastat"),
                          Key("/sys/devices/system/node/node17/numastat")));
}

// 2 MiB of files: more than there is room for, and perhaps time.
TEST_F(NodeCopy, OfAVeryLargeNodeStopsAndSaysSo) {
  for (int i = 0; i < 2000; ++i)
    file("/sys/class/net/veth" + std::to_string(i) + "/statistics/rx_bytes", std::string(1024, '1'));
  const NodeReading reading = read_tree();
  EXPECT_NE(reading.stopped, PL_NODE_ALL);
  EXPECT_THAT(reading.copy.files, Not(IsEmpty()));
}

TEST_F(NodeCopy, FollowsTheControlGroupUpToWhereItIsMounted) {
  file("/proc/self/cgroup", "4:memory:/m\n3:cpu,cpuacct:/job/step\n0::/../escape\n");
  for (const char* group : {"", "/job", "/job/step", "/other"})
    file("/sys/fs/cgroup/cpu" + std::string(group) + "/cpu.stat", "nr_periods 1\n");
  file("/sys/fs/escape/cpu.stat", "nr_periods 9\n");
  const NodeReading reading = read_tree();
  EXPECT_THAT(reading.copy.files,
              ElementsAre(Key("/proc/self/cgroup"), Key("/sys/fs/cgroup/cpu/cpu.stat"),
                          Key("/sys/fs/cgroup/cpu/job/cpu.stat"), Key("/sys/fs/cgroup/cpu/job/step/cpu.stat")));
}

}  // namespace
}  // namespace plumbline::spool::test
