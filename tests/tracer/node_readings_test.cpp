#include "tracer/spool/node_readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/seed.hpp"

namespace plumbline::spool::test {
namespace {

using testing::ElementsAre;
using testing::Key;
using testing::Pair;

const std::string kBegin =
    "reading begin 1700000000000000000\n"
    "file 0000012 /proc/net/snmp\nTcp: X\nab\n \n\n"
    "link 0000016 /sys/class/net/eth0/device\n../../../virtio2\n"
    "names 0000010 /sys/class/net/eth0/queues\nrx-0\ntx-0\n\n"
    "none 0000013 /proc/vmstat\n"
    "long 0000000 /proc/interrupts\n"
    "done 0 4000000\n";
const std::string kEnd = "reading end 1700000001000000000\nfile 0000003 /proc/net/snmp\nxyz\ndone 1 20000001\n";

TEST(NodeReadings, HoldFilesLinksAndNamesAndWhyThereAreNone) {
  const NodeReadings readings = parse_node_readings(kBegin + kEnd);
  ASSERT_TRUE(readings.begin && readings.end);
  const NodeReading& begin = *readings.begin;
  EXPECT_EQ(begin.realtime_ns, 1'700'000'000'000'000'000u);
  EXPECT_THAT(begin.copy.files, ElementsAre(Pair("/proc/net/snmp", "Tcp: X\nab\n \n")));
  EXPECT_THAT(begin.copy.links, ElementsAre(Pair("/sys/class/net/eth0/device", "../../../virtio2")));
  EXPECT_THAT(begin.copy.lists, ElementsAre(Pair("/sys/class/net/eth0/queues", ElementsAre("rx-0", "tx-0"))));
  EXPECT_THAT(begin.copy.unreadable,
              ElementsAre(Pair("/proc/interrupts", "longer than 64 KiB"), Pair("/proc/vmstat", "Permission denied")));
  EXPECT_TRUE(begin.is_whole);
  EXPECT_EQ(begin.took_ns, 4'000'000u);
  EXPECT_EQ(readings.end->stopped, PL_NODE_OUT_OF_TIME);
}

TEST(NodeReadings, BrokenOffAnywhereHaveWhatWasWhole) {
  const std::string text = kBegin + kEnd;
  const NodeReadings whole = parse_node_readings(text);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const NodeReadings part = parse_node_readings(text.substr(0, length));
    EXPECT_EQ(part.begin.has_value(), length >= text.find('\n') + 1) << length;
    if (!part.begin) continue;
    EXPECT_EQ(part.begin->is_whole, length >= kBegin.size()) << length;
    for (const auto& [path, content] : part.begin->copy.files) EXPECT_EQ(content, whole.begin->copy.files.at(path));
    EXPECT_FALSE(part.end && part.end->is_whole) << length;
  }
}

TEST(NodeReadings, PassOverEntriesThatALaterTracerAdds) {
  const NodeReadings readings =
      parse_node_readings("reading begin 1\nspace 0000004 /dev/shm\n1 2\n\nfile 0000002 /proc/a\n5\n\ndone 0 1\n");
  ASSERT_TRUE(readings.begin);
  EXPECT_THAT(readings.begin->copy.files, ElementsAre(Key("/proc/a")));
}

TEST(NodeReadings, EndWhateverTheyHold) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string text = kBegin + kEnd;
    for (int damage = 0; damage < 1 + i % 8; ++damage) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 9);
      else
        text[at] = random() % 2 == 0 ? static_cast<char>(random()) : "0123456789 \n"[random() % 12];
      if (text.empty()) text = "\n";
    }
    const NodeReadings readings = parse_node_readings(text);
    EXPECT_LE(readings.begin ? readings.begin->copy.files.size() : 0, 4u);
  }
}

}  // namespace
}  // namespace plumbline::spool::test
