#include "base/team/resources.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdint>

#include "tests/base/node/tree.hpp"

namespace plumbline {
namespace {

constexpr char kVersion2[] = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
constexpr std::uint64_t kMiB = 1 << 20;

class Machine : public testing::Test {
 protected:
  node::test::Tree& file(const std::string& path, const std::string& text) { return tree_.file(path, text); }
  std::filesystem::path root() { return tree_.options().root; }

 private:
  node::test::Tree tree_;
};

TEST_F(Machine, WithoutAQuotaAllProcessorsOfTheAffinityMayBeUsed) {
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(usable_processors(root()), static_cast<std::uint32_t>(CPU_COUNT(&set)));
}

TEST_F(Machine, AQuotaOfHalfAProcessorLeavesOne) {
  file("/proc/self/cgroup", "0::/job\n").file("/proc/self/mountinfo", kVersion2);
  file("/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_processors(root()), 1U);
}

TEST_F(Machine, ThereIsNoMoreMemoryThanTheKernelSays) {
  EXPECT_EQ(available_memory(root()), std::nullopt) << "nobody says anything";
  file("/proc/meminfo", "MemTotal:       8192 kB\nMemFree:        1024 kB\nMemAvailable:   4096 kB\n");
  EXPECT_EQ(available_memory(root()), 4 * kMiB);
}

// 3 MiB less the 2 MiB in use, of which 512 KiB are files that were not used lately; the group above has more.
TEST_F(Machine, TheLimitOfAControlGroupBoundsMemory) {
  file("/proc/meminfo", "MemAvailable:   4096 kB\n");
  file("/proc/self/cgroup", "0::/slice/job\n").file("/proc/self/mountinfo", kVersion2);
  file("/sys/fs/cgroup/slice/job/memory.max", "3145728\n").file("/sys/fs/cgroup/slice/job/memory.current", "2097152\n");
  file("/sys/fs/cgroup/slice/job/memory.stat", "anon 1572864\ninactive_file 524288\n");
  file("/sys/fs/cgroup/slice/memory.max", "max\n").file("/sys/fs/cgroup/slice/memory.current", "2097152\n");
  EXPECT_EQ(available_memory(root()), kMiB + kMiB / 2);
}

TEST_F(Machine, TheLimitOfAControlGroupOfVersion1BoundsMemory) {
  file("/proc/meminfo", "MemAvailable:   4096 kB\n");
  file("/proc/self/cgroup", "5:memory:/job\n");
  file("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  file("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3145728\n");
  file("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "2097152\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "2097152\n");
  EXPECT_EQ(available_memory(root()), kMiB);
}

}  // namespace
}  // namespace plumbline
