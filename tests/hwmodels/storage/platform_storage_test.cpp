#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

std::string cluster() {
  std::ifstream file(PLUMBLINE_STORAGE_TESTS "/cluster.xml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(PlatformStorage, ServersAndDistributionsAreReadWithAllTheirNumbers) {
  const Platform p = parse_platform(cluster(), "cluster.xml");
  ASSERT_EQ(p.servers.size(), 3U);
  EXPECT_EQ(p.servers[1].name, "d1");
  EXPECT_EQ(p.servers[1].node, 1U);
  EXPECT_EQ(p.servers[1].request.value, microseconds(100));
  const HardDisk& disk = *p.servers[0].device.disk;
  EXPECT_EQ(disk.average_seek.value, milliseconds(9));
  EXPECT_EQ(disk.average_seek.spread, 0.1);
  EXPECT_EQ(disk.turn.value, picoseconds(8'333'333'333));
  EXPECT_EQ(disk.rate.source, "PIOsimHD PVSDisk");
  EXPECT_EQ(p.servers[0].cache.policy, CachePolicy::kAggregationReorder);
  EXPECT_EQ(p.servers[0].cache.concurrent, 2U);
  EXPECT_EQ(p.servers[1].device.flash->queue_depth, 64U);
  EXPECT_EQ(p.servers[1].cache, ServerCache{});
  EXPECT_EQ(p.servers[2].device.simple->rate.value, BytesPerSecond{2'000'000'000});
  EXPECT_EQ(p.servers[2].cache.policy, CachePolicy::kNone);
  const Distribution& pvfs = p.file_systems[0].distribution;
  EXPECT_EQ(pvfs.servers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(pvfs.stripe, Bytes{65'536});
  EXPECT_EQ(pvfs.stripe_count, 1U);
  EXPECT_EQ(pvfs.list_limit, 64U);
  EXPECT_EQ(pvfs.metadata, 2U);
  EXPECT_EQ(pvfs.lookup.value, microseconds(200));
  EXPECT_EQ(pvfs.close->value, microseconds(50));
  EXPECT_EQ(p.file_systems[0].cached_write.call.value, microseconds(5));
  EXPECT_TRUE(p.file_systems[1].distribution.local);
  EXPECT_EQ(p.file_systems[1].distribution.close, std::nullopt);
}

TEST(PlatformStorage, WhatIsWrittenIsReadBackEqual) {
  const Platform p = parse_platform(cluster(), "cluster.xml");
  EXPECT_EQ(parse_platform(to_xml(p), "written"), p) << to_xml(p);
}

class RandomStorage {
 public:
  explicit RandomStorage(std::uint64_t seed) : random_(seed, "storage round trip") {}

  Platform make() {
    Platform p = parse_platform(cluster(), "cluster.xml");
    p.servers.clear();
    p.file_systems.clear();
    const std::uint32_t servers = 1 + below(5);
    for (std::uint32_t i = 0; i < servers; ++i)
      p.servers.push_back({"s<" + std::to_string(i), below(2), device(), cache(), duration()});
    for (std::uint32_t i = below(3); i > 0; --i) {
      FileSystem fs;
      fs.name = "fs" + std::to_string(i);
      fs.paths = {"/" + fs.name};
      fs.distribution = distribution(servers);
      if (below(2) == 0) fs.cached_read = {duration(), rate()};
      fs.open = duration();
      p.file_systems.push_back(fs);
    }
    return p;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }
  std::uint64_t any() { return random_() >> (2 + random_.below(60)); }
  template <class T>
  Parameter<T> parameter(T value) {
    return {value, below(2) / 8.0, below(2) == 0 ? "bench" : "typed"};
  }
  Parameter<BytesPerSecond> rate() { return parameter(BytesPerSecond{1 + any()}); }
  Parameter<Duration> duration() { return parameter(Duration{static_cast<std::int64_t>(any())}); }

  Device device() {
    Device result;
    const std::uint32_t kind = below(3);
    if (kind == 0) result.disk = HardDisk{duration(), duration(), duration(), {any()}, rate()};
    if (kind == 1) result.flash = Flash{duration(), duration(), rate(), rate(), 1 + below(9), 1 + below(99)};
    if (kind == 2) result.simple = SimpleDevice{duration(), rate()};
    return result;
  }

  ServerCache cache() {
    const Bytes granularity{1 + any() / 2};
    ServerCache result{static_cast<CachePolicy>(below(6)),
                       Bytes{512'000 + any() / 2} + granularity,
                       granularity,
                       1 + below(9),
                       {},
                       {}};
    if (result.policy == CachePolicy::kPageCache && below(2) == 0) {
      result.dirty_limit = result.memory;
      result.dirty_background = Bytes{any() % result.memory.count};
    }
    return result;
  }

  Distribution distribution(std::uint32_t servers) {
    Distribution result;
    for (std::uint32_t i = 0; i < servers; ++i)
      if (i == 0 || below(2) == 0) result.servers.push_back(i);
    result.stripe = {1 + any()};
    result.stripe_count = below(static_cast<std::uint32_t>(result.servers.size()) + 1);
    result.placement = below(2) == 0 ? FilePlacement::kPathHash : FilePlacement::kGlusterHash;
    result.list_limit = below(3);
    if (below(2) == 0) return result;
    result.metadata = below(servers);
    result.create = duration();
    result.lookup = duration();
    result.stat = duration();
    if (below(2) == 0) result.close = duration();
    return result;
  }

  sim::RandomStream random_;
};

TEST(PlatformStorage, AnyStorageIsReadBackEqual) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomStorage random(seed);
  for (int i = 0; i < 200; ++i) {
    const Platform platform = random.make();
    const std::string xml = to_xml(platform);
    ASSERT_EQ(parse_platform(xml, "written"), platform) << xml;
  }
}

std::string faults_of(const std::string& xml) {
  try {
    parse_platform(xml, "cluster.xml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no fault";
}

TEST(PlatformStorage, EveryTruncatedFileIsALocatedError) {
  const std::string xml = cluster();
  for (std::size_t length = 0; length < xml.rfind('>'); length += 7)
    EXPECT_EQ(faults_of(xml.substr(0, length)).rfind("cluster.xml", 0), 0U) << length;
}

TEST(PlatformStorage, AServerOnNoNodeHidesNoNodeThatCannotBeReached) {
  std::string xml = cluster();
  const std::string edge = R"(<edge from="s0" to="n1" latency="20us" rate="117MB/s"/>)", node = R"(node="n0">)";
  xml.replace(xml.find(edge), edge.size(), "");
  xml.replace(xml.find(node), node.size(), R"(node="n7">)");
  EXPECT_EQ(faults_of(xml),
            "cluster.xml:14: server 'd0' names a node 'n7' that is not there; did you mean 'n0'?\n"
            "cluster.xml:4: there is no way from node 'n0' to node 'n1'; add an <edge>");
}

struct StorageFault {
  const char* text;
  const char* replacement;
  const char* message;  // the whole message
};

class PlatformStorageFault : public testing::TestWithParam<StorageFault> {};

TEST_P(PlatformStorageFault, IsToldWithItsLineAndWhatToDo) {
  std::string xml = cluster();
  const std::string text = GetParam().text;
  const std::size_t at = xml.find(text);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(faults_of(xml.replace(at, text.size(), GetParam().replacement)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlatformStorageFault,
    testing::Values(
        StorageFault{"node=\"n0\">", "node=\"n7\">",
                     "cluster.xml:14: server 'd0' names a node 'n7' that is not there; did you mean 'n0'?"},
        StorageFault{"node=\"n1\" request", "node=\"x\" request",
                     "cluster.xml:18: server 'd1' names a node 'x' that is not there; known here: n0, n1"},
        StorageFault{"node=\"n0\">", "node=\"s0\">",
                     "cluster.xml:14: server 'd0' names a node 's0' that is not there; did you mean 'n0'?"},
        StorageFault{"count=\"1\"", "count=\"3\"",
                     "cluster.xml:27: distribution of filesystem 'pvfs' puts each file on 3 servers, and it has 2; "
                     "write count=\"2\" or name more servers"},
        StorageFault{"servers=\"d0 d1\" stripe", "servers=\"d0 d2\" stripe",
                     "cluster.xml:27: distribution of filesystem 'pvfs' names a server 'd2' that is not there; did you "
                     "mean 'd0'?"},
        StorageFault{"servers=\"d0 d1\" stripe", "servers=\"d1 d1\" stripe",
                     "cluster.xml:27: distribution of filesystem 'pvfs' names server 'd1' twice; remove one"},
        StorageFault{"servers=\"d0 d1\" stripe", "servers=\"\" stripe",
                     "cluster.xml:27: distribution of filesystem 'pvfs' has no servers; add servers=\"…\""},
        StorageFault{"metadata=\"m0\"", "metadata=\"meta\"",
                     "cluster.xml:27: distribution of filesystem 'pvfs' names a server 'meta' that is not there; known "
                     "here: d0, d1, m0"},
        StorageFault{"metadata=\"m0\" create=\"1ms\" lookup=\"200us\" stat=\"100us\" ", "",
                     "cluster.xml:27: distribution of filesystem 'pvfs' has a close and no metadata server; add "
                     "metadata=\"…\""},
        StorageFault{"stripe=\"64KiB\"", "stripe=\"0\"",
                     "cluster.xml:27: distribution of filesystem 'pvfs' has a stripe of zero; write for example "
                     "stripe=\"64KiB\""},
        StorageFault{"policy=\"aggregation-reorder\"", "policy=\"agregation\"",
                     "cluster.xml:16: cache of server 'd0' has an unknown policy 'agregation'; did you mean "
                     "'aggregation'?"},
        StorageFault{"memory=\"1GB\"", "memory=\"1MB\"",
                     "cluster.xml:16: cache of server 'd0' has less memory than its granularity; give it memory for "
                     "one access at least"},
        StorageFault{"memory=\"1GB\" granularity=\"10MiB\"", "memory=\"1kB\" granularity=\"1kB\"",
                     "cluster.xml:14: server 'd0' has a cache with less memory than a packet; give it 100KiB at least"},
        StorageFault{
            "policy=\"none\"", "policy=\"none\" dirty-limit=\"1MB\"",
            "cluster.xml:23: cache of server 'm0' has a limit of dirty data, and is no page cache; remove it or "
            "write policy=\"page-cache\"\n"
            "cluster.xml:23: cache of server 'm0' has a dirty-limit below its dirty-background; writers would "
            "wait for nothing"},
        StorageFault{
            "policy=\"none\"", "policy=\"page-cache\" dirty-limit=\"2GB\"",
            "cluster.xml:23: cache of server 'm0' has a dirty-limit above its memory; dirty data is part of the "
            "memory"},
        StorageFault{"<device latency=\"0\" rate=\"2GB/s\"/>", "<!-- none -->",
                     "cluster.xml:21: server 'm0' has no device; add <disk …/>, <flash …/> or <device …/>"},
        StorageFault{"<cache policy=\"none\"/>", "<device latency=\"0\" rate=\"2GB/s\"/>",
                     "cluster.xml:23: <device> is the second device of server 'm0'; give each server one"},
        StorageFault{"rate=\"2GB/s\"", "rate=\"0GB/s\"",
                     "cluster.xml:22: device of server 'm0' has a rate of zero; give what it really does"},
        StorageFault{"rate=\"96MiB/s\"", "", "cluster.xml:15: disk of server 'd0' has no rate; add rate=\"2GB/s\""},
        StorageFault{"name=\"d1\" node", "name=\"d0\" node",
                     "cluster.xml:27: distribution of filesystem 'pvfs' names a server 'd1' that is not there; did you "
                     "mean 'd0'?\n"
                     "cluster.xml:32: distribution of filesystem 'scratch' names a server 'd1' that is not there; did "
                     "you mean 'd0'?\n"
                     "cluster.xml:18: server 'd0' has a name that is taken in line 14; give each its own name"},
        StorageFault{"name=\"m0\"", "name=\"m 0\"",
                     "cluster.xml:21: server 'm 0' has a name with a space in it; lists of servers have spaces between "
                     "the names\n"
                     "cluster.xml:27: distribution of filesystem 'pvfs' names a server 'm0' that is not there; did you "
                     "mean 'd0'?"},
        StorageFault{"node=\"n1\" request", "node=\"n0\" request",
                     "cluster.xml:32: distribution of filesystem 'scratch' is local and has two servers on node 'n0'; "
                     "name one for each node"},
        StorageFault{"local=\"yes\"", "local=\"maybe\"",
                     "cluster.xml:32: distribution of filesystem 'scratch' has an unknown local 'maybe'; known here: "
                     "no, yes"},
        StorageFault{"<cached-write call=\"5us\" rate=\"4GB/s\"/>", "<device-write call=\"5us\" rate=\"4GB/s\"/>",
                     "cluster.xml:28: <device-write> stands in filesystem 'pvfs', which has the devices of its "
                     "servers; remove it"},
        StorageFault{"channels=\"4\"", "chanels=\"4\"",
                     "cluster.xml:19: flash of server 'd1' has an unknown attribute 'chanels'; did you mean "
                     "'channels'?"}));

}  // namespace
}  // namespace plumbline::hw
