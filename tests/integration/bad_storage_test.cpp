// Storage that cannot be: every fault with its line, all at once, exit status 3, nothing written. Faults of what is set
// by hand likewise.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

constexpr const char* kCluster = R"(<platform version="1" name="two nodes, two servers">
  <node name="n0" cores="2" memory-rate="5GB/s" interface-rate="5GB/s"/>
  <node name="n1" cores="2" memory-rate="5GB/s" interface-rate="5GB/s"/>
  <edge from="n0" to="n1" latency="1us" rate="1GB/s"/>
  <inside> <range protocol="eager" send="1us" receive="1us" latency="1us"/> </inside>
  <between> <range protocol="eager" send="1us" receive="1us" latency="1us"/> </between>
  <place ranks="0-1" node="n0"/>
  <server name="s0" node="n0">
    <disk average-seek="9ms" track-to-track="1ms" turn="8333us" rate="96MiB/s"/>
    <cache policy="aggregation" memory="1GB" granularity="10MiB"/>
  </server>
  <server name="s1" node="n1">
    <flash read-latency="80us" write-latency="20us" read-rate="3GB/s" write-rate="1GB/s"/>
  </server>
  <filesystem name="pvfs">
    <path prefix="/pvfs"/>
    <distribution servers="s0 s1" stripe="64KiB" metadata="s0" create="1ms"/>
  </filesystem>
</platform>
)";

class BadStorage : public testing::Test {
 protected:
  using Changes = std::vector<std::pair<std::string, std::string>>;

  void SetUp() override {
    ASSERT_EQ(run_command("cp -r " + kSource + "/tests/golden/scorep-ping-pong obs", directory_.path()).status, 0);
  }

  void write_with(const Changes& changes) {
    std::string xml = kCluster;
    for (const auto& [from, to] : changes) {
      const auto at = xml.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      xml.replace(at, from.size(), to);
    }
    std::ofstream(directory_ / "p.xml") << xml;
  }

  // Of a replay on the changed platform that is to write an archive.
  CommandResult replay(const Changes& changes, const std::string& options = "") {
    write_with(changes);
    return run_command(kPlumbline + " replay obs -p p.xml -o exp " + options, directory_.path());
  }

  void expect_refused(const CommandResult& result, const std::vector<std::string>& faults) {
    EXPECT_EQ(result.status, 3) << text_of(result);
    for (const std::string& fault : faults) EXPECT_NE(result.err.find(fault), std::string::npos) << text_of(result);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "exp"));
  }

  TemporaryDirectory directory_;
};

TEST_F(BadStorage, ThePlatformItselfIsReplayed) {
  const CommandResult result = replay({});
  EXPECT_EQ(result.status, 0) << text_of(result);
}

TEST_F(BadStorage, AServerOnNoNode) {
  expect_refused(replay({{"name=\"s0\" node=\"n0\"", "name=\"s0\" node=\"n7\""}}),
                 {"p.xml:8: server 's0' names a node 'n7' that is not there; did you mean"});
}

TEST_F(BadStorage, StripingOverMoreServersThanExist) {
  expect_refused(replay({{"stripe=\"64KiB\"", "count=\"3\""}}),
                 {"p.xml:17: distribution of filesystem 'pvfs' puts each file on 3 servers, and it has 2; "
                  "write count=\"2\" or name more servers"});
  expect_refused(replay({{"servers=\"s0 s1\"", "servers=\"s0 s1 s2\""}}),
                 {"p.xml:17: distribution of filesystem 'pvfs' names a server 's2' that is not there"});
}

TEST_F(BadStorage, ADeviceWithARateOfZero) {
  expect_refused(replay({{"rate=\"96MiB/s\"", "rate=\"0MB/s\""}}),
                 {"p.xml:9: disk of server 's0' has a rate of zero; give what it really does"});
}

TEST_F(BadStorage, TwoServersOfOneName) {
  expect_refused(replay({{"name=\"s1\"", "name=\"s0\""}}),
                 {"p.xml:12: server 's0' has a name that is taken in line 8; give each its own name"});
}

