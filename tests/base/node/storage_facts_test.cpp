#include <gtest/gtest.h>

#include <string>

#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

TEST(Arrays, ADegradedOneSaysHowManyAreLeft) {
  Tree tree;
  tree.file("/proc/mdstat",
            "Personalities : [raid1] [raid6] [raid5] [raid4]\n"
            "md0 : active raid5 sdd1[3] sdc1[1](F) sda1[0]\n"
            "      1953260928 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [U_U]\n"
            "      [=>...................]  recovery =  8.5% (83018/976630464) finish=71.6min speed=207546K/sec\n"
            "      bitmap: 3/8 pages [12KB], 65536KB chunk\n"
            "\n"
            "md1 : active (auto-read-only) raid1 sdf1[1] sde1[0]\n"
            "      1046528 blocks super 1.2 [2/2] [UU]\n"
            "        resync=PENDING\n"
            "\n"
            "unused devices: <none>\n");
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "md.md0.level"), "raid5");
  EXPECT_EQ(value(facts, "md.md0.members"), "3");
  EXPECT_EQ(value(facts, "md.md0.members_active"), "2");
  EXPECT_EQ(value(facts, "md.md0.failed"), "sdc1");
  EXPECT_EQ(value(facts, "md.md0.action"), "recovery");
  EXPECT_EQ(value(facts, "md.md0.action_percent"), "8.5");
  EXPECT_EQ(value(facts, "md.md1.members_active"), "2");
  EXPECT_EQ(value(facts, "md.md1.action"), "resync");
  EXPECT_EQ(value(facts, "md.md1.failed"), "");
}

TEST(Disks, CacheSchedulerAndWorkAreToldAndLoopDevicesAreNot) {
  Tree tree;
  tree.file("/sys/block/sda/queue/write_cache", "write through\n")
      .file("/sys/block/sda/queue/rotational", "1\n")
      .file("/sys/block/sda/queue/scheduler", "none [mq-deadline] bfq\n")
      .file("/sys/block/sda/size", "2048\n")
      .file("/sys/block/sda/stat", "  10 1 800 40 20 2 1600 90 0 100 130 0 0 0 0 0 0\n")
      .file("/sys/block/loop0/queue/rotational", "1\n")
      .file("/sys/block/zram0/queue/rotational", "0\n");
  const Facts facts = tree.settings();
  EXPECT_EQ(value(facts, "disk.sda.write_cache"), "write through");
  EXPECT_EQ(value(facts, "disk.sda.rotational"), "1");
  EXPECT_EQ(value(facts, "disk.sda.scheduler"), "mq-deadline");
  EXPECT_EQ(value(facts, "disk.sda.bytes"), "1048576");
  EXPECT_FALSE(facts.facts.contains("disk.loop0.rotational"));
  EXPECT_FALSE(facts.facts.contains("disk.zram0.rotational"));
  EXPECT_EQ(value(tree.counters(), "disk.sda.reads"), "10");
  EXPECT_EQ(value(tree.counters(), "disk.sda.write_ms"), "90");
  EXPECT_EQ(value(tree.counters(), "disk.sda.busy_ms"), "100");
}

TEST(Nfs, MountOptionsAndCallsAreTold) {
  Tree tree;
  tree.file("/proc/self/mountinfo",
            "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
            "40 21 0:41 / /scratch rw,relatime - nfs head:/scratch rw,sync,noac,vers=3,rsize=8192,wsize=8192\n")
      .file("/proc/self/mountstats",
            "device /dev/sda1 mounted on / with fstype ext4\n"
            "device head:/scratch mounted on /scratch with fstype nfs statvers=1.1\n"
            "\topts:\trw,vers=3\n"
            "\tage:\t100\n"
            "\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n"
            "\tper-op statistics\n"
            "\t        NULL: 0 0 0 0 0 0 0 0 0\n"
            "\t     GETATTR: 30 30 0 3960 3360 0 90 95 0\n"
            "\t        READ: 10 12 1 1360 40960 3 500 510 0\n"
            "\t       WRITE: 5 5 0 20480 680 1 250 255\n"
            "device tmpfs mounted on /dev/shm with fstype tmpfs\n");
  ReadOptions options = tree.options();
  options.directories = {"/scratch/results"};
  const Facts facts = read_settings(options), counters = tree.counters();
  EXPECT_EQ(value(facts, "mount./scratch/results.point"), "/scratch");
  EXPECT_EQ(value(facts, "mount./scratch/results.type"), "nfs");
  EXPECT_EQ(value(facts, "mount./scratch/results.source"), "head:/scratch");
  EXPECT_EQ(value(facts, "mount./scratch/results.options"), "rw,relatime,sync,noac,vers=3,rsize=8192,wsize=8192");
  EXPECT_EQ(value(counters, "nfs./scratch.calls"), "45");
  EXPECT_EQ(value(counters, "nfs./scratch.retransmits"), "2");
  EXPECT_EQ(value(counters, "nfs./scratch.timeouts"), "1");
  EXPECT_EQ(value(counters, "nfs./scratch.read_rtt_ms"), "500");
  EXPECT_EQ(value(counters, "nfs./scratch.write_calls"), "5");
  EXPECT_EQ(counters.facts.count("nfs./.calls"), 0U);
}

TEST(Space, IsAskedForThroughTheHookBelowAnotherRoot) {
  Tree tree;
  tree.file("/proc/self/mountinfo", "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw,size=64k\n");
  ReadOptions options = tree.options();
  options.directories = {"/data"};
  EXPECT_FALSE(read_settings(options).facts.contains("shm.bytes"));
  options.space_of = [](const std::filesystem::path& path) {
    return path == "/dev/shm" ? std::optional(Space{65536, 4096, 0, 0}) : std::optional(Space{1000, 10, 50, 5});
  };
  const Facts facts = read_settings(options);
  EXPECT_EQ(value(facts, "shm.bytes"), "65536");
  EXPECT_EQ(value(facts, "shm.free_bytes"), "4096");
  EXPECT_EQ(value(facts, "shm.options"), "rw,size=64k");
  EXPECT_FALSE(facts.facts.contains("shm.files"));
  EXPECT_EQ(value(facts, "mount./data.free_files"), "5");
}

}  // namespace
}  // namespace plumbline::node::test
