// What the kernel's table of interfaces says.
#include "bench/ranks/environment/interfaces.hpp"

#include <gtest/gtest.h>

namespace plumbline::bench {
namespace {

TEST(Interfaces, HaveBytesAndFramesSentBehindEightFieldsReceived) {
  const auto interfaces = sent_by_interface(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
      "    lo: 100 1 0 0 0 0 0 0 107 2 0 0 0 0 0 0\n"
      "  eth0:5 1 0 0 0 0 0 0 1000 3 0 0 0 0 0 0\n");
  ASSERT_EQ(interfaces.size(), 2u);
  EXPECT_EQ(interfaces.at("lo").bytes, 107u);
  EXPECT_EQ(interfaces.at("eth0").bytes, 1000u);
  EXPECT_EQ(interfaces.at("eth0").frames, 3u);
  EXPECT_EQ(bytes_sent(interfaces), 1107u);
}

TEST(Interfaces, OfATextThatIsNoTableAreNone) {
  for (const char* text : {"", "\n", ":", "lo: 1 2 three", "lo: 1 2 3 4 5 6 7 8 9"})
    EXPECT_TRUE(sent_by_interface(text).empty()) << text;
}

TEST(Interfaces, OfThisProcessHaveTheLoopbackWhichIsNoEthernet) {
  EXPECT_TRUE(sent_by_now().contains("lo"));
  EXPECT_FALSE(is_ethernet("lo"));
  EXPECT_FALSE(is_ethernet("an interface that nobody could have named so"));
}

}  // namespace
}  // namespace plumbline::bench
