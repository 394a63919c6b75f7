// How long interfaces hold interrupts back, which drivers tell by ioctl and not in /sys.

#include <gtest/gtest.h>

#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

TEST(Coalescing, IsAskedForOfEachInterfaceBelowAnotherRootThroughTheHookAlone) {
  Tree tree;
  tree.file("/sys/class/net/eth0/mtu", "1500\n").file("/sys/class/net/eth1/mtu", "1500\n");
  ReadOptions options = tree.options();
  EXPECT_EQ(read_settings(options).facts.count("net.eth0.coalesce_rx_us"), 0U);
  options.coalescing_of = [](const std::string& name) {
    return name == "eth0" ? std::optional(Coalescing{250, 50, true}) : std::nullopt;
  };
  const Facts facts = read_settings(options);
  EXPECT_EQ(facts.value("net.eth0.coalesce_rx_us"), "250");
  EXPECT_EQ(facts.value("net.eth0.coalesce_tx_us"), "50");
  EXPECT_EQ(facts.value("net.eth0.coalesce_rx_adaptive"), "1");
  EXPECT_EQ(facts.facts.count("net.eth1.coalesce_rx_us"), 0U) << "its driver does not tell";
}

TEST(Coalescing, OfTheLoopbackIsNotToldByThisNode) {
  EXPECT_EQ(read_settings().facts.count("net.lo.coalesce_rx_us"), 0U) << "it has no interrupts";
}

}  // namespace
}  // namespace plumbline::node::test
