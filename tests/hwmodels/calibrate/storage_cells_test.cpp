// A machine whose storage is known -> cells of a campaign -> the platform that is made of them.
#include "hwmodels/calibrate/storage/cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/storage_truth.hpp"
#include "tests/hwmodels/storage/storage_world.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;
using storage::kMiB;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::uint64_t kBlock = 3 * kMiB;

Calibration one_node() {
  Calibration into;
  Node& node = into.platform.nodes.emplace_back();
  node.name = "n0";
  node.memory_rate.value = node.interface_rate.value = {10'000'000'000};
  MessageRange range;
  into.platform.inside.ranges = {range};
  return into;
}

void expect_near(const AccessCost& cost, const TrueCost& truth) {
  EXPECT_NEAR(cost.call.value.seconds(), truth.seconds, 0.05 * truth.seconds) << truth.call;
  EXPECT_NEAR(static_cast<double>(cost.rate.value.count), truth.rate, 0.05 * truth.rate) << truth.call;
  EXPECT_GT(cost.rate.spread, 0) << truth.call;
  EXPECT_THAT(cost.rate.source, HasSubstr("bench mixed.h5"));
}

TEST(StorageCells, OfCallsAndNamesBecomeTheBracketOfAFileSystem) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    TimeNoise noise(seed, 0.02);
    bench::Campaign campaign;
    add_bracket_cells(noise, campaign);
    Calibration into = one_node();
    into.platform.file_systems.resize(1);
    into.platform.file_systems[0].paths = {"/data"};  // of --quick: replaced
    fit_storage_cells(campaign, "bench mixed.h5", into);
    ASSERT_THAT(into.platform.file_systems, SizeIs(1));
    const FileSystem& result = into.platform.file_systems[0];
    EXPECT_EQ(result.name, "data");
    EXPECT_THAT(result.paths, ElementsAre("/data"));
    expect_near(result.cached_write, kTrueCosts[0]);
    expect_near(result.cached_read, kTrueCosts[1]);
    expect_near(result.device_write, kTrueCosts[2]);
    expect_near(result.device_read, kTrueCosts[3]);
    EXPECT_NEAR(result.open.value.seconds(), 9e-6, 5e-7);
    EXPECT_NEAR(result.sync.value.seconds(), 1e-3, 5e-5);
    EXPECT_TRUE(result.distribution.servers.empty());
    EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
  }
}

TEST(StorageCells, ThatAreMissingAreNamedAndNothingIsInvented) {
  TimeNoise noise(1, 0.02);
  bench::Campaign campaign;
  campaign.cells.push_back(storage_cell(kStorageCalls, bench::kCachedWrite, 4096, repeated(1e-6, noise)));
  Calibration into = one_node();
  fit_storage_cells(campaign, "here", into);
  EXPECT_TRUE(into.platform.file_systems.empty());
  EXPECT_THAT(into.notes, Contains(HasSubstr("three sizes of cached-write, cached-read, device-write, device-read")));
  fit_storage_cells({}, "here", into);
  EXPECT_THAT(into.notes, SizeIs(1)) << "a campaign without storage says nothing of it";
}

