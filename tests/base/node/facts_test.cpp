#include "base/node/facts.hpp"
#include "base/node/reading.hpp"

#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/base/node/tree.hpp"

namespace plumbline::node::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Counters, OfTcpAndOfThePacketQueuesAreSummedOverProcessors) {
  Tree tree;
  tree.file("/proc/net/snmp",
            "Tcp: RtoAlgorithm MaxConn OutSegs RetransSegs\nTcp: 1 -1 1000 41\nUdp: InErrors\nUdp: 3\n")
      .file("/proc/net/netstat", "TcpExt: TCPTimeouts TCPMTUPFail SyncookiesSent\nTcpExt: 6 2 9\nIpExt: X\nTcp: 5\n")
      .file("/proc/net/softnet_stat", "0000000a 00000001 00000002 00000000\n0000021e 00000000 00000010 00000000\n");
  const Facts facts = tree.counters();
  EXPECT_EQ(value(facts, "tcp.RetransSegs"), "41");
  EXPECT_EQ(value(facts, "tcp.TCPTimeouts"), "6");
  EXPECT_EQ(value(facts, "tcp.TCPMTUPFail"), "2");
  EXPECT_EQ(value(facts, "udp.InErrors"), "3");
  EXPECT_FALSE(facts.facts.contains("tcp.SyncookiesSent"));
  EXPECT_EQ(value(facts, "softnet.processed"), "552");
  EXPECT_EQ(value(facts, "softnet.squeezed"), "18");
}

// By name, by the device behind it, by the number of a message-signalled interrupt, as drivers have it.
TEST(Counters, InterruptsOfAnInterfaceAreToldByProcessor) {
  Tree tree;
  tree.file("/proc/interrupts",
            "            CPU0       CPU1       CPU3\n"
            "  24:          5          6          7  IO-APIC   5-edge      ACPI:Ged\n"
            "  38:          0        377          1  PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0\n"
            "  39:        346          0          0  PCI-MSIX-0000:00:03.0   2-edge      virtio2-output.0\n"
            "  40:          1          2          3  PCI-MSI 1-edge      mlx5_comp0@pci:0000:3b:00.0\n"
            "  41:         10         20         30  PCI-MSI 1-edge      what the driver says\n"
            "  42:        100        100        100  PCI-MSI 1-edge      ens20-TxRx-0\n"
            "  43:          9          9          9  PCI-MSI 1-edge      ens200-TxRx-0\n"
            " NMI:          4          4          4  Non-maskable interrupts\n"
            " ERR:          0\n")
      .link("/sys/class/net/eth0/device", "../../../virtio2")
      .file("/sys/devices/pci/0000:3b:00.0/msi_irqs/41", "msix\n")
      .link("/sys/class/net/ib0/device", "../../../devices/pci/0000:3b:00.0")
      .link("/sys/class/net/ens20/device", "../../../0000:04:00.0")
      .file("/sys/class/net/lo/mtu", "65536\n");
  const Facts facts = tree.counters();
  EXPECT_EQ(value(facts, "interrupts.eth0.cpu0"), "346");
  EXPECT_EQ(value(facts, "interrupts.eth0.cpu1"), "377");
  EXPECT_EQ(value(facts, "interrupts.eth0.cpu3"), "1");
  EXPECT_EQ(value(facts, "interrupts.ib0.cpu3"), "33");
  EXPECT_EQ(value(facts, "interrupts.ens20.cpu0"), "100");
  EXPECT_FALSE(facts.facts.contains("interrupts.lo.cpu0"));
}

TEST(Growth, IsOfWhatBothHaveAndLeavesOutWhatWasReset) {
  Facts before, after;
  before.facts = {{"a", {"5", ""}}, {"b", {"9", ""}}, {"c", {"1", ""}}, {"d", {"word", ""}}};
  after.facts = {{"a", {"12", ""}}, {"b", {"3", ""}}, {"d", {"word", ""}}, {"e", {"4", ""}}};
  EXPECT_THAT(growth(before, after), ElementsAre(Pair("a", 7.0)));
}

TEST(Facts, OfThisNodeAreThere) {
  const Facts facts = read_settings({.directories = {"/tmp"}});
  EXPECT_NE(facts.value("kernel.release"), "");
  EXPECT_NE(facts.value("memory.bytes"), "");
  EXPECT_NE(facts.value("mount./tmp.type"), "");
  EXPECT_NE(facts.value("mount./tmp.bytes"), "");
  EXPECT_EQ(facts.value("no.such.fact"), "");
  EXPECT_NE(read_counters().value("memory.pgmajfault"), "");
}

// Names in backquotes, with <..> for what differs, as patterns of fnmatch.
std::vector<std::string> names_of_the_page() {
  std::ifstream file(PLUMBLINE_NODE_FACTS);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  std::vector<std::string> names;
  for (std::size_t at = page.find('`'); at != std::string::npos; at = page.find('`', at + 1)) {
    const std::size_t end = page.find('`', at + 1);
    std::string name = page.substr(at + 1, end - at - 1);
    for (std::size_t open = name.find('<'); open != std::string::npos; open = name.find('<'))
      name.replace(open, name.find('>', open) - open + 1, "*");
    names.push_back(name);
    at = end;
  }
  return names;
}

TEST(Facts, OfThisNodeAreAllOnTheReferencePage) {
  const std::vector<std::string> names = names_of_the_page();
  for (const Facts& facts : {read_settings({.directories = {"/tmp"}}), read_counters()})
    for (const auto& [name, fact] : facts.facts)
      EXPECT_TRUE(
          std::any_of(names.begin(), names.end(),
                      [&](const std::string& pattern) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; }))
          << name << " is not in docs/reference/node-facts.md";
}

}  // namespace
}  // namespace plumbline::node::test
