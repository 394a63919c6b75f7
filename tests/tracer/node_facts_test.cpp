// What is read of nodes, in the archive.

#include "tracer/archive/node_facts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "tests/tracer/assemble_fixture.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;
using test::Assemble;
using test::SpoolBuilder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

std::string entry(const std::string& path, const std::string& content) {
  return fmt::format("file {:07} {}\n{}\n", content.size(), path, content);
}

std::string begin_at(std::uint64_t ns, const std::string& entries) {
  return fmt::format("reading begin {}\n{}done 0 3000\n", SpoolBuilder::kRealtime + ns, entries);
}
std::string end_at(std::uint64_t ns, const std::string& entries) {
  return fmt::format("reading end {}\n{}done 0 1000\n", SpoolBuilder::kRealtime + ns, entries);
}
std::string tcp(int sent, int again) {
  return entry("/proc/net/snmp", fmt::format("Tcp: OutSegs RetransSegs\nTcp: {} {}\n", sent, again));
}

class NodeFacts : public Assemble {
 protected:
  // Beside the spool that SpoolBuilder writes of this rank.
  void copies_of(int rank, const std::string& text) {
    std::ofstream(directory_ / fmt::format("kn1.{}.node", 100 + rank)) << text;
  }
  static SpoolBuilder rank(int number, int size = 2) {
    SpoolBuilder spool(number, size);
    spool.call("MPI_Barrier", PL_LAYOUT_NONE, 10'000 + static_cast<std::uint64_t>(number), 20'000, {});
    return spool;
  }
  archive::NodeFacts of_node(const std::string& name = "kn1") { return archive::node_facts(definitions())[name]; }
};

TEST_F(NodeFacts, AreSettingsOfTheBeginningAndGrowthUpToTheEnd) {
  copies_of(0,
            begin_at(1'000, tcp(100, 2) + entry("/sys/class/net/eth0/mtu", "9000\n")) + end_at(900'000, tcp(300, 2)));
  run({rank(0), rank(1)});
  const archive::NodeFacts facts = of_node();
  EXPECT_THAT(facts.settings, Contains(Pair("net.eth0.mtu_bytes", "9000")));
  EXPECT_THAT(facts.growth, ElementsAre(Pair("tcp.OutSegs", 200)));
  EXPECT_THAT(facts.properties, Contains(Pair(names::kPropertyNodeRead, names::kNodeReadTwice)));
  EXPECT_THAT(facts.properties, Contains(Pair(names::kPropertyNodeCounters, "2")));
  EXPECT_THAT(facts.properties, Contains(Pair(names::kPropertyNodeCost, "4000000")));
  EXPECT_THAT(facts.properties, Contains(Pair(names::kPropertyNodeBegin, "-9000000")));  // before the first call
}

TEST_F(NodeFacts, OfAProcessThatWasKilledAreThoseOfTheBeginningAndThatIsSaid) {
  copies_of(0, begin_at(1'000, tcp(100, 2) + entry("/sys/class/net/eth0/mtu", "9000\n")) + "reading end 17000");
  const AssembleSummary summary = run({rank(0), rank(1)});
  EXPECT_THAT(of_node().settings, Contains(Key("net.eth0.mtu_bytes")));
  EXPECT_THAT(of_node().growth, IsEmpty());
  EXPECT_THAT(of_node().properties, Contains(Pair(names::kPropertyNodeRead, names::kNodeReadOnce)));
  EXPECT_THAT(summary.remarks, ElementsAre(HasSubstr("node kn1: its counters were not read at the end")));
}

TEST_F(NodeFacts, AreNoneWhereNobodyHasReadTheNode) {
  const AssembleSummary summary = run({rank(0), rank(1)});
  EXPECT_THAT(archive::node_facts(definitions()), IsEmpty());
  EXPECT_THAT(summary.remarks, IsEmpty());
}

TEST_F(NodeFacts, OfANodeThatTwoHaveReadAreOfTheOneThatWasNotKilled) {
  copies_of(0, begin_at(1'000, tcp(100, 0)));
  copies_of(1, begin_at(2'000, tcp(100, 0)) + end_at(3'000, tcp(107, 0)));
  const AssembleSummary summary = run({rank(0), rank(1)});
  EXPECT_THAT(of_node().growth, ElementsAre(Pair("tcp.OutSegs", 7)));
  EXPECT_THAT(summary.remarks, IsEmpty());
}

TEST_F(NodeFacts, AreNeverMoreThanAThousandOfAKind) {
  std::string entries;
  for (int i = 0; i < 3000; ++i) entries += entry(fmt::format("/sys/class/net/v{}/mtu", i), "1500\n");
  copies_of(0, begin_at(1'000, entries));
  run({rank(0), rank(1)});
  EXPECT_EQ(of_node().settings.size(), 1024u);
}

TEST_F(NodeFacts, WithoutNamesOfUsersAreWhatKernelsCallThings) {
  copies_of(0, begin_at(1'000, entry("/proc/self/cgroup", "0::/user/alice\n") +
                                   entry("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 x rw\n") +
                                   entry("/proc/cmdline", "root=/dev/alice mitigations=off\n") +
                                   "none 0000013 /proc/alice\n" + entry("/sys/class/net/eth0/mtu", "9000\n")));
  AssembleOptions options;
  options.anonymize = true;
  run({rank(0), rank(1)}, options);
  const auto nodes = archive::node_facts(definitions());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_NE(nodes.begin()->first, "kn1");
  EXPECT_THAT(nodes.begin()->second.settings, Contains(Pair("kernel.option.mitigations", "off")));
  for (const archive::SystemTreeNode& node : definitions().system_tree)
    for (const auto& [name, value] : node.properties) EXPECT_THAT(name + value, Not(HasSubstr("alice")));
}

TEST_F(NodeFacts, SayWhatCouldNotBeReadAndThatReadingWasBrokenOff) {
  copies_of(0, fmt::format("reading begin {}\nnone 0000013 /proc/vmstat\ndone 1 20000000\n", SpoolBuilder::kRealtime));
  run({rank(0), rank(1)});
  EXPECT_THAT(of_node().properties, Contains(Pair(names::kPropertyNodeLacks, "time")));
  EXPECT_THAT(of_node().unreadable, ElementsAre(Pair("/proc/vmstat", "Permission denied")));
}

}  // namespace
}  // namespace plumbline::record
