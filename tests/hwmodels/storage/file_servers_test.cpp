#include "hwmodels/storage/file_servers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "sim/random.hpp"
#include "storage_world.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::storage {
namespace {

constexpr Duration kLatency = microseconds(10);
constexpr std::int64_t kHeader = 40;

// Nodes on one switch; every component serves 1 B in 1 ns, an edge takes 10 us in addition. A message of z bytes in one
// packet crosses five components: 5 * (z + 40) ns + 20 us.
Platform star(std::uint32_t nodes) {
  Platform platform;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.interface_rate.value = node.memory_rate.value = {1'000'000'000};
    platform.nodes.push_back(node);
    Edge edge;
    edge.from = i;
    edge.to = nodes;
    edge.latency.value = kLatency;
    edge.rate.value = {1'000'000'000};
    platform.edges.push_back(edge);
  }
  platform.switches.push_back({"s0", {{1'000'000'000}, 0, ""}});
  platform.file_systems.resize(1);
  return platform;
}

Duration one_way(std::int64_t bytes) { return nanoseconds(5 * (bytes + kHeader)) + kLatency * 2; }

// 50 us + 1 B/ns.
Server server_on(std::uint32_t node, CachePolicy policy = CachePolicy::kWriteBehind) {
  Server server;
  server.name = "d" + std::to_string(node);
  server.node = node;
  server.device.simple = SimpleDevice{{microseconds(50), 0, ""}, {{1'000'000'000}, 0, ""}};
  server.cache.policy = policy;
  return server;
}

// Client on node 0, server on node 1.
Platform one_server() {
  Platform platform = star(2);
  platform.servers = {server_on(1)};
  platform.file_systems[0].distribution.servers = {0};
  return platform;
}

Time after(Duration d) { return Time{} + d; }

TEST(FileServers, AWriteIsDoneWhenTheCacheHasAcceptedItAndOnTheDeviceLater) {
  StorageWorld world(one_server());
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{0, 512}};
  world.servers().access({7, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  world.run();
  // The data follows the request (20 + 8 B) at once, so it waits for it in the first component alone.
  const Duration arrives = nanoseconds(28 + kHeader) + one_way(512);
  EXPECT_EQ(world.done_at(7), after(arrives + one_way(15)));
  EXPECT_EQ(world.bytes_of(7), Bytes{512});
  EXPECT_EQ(world.end(), after(arrives + microseconds(50) + nanoseconds(512)));
}

TEST(FileServers, AReadIsARequestTheDeviceAndTheData) {
  StorageWorld world(one_server());
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{4'096, 512}};
  world.servers().access({7, 0, 0}, 0, Access::kRead, extents, Time{}, world.queue());
  world.run();
  EXPECT_EQ(world.done_at(7), after(one_way(28) + microseconds(50) + nanoseconds(512) + one_way(512)));
}

TEST(FileServers, AReadEndsAtTheEndOfTheFileWhichWritesMove) {
  StorageWorld world(one_server());
  world.servers().add_file(0, 0, "/new");
  world.servers().add_file(1, 0, "/unknown");
  world.servers().create({0, 0, 0}, 0, Time{}, world.queue());
  const Extent block[] = {{100, 900}}, all[] = {{0, 4'000}, {5'000, 10}};
  world.run([&](std::uint32_t done, Time now) {
    if (done == 0) world.servers().access({1, 0, 0}, 0, Access::kWrite, block, now, world.queue());
    if (done == 1) world.servers().access({2, 0, 0}, 0, Access::kRead, all, now, world.queue());
    if (done == 2) world.servers().access({3, 0, 0}, 1, Access::kRead, all, now, world.queue());
  });
  EXPECT_EQ(world.servers().size(0), Bytes{1'000});
  EXPECT_EQ(world.bytes_of(2), Bytes{1'000});
  EXPECT_EQ(world.bytes_of(3), Bytes{4'010}) << "nothing is known of its size";
}

TEST(FileServers, AnAccessWithoutBytesAsksNobody) {
  StorageWorld world(one_server());
  world.servers().add_file(0, 0, "/f", {}, Bytes{100});
  const Extent none[] = {{0, 0}}, behind[] = {{100, 50}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, none, Time{}, world.queue());
  world.servers().access({1, 0, 0}, 0, Access::kRead, behind, Time{}, world.queue());
  world.servers().access({2, 0, 0}, 0, Access::kRead, {}, Time{}, world.queue());
  world.run();
  for (std::uint32_t request = 0; request < 3; ++request) EXPECT_EQ(world.done_at(request), Time{});
  EXPECT_EQ(world.bytes_of(1), Bytes{0});
}

TEST(FileServers, SyncEndsWhenWhatWasWrittenIsOnTheDevice) {
  StorageWorld world(one_server());
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{0, 1'000'000}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  Time begun;
  world.run([&](std::uint32_t done, Time now) {
    if (done == 0) world.servers().sync({1, 0, 0}, 0, begun = now, world.queue());
  });
  const DeviceUse& device = world.servers().server(0).device_use();
  EXPECT_EQ(device.written, Bytes{1'000'000});
  EXPECT_EQ(device.flushes, 1U);
  EXPECT_EQ(world.done_at(1), world.end());
  EXPECT_GT(world.done_at(1) - begun, one_way(20) + one_way(15));
}

TEST(FileServers, TheMetadataServerServesOneCallAfterAnother) {
  Platform platform = star(3);
  platform.servers = {server_on(2)};
  Distribution& spread = platform.file_systems[0].distribution;
  spread.servers = {0};
  spread.metadata = 0;
  spread.create.value = microseconds(1'000);
  spread.lookup.value = microseconds(300);
  StorageWorld world(platform);
  world.servers().add_file(0, 0, "/f");
  world.servers().create({0, 0, 0}, 0, Time{}, world.queue());
  world.servers().open({1, 1, 1}, 0, Time{}, world.queue());
  world.servers().stat({2, 0, 0}, 0, after(milliseconds(10)), world.queue());
  Time last;
  world.run([&](std::uint32_t done, Time now) {
    if (done == 2) world.servers().close({3, 0, 0}, 0, last = now, world.queue());
  });
  const Duration there = one_way(20), back = one_way(15);
  EXPECT_EQ(world.done_at(0), after(there + microseconds(1'000) + back));
  EXPECT_EQ(world.done_at(1), after(there + microseconds(1'000) + microseconds(300) + back));
  EXPECT_EQ(world.done_at(2), after(milliseconds(10) + there + back));
  EXPECT_EQ(world.done_at(3), last) << "it is not told of a close without a cost";
  EXPECT_EQ(world.servers().server(0).use().cpu_busy, microseconds(1'300));
}

TEST(FileServers, TheCpuOfAServerLooksAtOneRequestAfterAnother) {
  Platform platform = one_server();
  platform.servers[0].request.value = microseconds(500);
  StorageWorld world(platform);
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{0, 100}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  world.run();
  EXPECT_EQ(world.done_at(0), after(one_way(28) + microseconds(500) + one_way(15)));
}

TEST(FileServers, TheClientComputesBeforeItWritesAndAfterItHasRead) {
  Platform platform = one_server();
  StorageWorld bare(platform);
  platform.file_systems[0].cached_write = {{microseconds(30), 0, ""}, {{1'000'000'000}, 0, ""}};
  platform.file_systems[0].cached_read = {{microseconds(20), 0, ""}, {{1'000'000'000}, 0, ""}};
  StorageWorld world(platform);
  const Extent extents[] = {{0, 1'000}};
  for (StorageWorld* w : {&bare, &world}) {
    w->servers().add_file(0, 0, "/f");
    w->servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, w->queue());
    w->servers().access({1, 0, 0}, 0, Access::kRead, extents, after(seconds(1)), w->queue());
    w->run();
  }
  EXPECT_EQ(world.done_at(0) - bare.done_at(0), microseconds(31));
  EXPECT_EQ(world.done_at(1) - bare.done_at(1), microseconds(21));
}

// As with a disk in each node: a message inside a node crosses its memory alone.
TEST(FileServers, ALocalFileSystemIsServedByTheNodeOfTheClient) {
  Platform platform = star(2);
  platform.servers = {server_on(1), server_on(0)};
  platform.file_systems[0].distribution.servers = {0, 1};
  platform.file_systems[0].distribution.local = true;
  StorageWorld world(platform);
  world.servers().add_file(0, 0, "/tmp/f");
  const Extent extents[] = {{0, 512}};
  world.servers().access({0, 0, 0}, 0, Access::kRead, extents, Time{}, world.queue());
  world.servers().access({1, 1, 1}, 0, Access::kRead, extents, Time{}, world.queue());
  world.run();
  const Time expected =
      after(nanoseconds(28 + kHeader) + microseconds(50) + nanoseconds(512) + nanoseconds(512 + kHeader));
  EXPECT_EQ(world.done_at(0), expected);
  EXPECT_EQ(world.done_at(1), expected);
  EXPECT_EQ(world.servers().server(0).device_use().reads, 1U);
  EXPECT_EQ(world.servers().server(1).device_use().reads, 1U);
}

TEST(FileServers, AListThatIsTooLongBecomesRequestsOneAfterAnother) {
  Platform platform = one_server();
  std::vector<Extent> extents;
  for (std::uint64_t i = 0; i < 10; ++i) extents.push_back({i * 1'000, 10});
  const auto time_of = [&](std::uint32_t limit) {
    platform.file_systems[0].distribution.list_limit = limit;
    StorageWorld world(platform);
    world.servers().add_file(0, 0, "/f");
    world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
    world.run();
    EXPECT_EQ(world.bytes_of(0), Bytes{100});
    return world.done_at(0) - Time{};
  };
  // The request of one packet is longer than its data, which waits for it in each component.
  const auto request = [](std::int64_t count) {
    return nanoseconds(5 * (20 + 8 * count + kHeader)) + nanoseconds(10 * count + kHeader) + kLatency * 2 + one_way(15);
  };
  EXPECT_EQ(time_of(5), request(5) * 2);
  EXPECT_EQ(time_of(10), time_of(0));
}

// Two packets of 100 KiB and more, a cache without memory for a second one, and a device that is slow.
TEST(FileServers, PacketsThatTheCacheRefusesStopTheInterfaceUntilItTakesThem) {
  Platform platform = star(3);
  platform.servers = {server_on(1, CachePolicy::kNone)};
  platform.servers[0].device.simple->latency.value = milliseconds(100);
  platform.file_systems[0].distribution.servers = {0};
  StorageWorld world(platform);
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{0, 3 * 102'400}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  world.run();
  const ServerUse& use = world.servers().server(0).use();
  EXPECT_EQ(use.refused, 2U);
  EXPECT_EQ(use.parked.most(), 1);
  EXPECT_GT(use.held, milliseconds(190));
  EXPECT_GT(world.done_at(0), after(milliseconds(200))) << "the last packet is accepted when two are on the device";
}

// Server 1 refuses a packet from its own node at 584 us, while the interface serves one that server 0 refuses at 634
// us. Server 0 takes its packet at 10 ms, server 1 at 100 ms.
TEST(FileServers, AnInterfaceIsHeldAsLongAsOneOfItsServersWantsIt) {
  Platform platform = star(2);
  platform.servers = {server_on(1, CachePolicy::kNone), server_on(1, CachePolicy::kNone)};
  platform.servers[0].device.simple->latency.value = milliseconds(10);
  platform.servers[1].device.simple->latency.value = milliseconds(100);
  platform.file_systems[0].distribution.servers = {0, 1};
  StorageWorld world(platform);
  const Extent extents[] = {{0, 8 * 102'400}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    world.servers().add_file(i, 0, "/f", {i, 1, {}});
    world.servers().access({i, i, i}, i, Access::kWrite, extents, after(microseconds(380 * i)), world.queue());
  }
  world.run();
  EXPECT_EQ(world.servers().server(0).use().parked.most(), 1);
  EXPECT_EQ(world.servers().server(1).use().parked.most(), 1) << "server 0 does not let the interface go";
}

// 1 MB written to a page cache, synchronised, and read again by another client: as on a server of NFS.
TEST(FileServers, APageCacheServesWhatWasWrittenWithoutTheDeviceAndSyncWritesIt) {
  Platform platform = star(3);
  platform.servers = {server_on(2, CachePolicy::kPageCache)};
  platform.file_systems[0].distribution.servers = {0};
  StorageWorld world(platform);
  world.servers().add_file(0, 0, "/nfs/f");
  const Extent extents[] = {{0, 1'000'000}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  const DeviceUse& device = world.servers().server(0).device_use();
  Time begun;
  world.run([&](std::uint32_t done, Time now) {
    if (done == 0) {
      EXPECT_EQ(device.writes, 0U) << "far below the background limit";
      world.servers().sync({1, 0, 0}, 0, begun = now, world.queue());
    }
    if (done == 1) world.servers().access({2, 1, 1}, 0, Access::kRead, extents, now, world.queue());
  });
  EXPECT_EQ(world.done_at(1) - begun, one_way(20) + microseconds(50) + nanoseconds(1'000'000) + one_way(15));
  EXPECT_EQ(device.written, Bytes{1'000'000});
  EXPECT_EQ(device.reads, 0U);
  EXPECT_EQ(world.servers().server(0).use().hits, Bytes{1'000'000});
}

struct RandomCall {
  Client client;
  std::uint32_t file = 0;
  int kind = 0;  // 0 write, 1 read, 2 sync, 3 open, 4 create, 5 stat, 6 close
  std::vector<Extent> extents;
  Time at;
};

class StorageProperty : public testing::TestWithParam<int> {
 protected:
  StorageProperty() : random_(seed_, "file servers") {
    platform_ = star(2 + below(4));
    const std::uint32_t nodes = static_cast<std::uint32_t>(platform_.nodes.size());
    platform_.packets = {{64 + random_.below(5'000)}, {random_.below(100)}};
    for (std::uint32_t i = 1 + below(4); i > 0; --i) platform_.servers.push_back(random_server(below(nodes)));
    Distribution& spread = platform_.file_systems[0].distribution;
    for (std::uint32_t i = 0; i < platform_.servers.size(); ++i) spread.servers.push_back(i);
    spread.stripe = {1 + random_.below(3'000)};
    spread.list_limit = below(4);
    if (below(2) == 0) spread.metadata = 0;
    for (std::uint32_t i = 0; i < 40; ++i) calls_.push_back(random_call(i, nodes));
  }

  Server random_server(std::uint32_t node) {
    Server server = server_on(node, static_cast<CachePolicy>(random_.below(6)));
    if (below(3) == 0) server.device = pvs_disk();
    if (below(3) == 0) server.request.value = microseconds(below(50));
    server.cache.granularity = {1 + random_.below(10'000)};
    server.cache.memory = {std::max(server.cache.granularity.count, platform_.packets.granularity.count) +
                           random_.below(20'000)};
    server.cache.concurrent = 1 + below(4);
    if (server.cache.policy == CachePolicy::kPageCache) {
      server.cache.dirty_limit = server.cache.memory;
      server.cache.dirty_background = Bytes{random_.below(server.cache.memory.count + 1)};
    }
    return server;
  }

  RandomCall random_call(std::uint32_t number, std::uint32_t nodes) {
    const std::uint32_t rank = below(6);
    RandomCall call{{number, rank % nodes, rank}, below(3), 0, {}, after(microseconds(below(5) * 100))};
    call.kind = static_cast<int>(below(10));
    if (call.kind > 6) call.kind = static_cast<int>(below(2));
    if (call.kind < 2)
      for (std::uint32_t i = below(5); i > 0; --i)
        call.extents.push_back({random_.below(100'000), random_.below(30'000)});
    return call;
  }

  static void begin(StorageWorld& world, const RandomCall& call) {
    FileServers& servers = world.servers();
    sim::EventQueue& queue = world.queue();
    if (call.kind < 2)
      servers.access(call.client, call.file, call.kind == 0 ? Access::kWrite : Access::kRead, call.extents, call.at,
                     queue);
    if (call.kind == 2) servers.sync(call.client, call.file, call.at, queue);
    if (call.kind == 3) servers.open(call.client, call.file, call.at, queue);
    if (call.kind == 4) servers.create(call.client, call.file, call.at, queue);
    if (call.kind == 5) servers.stat(call.client, call.file, call.at, queue);
    if (call.kind == 6) servers.close(call.client, call.file, call.at, queue);
  }

  // By request: when it was done. StorageWorld::run itself expects that all is done once and all memory free.
  std::map<std::uint32_t, Time> run(const std::vector<RandomCall>& calls) {
    StorageWorld world(platform_);
    for (std::uint32_t file = 0; file < 3; ++file) world.servers().add_file(file, 0, "/f" + std::to_string(file));
    for (const RandomCall& call : calls) begin(world, call);
    std::map<std::uint32_t, Time> done;
    world.run([&](std::uint32_t request, Time now) { done.emplace(request, now); });
    EXPECT_EQ(done.size(), calls.size());
    written_ = read_ = 0;
    for (std::uint32_t i = 0; i < world.servers().server_count(); ++i) {
      written_ += world.servers().server(i).device_use().written.count;
      read_ += world.servers().server(i).device_use().read.count;
    }
    return done;
  }

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

  const std::uint64_t seed_ = plumbline::test::random_seed();
  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << seed_};
  sim::RandomStream random_;
  Platform platform_;
  std::vector<RandomCall> calls_;
  std::uint64_t written_ = 0, read_ = 0;
};

TEST_P(StorageProperty, EveryCallEndsWhateverThePoliciesAndHoweverLittleMemoryThereIs) { run(calls_); }

TEST_P(StorageProperty, TheNumbersOfRequestsDecideNothing) {
  const std::map<std::uint32_t, Time> one = run(calls_);
  for (RandomCall& call : calls_) call.client.request = 1'000 - call.client.request;
  const std::map<std::uint32_t, Time> two = run(calls_);
  for (const auto& [request, at] : one) EXPECT_EQ(two.at(1'000 - request), at);
}

TEST_P(StorageProperty, WithoutOverlapsEveryByteCrossesADeviceOnce) {
  std::uint64_t written = 0, read = 0, offset = 0;
  for (Server& server : platform_.servers)  // which would keep some
    if (server.cache.policy == CachePolicy::kPageCache) server.cache.policy = CachePolicy::kNone;
  for (RandomCall& call : calls_) {
    if (call.kind == 4) call.kind = 3;  // truncates
    for (Extent& extent : call.extents) {
      extent.offset = offset;
      offset = extent.end();
      (call.kind == 0 ? written : read) += extent.length;
    }
  }
  run(calls_);
  EXPECT_EQ(written_, written);
  EXPECT_EQ(read_, read);
}

INSTANTIATE_TEST_SUITE_P(Random, StorageProperty, testing::Range(0, 40));

}  // namespace
}  // namespace plumbline::hw::storage
