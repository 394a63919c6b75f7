// What can be set of servers and of the file systems on them.

#include <gtest/gtest.h>

#include <set>

#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::hw {
namespace {

Platform cluster() { return read_platform(PLUMBLINE_TEST_FILES "/storage/cluster.xml"); }

std::string faults_after(const std::vector<std::string>& settings, Platform& platform) {
  Diagnostics diagnostics;
  for (const std::string& setting : settings) apply(parse_setting(setting), platform, diagnostics);
  check_settings(platform, diagnostics);
  std::string all;
  for (const Problem& problem : diagnostics.problems()) all += (all.empty() ? "" : "\n") + to_string(problem);
  return all;
}

Platform cluster_with(const std::vector<std::string>& settings) {
  Platform platform = cluster();
  EXPECT_EQ(faults_after(settings, platform), "");
  return platform;
}

std::string faults_of_settings(const std::vector<std::string>& settings) {
  Platform platform = cluster();
  return faults_after(settings, platform);
}

TEST(StorageSettings, EveryNumberOfAServerItsCacheAndItsDeviceCanBeSet) {
  const Platform p =
      cluster_with({"server.d0.request=7us", "server.m0.node=n0", "server.d0.disk.average-seek=1ms",
                    "server.d0.disk.track-to-track=2ms", "server.d0.disk.turn=3ms", "server.d0.disk.close=4kB",
                    "server.d0.disk.rate=50MB/s", "server.d0.cache.policy=write-behind", "server.d0.cache.memory=1GiB",
                    "server.d0.cache.granularity=1MiB", "server.d0.cache.concurrent=3",
                    "server.d1.flash.read-latency=1us", "server.d1.flash.write-latency=2us",
                    "server.d1.flash.read-rate=1GB/s", "server.d1.flash.write-rate=2GB", "server.d1.flash.channels=5",
                    "server.d1.flash.queue-depth=6", "server.m0.device.latency=8us", "server.m0.device.rate=9MB/s"});
  Platform expected = cluster();
  const auto by_hand = [](auto value) { return Parameter<decltype(value)>{value, 0, "set by hand"}; };
  Server& disk = expected.servers[0];
  disk.request = by_hand(microseconds(7));
  disk.device.disk = HardDisk{by_hand(milliseconds(1)), by_hand(milliseconds(2)), by_hand(milliseconds(3)),
                              Bytes{4'000}, by_hand(BytesPerSecond{50'000'000})};
  disk.cache = {CachePolicy::kWriteBehind, Bytes{1 << 30}, Bytes{1 << 20}, 3, {}, {}};
  expected.servers[1].device.flash = Flash{by_hand(microseconds(1)),
                                           by_hand(microseconds(2)),
                                           by_hand(BytesPerSecond{1'000'000'000}),
                                           by_hand(BytesPerSecond{2'000'000'000}),
                                           5,
                                           6};
  expected.servers[2].node = 0;
  expected.servers[2].device.simple = SimpleDevice{by_hand(microseconds(8)), by_hand(BytesPerSecond{9'000'000})};
  EXPECT_EQ(p, expected);
}

TEST(StorageSettings, EveryNumberOfADistributionCanBeSet) {
  const Platform p = cluster_with(
      {"filesystem.pvfs.stripe=128KiB", "filesystem.pvfs.count=all", "fs.pvfs.list-limit=16", "fs.pvfs.servers=d1 m0",
       "fs.pvfs.metadata.server=d0", "fs.pvfs.metadata.create=5ms", "fs.pvfs.metadata.lookup=6ms",
       "fs.pvfs.metadata.stat=7ms", "fs.pvfs.metadata.close=8ms", "fs.scratch.cached-read.rate=3GB/s"});
  const Distribution& pvfs = p.file_systems[0].distribution;
  EXPECT_EQ(pvfs.stripe, Bytes{131'072});
  EXPECT_EQ(pvfs.stripe_count, 0U);
  EXPECT_EQ(pvfs.list_limit, 16U);
  EXPECT_EQ(pvfs.servers, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(pvfs.metadata, 0U);
  EXPECT_EQ(pvfs.create.value, milliseconds(5));
  EXPECT_EQ(pvfs.lookup.value, milliseconds(6));
  EXPECT_EQ(pvfs.stat.value, milliseconds(7));
  EXPECT_EQ(pvfs.close->value, milliseconds(8));
  EXPECT_EQ(p.file_systems[1].cached_read.rate.value, BytesPerSecond{3'000'000'000});
}

TEST(StorageSettings, AStarSetsAllServersAtOnce) {
  const Platform p = cluster_with({"server.*.cache.policy=none", "server.d*.request=1ms"});
  for (const Server& server : p.servers) EXPECT_EQ(server.cache.policy, CachePolicy::kNone) << server.name;
  EXPECT_EQ(p.servers[0].request.value, milliseconds(1));
  EXPECT_EQ(p.servers[2].request.value, Duration{});
}

TEST(StorageSettings, LimitsOfDirtyDataAreThereWhereThePolicyHasThem) {
  const Platform p = cluster_with({"server.d0.cache.policy=page-cache", "server.d0.cache.dirty-background=50MB",
                                   "server.d0.cache.dirty-limit=500MB"});
  EXPECT_EQ(p.servers[0].cache.dirty_limit, Bytes{500'000'000});
  EXPECT_EQ(faults_of_settings({"server.d0.cache.dirty-limit=1GB"})
                .find("--set: the platform has no 'server.d0.cache.dirty-limit'"),
            0U);
  Platform again = p;
  EXPECT_EQ(faults_after({"server.d0.cache.policy=aggregation"}, again), "") << "it has no use for them, and no fault";
}

TEST(StorageSettings, WhatADistributedFileSystemDoesNotHaveIsNoName) {
  const std::vector<std::string> names = setting_names(cluster());
  const std::set<std::string> all(names.begin(), names.end());
  EXPECT_EQ(all.size(), names.size());
  for (const char* name : {"filesystem.pvfs.device-write.rate", "filesystem.scratch.stripe",
                           "filesystem.scratch.metadata.server", "server.d0.flash.channels", "server.d1.disk.rate"})
    EXPECT_FALSE(all.contains(name)) << name;
  EXPECT_TRUE(all.contains("filesystem.scratch.list-limit"));
}

TEST(StorageSettings, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(faults_of_settings({"server.d0.disk.rat=1MB/s"}),
            "--set: the platform has no 'server.d0.disk.rat'; did you mean 'server.d0.disk.rate' or "
            "'server.d0.disk.turn' or 'server.d0.disk.close'?");
  EXPECT_EQ(faults_of_settings({"fs.pvf.stripe=1MiB"}).substr(0, 76),
            "--set: the platform has no 'fs.pvf.stripe'; did you mean 'filesystem.pvfs.st");
}

TEST(StorageSettings, AValueThatCannotBeIsNamedWithWhatIsExpected) {
  EXPECT_EQ(faults_of_settings({"server.d0.disk.rate=0", "server.d0.node=n9", "server.d0.cache.policy=fast",
                                "fs.pvfs.count=0", "fs.pvfs.servers=d0 d0", "fs.pvfs.servers=d7", "fs.pvfs.stripe=0",
                                "fs.pvfs.metadata.server=x"}),
            "--set: server.d0.disk.rate=0 is not a rate such as 100Mbit/s\n"
            "--set: server.d0.node=n9 is not the name of a node; did you mean 'n0' or 'n1'?\n"
            "--set: server.d0.cache.policy=fast is not none, write-behind, aggregation, aggregation-reorder, "
            "server-directed or page-cache\n"
            "--set: filesystem.pvfs.count=0 is not a number, at least 1, or all\n"
            "--set: filesystem.pvfs.servers=d0 d0 is not names of servers, each once, with spaces between them\n"
            "--set: filesystem.pvfs.servers=d7 is not names of servers, each once, with spaces between them\n"
            "--set: filesystem.pvfs.stripe=0 is not an amount of data such as 64KiB\n"
            "--set: filesystem.pvfs.metadata.server=x is not the name of a server");
}

// Each of them alone would end in a check of the models.
TEST(StorageSettings, WhatDoesNotGoTogetherAnyMoreIsAFault) {
  EXPECT_EQ(faults_of_settings({"server.d0.cache.memory=1MB"}),
            "--set: cache of server 'd0' has less memory than its granularity; give it memory for one access at least");
  EXPECT_EQ(faults_of_settings({"server.m0.cache.granularity=0"}),
            "--set: cache of server 'm0' has a granularity of zero; write for example granularity=\"10MiB\"");
  EXPECT_EQ(faults_of_settings({"server.d0.cache.memory=1kB", "server.d0.cache.granularity=1kB"}),
            "--set: server 'd0' has a cache with less memory than a packet; give it 100KiB at least");
  EXPECT_EQ(faults_of_settings({"packets.granularity=2GB", "server.d*.cache.memory=3GB"}),
            "--set: server 'm0' has a cache with less memory than a packet; give it 2GB at least");
  EXPECT_EQ(faults_of_settings({"server.m0.cache.policy=page-cache", "server.m0.cache.dirty-limit=1kB",
                                "server.m0.cache.dirty-background=0"}),
            "--set: server 'm0' has a page cache with less room for dirty data than a packet; give it 100KiB at least");
  EXPECT_EQ(faults_of_settings({"fs.pvfs.count=3"}),
            "--set: distribution of filesystem 'pvfs' puts each file on 3 servers, and it has 2; write count=\"2\" or "
            "name more servers");
  EXPECT_EQ(faults_of_settings({"server.d1.node=n0"}),
            "--set: distribution of filesystem 'scratch' is local and has two servers on node 'n0'; name one for each "
            "node");
  EXPECT_EQ(faults_of_settings({"node.n0.noise.period=1ms", "node.n0.noise.duration=2ms"}),
            "--set: noise of node 'n0' lasts 2 ms of every 1 ms; a duration must be shorter than its period");
  EXPECT_EQ(faults_of_settings({}), "") << "a platform that could be read";
}

}  // namespace
}  // namespace plumbline::hw