TEST(StorageCells, OfADeviceBecomeAServerOfEachNodeWithAPageCache) {
  TimeNoise noise(1, 0.02);
  bench::Campaign campaign;
  add_bracket_cells(noise, campaign);
  add_seek_cells(0, noise, campaign);
  campaign.cells.push_back(storage_cell(kStorageCache, kFillWrite, kMiB, repeated(2e-4, noise, 64)));
  campaign.cells.back().numbers.insert({{kMemoryAvailable, 8e9}, {kToldLimit, 1.6e9}, {kToldBackground, 0.8e9}});
  Calibration into = one_node();
  fit_storage_cells(campaign, "here", into);
  ASSERT_THAT(into.platform.servers, SizeIs(1));
  const Server& server = into.platform.servers[0];
  EXPECT_EQ(server.name, "data-n0");
  ASSERT_TRUE(server.device.flash);
  EXPECT_NEAR(server.device.flash->read_latency.value.seconds(), 120e-6, 6e-6);
  EXPECT_EQ(server.cache.policy, CachePolicy::kPageCache);
  EXPECT_EQ(server.cache.dirty_limit, Bytes{1'600'000'000});
  EXPECT_TRUE(into.platform.file_systems[0].distribution.local);
  EXPECT_THAT(into.notes, Contains(HasSubstr("64 MiB were written and writers did not wait")));
  EXPECT_THAT(into.notes, Contains(HasSubstr("it has no classes of seeks")));
  EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
}

TEST(StorageCells, OfADiskBecomeItsSeeksAndAPlatformWithoutComponentsGetsNoServers) {
  TimeNoise noise(1, 0.02);
  bench::Campaign campaign;
  add_bracket_cells(noise, campaign);
  add_seek_cells(9e-3, noise, campaign);
  Calibration into = one_node();
  fit_storage_cells(campaign, "here", into);
  ASSERT_THAT(into.platform.servers, SizeIs(1));
  ASSERT_TRUE(into.platform.servers[0].device.disk);
  EXPECT_NEAR(into.platform.servers[0].device.disk->average_seek.value.seconds(), 9e-3, 5e-4);
  EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
  for (const NetworkKind network : {NetworkKind::kLogGP, NetworkKind::kSampled}) {
    into = one_node();
    into.platform.network = network;
    fit_storage_cells(campaign, "here", into);
    EXPECT_TRUE(into.platform.servers.empty());
    EXPECT_THAT(into.notes, Contains(HasSubstr("servers need nodes and the network store-and-forward")));
  }
}

// Clients and servers on one switch.
struct Cluster {
  std::uint32_t clients = 4, servers = 3;
  std::uint64_t disk_rate = 40'000'000, slow_rate = 40'000'000;  // of all; of the last
  Duration lookup = microseconds(200);
};

Platform platform_of(const Cluster& cluster) {
  Platform platform;
  const std::uint32_t nodes = cluster.clients + cluster.servers;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    Node& node = platform.nodes.emplace_back();
    node.name = i < cluster.clients ? "n" + std::to_string(i) : "s" + std::to_string(i - cluster.clients);
    node.interface_rate.value = node.memory_rate.value = {10'000'000'000};
    Edge& edge = platform.edges.emplace_back();
    edge.name = node.name + "-link";
    edge.from = i;
    edge.to = nodes;
    edge.latency.value = microseconds(20);
    edge.rate.value = {117'000'000};
    if (i < cluster.clients) continue;
    Server& server = platform.servers.emplace_back();
    server.name = node.name + ":/brick";
    server.node = i;
    Flash& flash = server.device.flash.emplace();
    flash.read_latency.value = flash.write_latency.value = microseconds(50);
    flash.read_rate.value = flash.write_rate.value = {i + 1 == nodes ? cluster.slow_rate : cluster.disk_rate};
    server.cache.policy = CachePolicy::kWriteBehind;
  }
  platform.switches.push_back({"switch", {{10'000'000'000}, 0, ""}});
  MessageRange range;
  platform.inside.ranges = platform.between.ranges = {range};
  Distribution& distribution = platform.file_systems.emplace_back().distribution;
  for (std::uint32_t i = 0; i < cluster.servers; ++i) distribution.servers.push_back(i);
  distribution.metadata = 0;
  distribution.lookup.value = distribution.create.value = distribution.stat.value = cluster.lookup;
  distribution.close.emplace().value = cluster.lookup;
  return platform;
}

// All clients at once, each a block of its own file on one of the first `servers` from `first` on; a write with its
// sync.
double access_seconds(const Platform& platform, std::uint32_t clients, Access kind, std::uint32_t first,
                      std::uint32_t servers) {
  storage::StorageWorld world(platform);
  const storage::Extent block[] = {{0, kBlock}};
  for (std::uint32_t i = 0; i < clients; ++i) {
    world.servers().add_file(i, 0, "/f" + std::to_string(i), {first + i % servers, 1, {}}, Bytes{kBlock});
    world.servers().access({i, i, i}, i, kind, block, Time{}, world.queue());
  }
  Time last;
  world.run([&](std::uint32_t request, Time now) {
    last = now;
    if (kind == Access::kWrite && request < clients)
      world.servers().sync({request + clients, request, request}, request, now, world.queue());
  });
  return (last - Time{}).seconds();
}

double open_seconds(const Platform& platform, std::uint32_t clients) {
  storage::StorageWorld world(platform);
  Time last;
  for (std::uint32_t i = 0; i < clients; ++i) {
    world.servers().add_file(i, 0, "/f" + std::to_string(i));
    world.servers().open({i, i, i}, i, Time{}, world.queue());
  }
  world.run([&](std::uint32_t, Time now) { last = now; });
  return (last - Time{}).seconds();
}

bench::Campaign campaign_of(const Cluster& cluster, TimeNoise& noise) {
  const Platform platform = platform_of(cluster);
  bench::Campaign campaign;
  add_bracket_cells(noise, campaign);
  const auto add = [&](std::string_view call, std::uint32_t first, std::uint32_t servers) {
    const Access kind = call == bench::kDeviceRead ? Access::kRead : Access::kWrite;
    const double seconds = access_seconds(platform, cluster.clients, kind, first, servers);
    bench::Cell cell = storage_cell(kStorageCalls, call, kBlock, repeated(seconds, noise));
    cell.numbers[kClients] = cluster.clients;
    cell.numbers[kServers] = servers;
    if (servers == 1) cell.words[kServer] = platform.servers[first].name;
    campaign.cells.push_back(cell);
  };
  for (const std::string_view call : {bench::kDeviceWrite, bench::kDeviceRead}) {
    for (std::uint32_t server = 0; server < cluster.servers; ++server) add(call, server, 1);
    add(call, 0, cluster.servers);
  }
  for (const std::uint32_t clients : {1U, 2U, 4U})
    for (const std::string& call : {kCreate, kOpenExisting, kStat, std::string(bench::kClose)}) {
      bench::Cell cell = storage_cell(kStorageMetadata, call, 0, repeated(open_seconds(platform, clients), noise));
      cell.numbers[kClients] = clients;
      cell.words[kWhere] = kShared;
      campaign.cells.push_back(cell);
    }
  return campaign;
}

// The clients' part of the cluster, as the network's cells make it.
Calibration network_of(const Cluster& cluster) {
  Calibration into;
  Platform whole = platform_of(cluster);
  into.platform = whole;
  into.platform.servers.clear();
  into.platform.file_systems.clear();
  into.platform.nodes.resize(cluster.clients);
  into.platform.edges.resize(cluster.clients);
  for (Edge& edge : into.platform.edges) edge.to = cluster.clients;
  return into;
}

TEST(StorageCells, WithServersBecomeServersOnNodesOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    TimeNoise noise(seed, 0.02);
    const Cluster cluster;
    Calibration into = network_of(cluster);
    fit_storage_cells(campaign_of(cluster, noise), "here", into);
    const Platform& platform = into.platform;
    ASSERT_THAT(platform.servers, SizeIs(3));
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Server& server = platform.servers[i];
      EXPECT_EQ(platform.nodes[server.node].name, "s" + std::to_string(i));
      // What is read last still has to cross the link when the disk is done: 1 part of 4 clients, 40 MB/s of 117.
      EXPECT_NEAR(static_cast<double>(server.device.flash->read_rate.value.count), 40e6 / (1 + 40 / 117.0 / 4),
                  0.02 * 40e6);
      EXPECT_NEAR(static_cast<double>(server.device.flash->write_rate.value.count), 40e6, 0.05 * 40e6);
    }
    const Distribution& distribution = platform.file_systems[0].distribution;
    EXPECT_NEAR(distribution.lookup.value.seconds(), 200e-6, 0.05 * 200e-6);
    EXPECT_LT(platform.file_systems[0].open.value.seconds(), 20e-6) << "the way to the server is not the client's";
    EXPECT_EQ(distribution.stripe_count, 1U);
    EXPECT_THAT(into.notes, Contains(HasSubstr("less than that link carries, so its disk or CPU limits it")));
    EXPECT_EQ(parse_platform(to_xml(platform), "written"), platform);
    EXPECT_THAT(into.findings, IsEmpty());
  }
}

TEST(StorageCells, OfWholeFilesOnGlusterFSPlaceThemAsItDoes) {
  TimeNoise noise(1, 0.02);
  const Cluster cluster;
  bench::Campaign campaign = campaign_of(cluster, noise);
  const auto placement = [&] {
    Calibration into = network_of(cluster);
    fit_storage_cells(campaign, "here", into);
    EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
    return into.platform.file_systems[0].distribution.placement;
  };
  EXPECT_EQ(placement(), FilePlacement::kPathHash) << "nobody told";
  for (bench::Cell& cell : campaign.cells) cell.words[kStripesBy] = kGluster;
  EXPECT_EQ(placement(), FilePlacement::kGlusterHash);
}

// Small accesses take about as long as their calls, however fast the server is.
TEST(StorageCells, OfServersTellTheirRatesByTheLargestAccesses) {
  TimeNoise noise(1, 0.02);
  const Cluster cluster;
  bench::Campaign campaign = campaign_of(cluster, noise);
  for (const std::string_view call : {bench::kDeviceWrite, bench::kDeviceRead})
    for (std::uint32_t server = 0; server < cluster.servers; ++server)
      for (const std::uint64_t bytes : {4096U, 32768U}) {
        bench::Cell cell = storage_cell(kStorageCalls, call, bytes, repeated(1e-3, noise));
        cell.numbers[kClients] = cluster.clients;
        cell.numbers[kServers] = 1;
        cell.words[kServer] = platform_of(cluster).servers[server].name;
        campaign.cells.push_back(cell);
      }
  Calibration into = network_of(cluster);
  fit_storage_cells(campaign, "here", into);
  ASSERT_THAT(into.platform.servers, SizeIs(3));
  for (const Server& server : into.platform.servers)
    EXPECT_NEAR(static_cast<double>(server.device.flash->write_rate.value.count), 40e6, 0.05 * 40e6);
}

// A host may be named as a switch is, and nodes may have sockets instead of memory.
TEST(StorageCells, WithServersMakeAPlatformOfAnyNodesAndNames) {
  TimeNoise noise(1, 0.02);
  const Cluster cluster;
  Calibration into = network_of(cluster);
  into.platform.switches[0].name = "s1";
  for (Node& node : into.platform.nodes) {
    node.sockets.emplace();
    node.sockets->count = 2;
    for (Parameter<BytesPerSecond>* const rate :
         {&node.sockets->rate, &node.sockets->local_rate, &node.sockets->link_rate, &node.sockets->interconnect_rate})
      rate->value = {5'000'000'000};
    node.sockets->latency.value = nanoseconds(100);
    node.cores = 2;
    node.memory_rate = {};
  }
  const bench::Campaign campaign = campaign_of(cluster, noise);
  fit_storage_cells(campaign, "here", into);
  EXPECT_EQ(into.platform.nodes[into.platform.servers[1].node].name, "s1-server");
  EXPECT_EQ(into.platform.nodes.back().memory_rate.value, (BytesPerSecond{5'000'000'000}));
  EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
}

TEST(StorageCells, OfServersBehindSlowLinksTellTheLinkAndNotTheDisk) {
  TimeNoise noise(1, 0.02);
  Cluster cluster;
  cluster.disk_rate = cluster.slow_rate = 2'000'000'000;
  Calibration into = network_of(cluster);
  fit_storage_cells(campaign_of(cluster, noise), "here", into);
  EXPECT_THAT(into.notes, Contains(HasSubstr("what it delivers is what that link carries")));
  EXPECT_THAT(into.platform.servers[0].device.flash->read_rate.source, HasSubstr("not seen"));
  for (const Access kind : {Access::kRead, Access::kWrite}) {
    const double truth = access_seconds(platform_of(cluster), cluster.clients, kind, 0, 1);
    EXPECT_NEAR(access_seconds(into.platform, cluster.clients, kind, 0, 1), truth, 0.05 * truth)
        << "and not once through the disk besides";
  }
}

double one_client_seconds(const Platform& platform, Access kind, std::uint64_t bytes) {
  storage::StorageWorld world(platform);
  const storage::Extent all[] = {{0, bytes}};
  world.servers().add_file(0, 0, "/f", {0, 1, {}}, Bytes{bytes});
  world.servers().access({0, 0, 0}, 0, kind, all, Time{}, world.queue());
  Time last;
  world.run([&](std::uint32_t, Time now) { last = now; });
  return (last - Time{}).seconds();
}

// Request, header and the last packet's second cable are in the measured times, and in the model besides.
TEST(StorageCells, OfOneClientWithoutACacheLeaveItWhatTheWayToAServerDoesNotTake) {
  TimeNoise noise(1, 0.02);
  Cluster cluster;
  cluster.disk_rate = cluster.slow_rate = 2'000'000'000;
  Platform truth = platform_of(cluster);
  truth.packets.granularity = Bytes{32'768};
  AccessCost client;
  client.call.value = microseconds(150);
  client.rate.value = {2'000'000'000};
  truth.file_systems[0].cached_read = truth.file_systems[0].cached_write = client;
  bench::Campaign campaign = campaign_of(cluster, noise);
  std::erase_if(campaign.cells, [](const bench::Cell& cell) {
    const std::string call = cell.words.at(kCall);
    return call == bench::kCachedRead || call == bench::kCachedWrite;
  });
  const auto kinds = {std::pair{bench::kCachedRead, Access::kRead}, {bench::kCachedWrite, Access::kWrite}};
  for (const auto& [call, kind] : kinds)
    for (const std::uint64_t bytes : {4096U, 65'536U, 262'144U})
      campaign.cells.push_back(
          storage_cell(kStorageCalls, call, bytes, repeated(one_client_seconds(truth, kind, bytes), noise)));
  Calibration into = network_of(cluster);
  into.platform.packets.granularity = truth.packets.granularity;
  fit_storage_cells(campaign, "here", into);
  for (const auto& [call, kind] : kinds)
    for (const std::uint64_t bytes : {4096U, 65'536U, 262'144U}) {
      const double seconds = one_client_seconds(truth, kind, bytes);
      EXPECT_NEAR(one_client_seconds(into.platform, kind, bytes), seconds, 0.03 * seconds) << call << " of " << bytes;
    }
  EXPECT_THAT(into.notes, Contains(HasSubstr("buffered reading is no faster than the servers are")));
}

// One of six servers, in five runs.
TEST(StorageCells, OfAServerThatIsSlowerThanTheOthersAreAFindingAndNotFittedAway) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    TimeNoise noise(seed, 0.05);
    Cluster cluster;
    cluster.servers = 6;
    cluster.slow_rate = 20'000'000;
    bench::Campaign campaign;
    for (std::uint32_t run = 0; run < 5; ++run) {
      bench::Campaign once = campaign_of(cluster, noise);
      for (bench::Cell& cell : once.cells) {
        cell.run = run;
        campaign.cells.push_back(std::move(cell));
      }
    }
    Calibration into = network_of(cluster);
    fit_storage_cells(campaign, "here", into);
    EXPECT_GT(into.platform.servers[5].device.flash->read_rate.value.count, 34'000'000U);
    EXPECT_EQ(into.platform.servers[5].device, into.platform.servers[0].device);
    ASSERT_THAT(into.findings, SizeIs(1));
    EXPECT_THAT(title(into.findings[0]), StartsWith("server s5:/brick: "));
    EXPECT_NEAR(into.findings[0].severity, 1, 0.2);
  }
}

TEST(StorageCells, OfTwoMountPointsOfOneLastNameBecomeTwoNames) {
  TimeNoise noise(1, 0.02);
  bench::Campaign campaign;
  add_bracket_cells(noise, campaign);
  const std::size_t cells = campaign.cells.size();
  add_bracket_cells(noise, campaign);
  for (std::size_t i = cells; i < campaign.cells.size(); ++i) campaign.cells[i].words[kMountPoint] = "/other/data";
  Calibration into = one_node();
  fit_storage_cells(campaign, "here", into);
  ASSERT_THAT(into.platform.file_systems, SizeIs(2));
  EXPECT_EQ(into.platform.file_systems[0].name, "data");
  EXPECT_EQ(into.platform.file_systems[1].name, "data-2");
  EXPECT_EQ(parse_platform(to_xml(into.platform), "written"), into.platform);
}

}  // namespace
}  // namespace plumbline::hw::calibration