TEST_F(BadStorage, ACacheThatIsSmallerThanAnAccessOrAPacket) {
  expect_refused(replay({{"memory=\"1GB\"", "memory=\"1MB\""}}),
                 {"p.xml:10: cache of server 's0' has less memory than its granularity"});
  expect_refused(replay({{"memory=\"1GB\" granularity=\"10MiB\"", "memory=\"4KiB\" granularity=\"4KiB\""}}),
                 {"p.xml:8: server 's0' has a cache with less memory than a packet; give it 100KiB at least"});
}

TEST_F(BadStorage, AMetadataServerThatIsMissing) {
  expect_refused(replay({{"metadata=\"s0\" ", ""}}),
                 {"p.xml:17: distribution of filesystem 'pvfs' has a create and no metadata server"});
  expect_refused(replay({{"metadata=\"s0\"", "metadata=\"mds\""}}),
                 {"p.xml:17: distribution of filesystem 'pvfs' names a server 'mds' that is not there"});
}

TEST_F(BadStorage, AnUnknownPolicy) {
  expect_refused(replay({{"policy=\"aggregation\"", "policy=\"agregation\""}}),
                 {"p.xml:10: cache of server 's0' has an unknown policy 'agregation'; did you mean 'aggregation'?"});
}

TEST_F(BadStorage, AllFaultsAreToldAtOnce) {
  expect_refused(
      replay({{"name=\"s1\" node=\"n1\"", "name=\"s0\" node=\"nowhere\""},
              {"rate=\"96MiB/s\"", "rate=\"0MB/s\""},
              {"policy=\"aggregation\"", "policy=\"fast\""},
              {"memory=\"1GB\"", "memory=\"4KiB\""},
              {"stripe=\"64KiB\" metadata=\"s0\"", "stripe=\"0\""}}),
      {"p.xml:9: disk of server 's0' has a rate of zero", "p.xml:10: cache of server 's0' has an unknown policy",
       "p.xml:10: cache of server 's0' has less memory than its granularity",
       "p.xml:12: server 's0' names a node 'nowhere' that is not there",
       "p.xml:17: distribution of filesystem 'pvfs' names a server 's1' that is not there",
       "p.xml:17: distribution of filesystem 'pvfs' has a create and no metadata server",
       "p.xml:17: distribution of filesystem 'pvfs' has a stripe of zero",
       "p.xml:8: server 's0' has a cache with less memory than a packet",
       "p.xml:12: server 's0' has a name that is taken in line 8"});
}

TEST_F(BadStorage, WhatIsSetByHandIsHeldToTheSameRules) {
  const CommandResult result =
      replay({},
             "--set server.s0.cache.memory=1KiB --set fs.pvfs.count=9 --set server.s3.disk.rate=1MB/s "
             "--set server.s1.flash.read-rate=0 --set node.n0.noise.duration=1ms");
  expect_refused(result, {"--set: cache of server 's0' has less memory than its granularity",
                          "--set: server 's0' has a cache with less memory than a packet",
                          "--set: distribution of filesystem 'pvfs' puts each file on 9 servers, and it has 2",
                          "--set: the platform has no 'server.s3.disk.rate'; did you mean 'server.s0.disk.rate'",
                          "--set: server.s1.flash.read-rate=0 is not a rate",
                          "--set: noise of node 'n0' lasts 1 ms of every 0 s"});
}

TEST_F(BadStorage, EveryValueOfASweepIsCheckedBeforeTheFirstReplay) {
  write_with({});
  const CommandResult result = run_command(
      kPlumbline + " replay obs -p p.xml --sweep server.s0.cache.memory=1GB,5MB,20MB,1MB --sweep fs.pvfs.count=1..4",
      directory_.path());
  expect_refused(result,
                 {"puts each file on 3 servers", "puts each file on 4 servers", "less memory than its granularity"});
  EXPECT_EQ(result.out.find("expected"), std::string::npos) << text_of(result);
}

}  // namespace
}  // namespace plumbline::test
