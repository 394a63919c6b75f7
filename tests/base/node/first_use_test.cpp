// Memory that is slow when it is used first: the balloon of a virtual machine, and what is timed.

#include "base/node/first_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

TEST(FirstUse, BalloonThatReportsFreePagesIsTold) {
  Tree tree;
  tree.file("/sys/bus/virtio/devices/virtio0/device", "0x0001\n")
      .file("/sys/bus/virtio/devices/virtio0/features", "1111111111111111\n")
      .file("/sys/bus/virtio/devices/virtio1/device", "0x0005\n")
      .file("/sys/bus/virtio/devices/virtio1/features", "0110010000000000\n");
  EXPECT_EQ(value(tree.settings(), "memory.page_reporting"), "1") << "bit 5 of the balloon, virtio1";
}

TEST(FirstUse, BalloonThatDoesNotReportIsToldToo) {
  Tree tree;
  tree.file("/sys/bus/virtio/devices/virtio1/device", "0x0005\n")
      .file("/sys/bus/virtio/devices/virtio1/features", "1111101111111111\n");
  EXPECT_EQ(value(tree.settings(), "memory.page_reporting"), "0");
}

TEST(FirstUse, NoBalloonTellsNothing) {
  Tree tree;
  tree.file("/sys/bus/virtio/devices/virtio0/device", "0x0001\n")
      .file("/sys/bus/virtio/devices/virtio0/features", "1111111111111111\n")
      .file("/sys/bus/virtio/devices/virtio2/device", "0x0005\n")
      .file("/sys/bus/virtio/devices/virtio2/features", "1\n");
  EXPECT_FALSE(tree.settings().facts.contains("memory.page_reporting"));
}

TEST(FirstUse, IsTimedOnlyWhereItIsAskedFor) {
  EXPECT_FALSE(read_settings().facts.contains("memory.first_use_idle_bytes_s"));
  Tree tree;
  ReadOptions options = tree.options();
  options.first_use_of_memory = [] { return std::optional(FirstUse{3.4e8, 4.4e9}); };
  const Facts facts = read_settings(options);
  EXPECT_EQ(value(facts, "memory.first_use_idle_bytes_s"), "340000000");
  EXPECT_EQ(value(facts, "memory.first_use_recent_bytes_s"), "4400000000");
}

constexpr double kPiece = 4 * 1024 * 1024;  // bytes

// 20 pieces at 4 GB/s, eight at 400 MB/s, 20 at 4 GB/s.
TEST(FirstUse, OfIdleMemoryIsThatOfTheSlowestEightPieces) {
  std::vector<double> idle(48, kPiece / 4e9);
  std::fill_n(idle.begin() + 20, 8, kPiece / 4e8);
  const auto rates = first_use_of(idle, std::vector<double>(16, kPiece / 5e9));
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(rates->idle, 4e8);
  EXPECT_DOUBLE_EQ(rates->recent, 5e9);
}

TEST(FirstUse, IsNotThatOfAPieceThatMetAnInterrupt) {
  std::vector<double> idle(48, kPiece / 4e9), recent(16, kPiece / 5e9);
  idle[7] = idle[30] = recent[3] = 1;
  const auto rates = first_use_of(idle, recent);
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(rates->idle, 4e9);
  EXPECT_DOUBLE_EQ(rates->recent, 5e9);
}

TEST(FirstUse, IsNotToldOfFewerThanEightPieces) {
  EXPECT_FALSE(first_use_of(std::vector<double>(7, 1), std::vector<double>(8, 1)));
  EXPECT_TRUE(first_use_of(std::vector<double>(8, 1), std::vector<double>(8, 1)));
}

TEST(FirstUse, OfThisMachineHasTwoRates) {
  const auto rates = time_first_use();
  if (!rates) GTEST_SKIP() << "256 MiB of memory are not free";
  EXPECT_GT(rates->idle, 0);
  EXPECT_GT(rates->recent, 0);
}

TEST(FirstUse, DoesNotMakeNodesDiffer) {
  Facts one, other;
  one.facts["memory.first_use_idle_bytes_s"] = {"300000000", "timed"};
  other.facts["memory.first_use_idle_bytes_s"] = {"900000000", "timed"};
  EXPECT_TRUE(differences({"n0", "n1"}, {one, other}).empty());
}

}  // namespace
}  // namespace plumbline::node::test
