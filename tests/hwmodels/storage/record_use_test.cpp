// What is kept of file servers: against a calculation by hand, and against what the models count themselves.

#include "hwmodels/storage/record_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "sim/random.hpp"
#include "storage_world.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::storage {
namespace {

// Two nodes and a cable: every component serves 1 B in 1 ns. One server on n1, with 100 us of CPU for each request and
// a disk of 50 us and 1 B/ns.
Platform one_server_over_a_cable() {
  return parse_platform(R"(<platform version="1">
    <node name="n0" memory-rate="1GB/s" interface-rate="1GB/s"/> <node name="n1" memory-rate="1GB/s" interface-rate="1GB/s"/>
    <edge from="n0" to="n1" latency="10us" rate="1GB/s"/>
    <inside> <range protocol="eager" send="0" receive="0" latency="0"/> </inside>
    <between> <range protocol="eager" send="0" receive="0" latency="0"/> </between>
    <server name="d0" node="n1" request="100us"> <device latency="50us" rate="1GB/s"/> <cache policy="write-behind"/> </server>
    <filesystem name="fs"> <path prefix="/"/> <distribution servers="d0"/> </filesystem>
  </platform>)",
                        "test.xml");
}

// Two clients on n0 write 1000 B each at 0: request, request, data, data. Of z bytes a packet takes 3 · (z + 40) ns and
// 10 us over three components; on the way the first components queue: at n0 requests end at 68 and 136 ns, and data
// follows its request: the first request is served from 0, so its data enters behind the second request. All four are
// at n1 at about 12 us.
TEST(RecordUse, SamplesAreWhatACalculationByHandSays) {
  const Platform platform = one_server_over_a_cable();
  StorageWorld world(platform);
  StorageRecord record;
  const std::vector<std::string> files = {"/f"};
  begin_record(platform.servers, files, Time{}, microseconds(50), record);
  world.watch([&](Time now) { sample_use(world.servers(), now, record); });
  world.servers().add_file(0, 0, "/f");
  const Extent first[] = {{0, 1000}}, second[] = {{5000, 1000}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, first, Time{}, world.queue());
  world.servers().access({1, 0, 1}, 0, Access::kWrite, second, Time{}, world.queue());
  world.run();
  end_record(world.servers(), world.end(), record);

  EXPECT_EQ(record.devices, (std::vector<std::string>{"d0 device"}));
  // The first request is there at 3 · 68 ns + 10 us.
  const Duration arrives = nanoseconds(204) + microseconds(10);
  const auto at_step = [](const auto& history, std::uint32_t step) {
    auto found = history->of(0).front();
    for (const auto& point : history->of(0))
      if (point.step <= step) found = point;
    return found.use;
  };
  const ServerSample at_50 = at_step(record.server_use, 0), at_150 = at_step(record.server_use, 2);
  EXPECT_EQ(at_50.busy, microseconds(50) - arrives);
  EXPECT_EQ(at_50.waiting, 2U);
  EXPECT_EQ(at_50.requests, 2U);
  EXPECT_EQ(at_50.written, Bytes{2000});
  EXPECT_EQ(at_50.read, Bytes{});
  EXPECT_EQ(at_150.busy, microseconds(150) - arrives);
  EXPECT_EQ(at_150.waiting, 1U);
  const DeviceSample device_at_50 = at_step(record.device_use, 0), device_at_100 = at_step(record.device_use, 1);
  EXPECT_EQ(device_at_50.waiting, 1U) << "the cache gives it one at a time";
  EXPECT_EQ(device_at_50.written, Bytes{}) << "the first access takes 51 us and began after 10 us";
  EXPECT_EQ(device_at_100.written, Bytes{1000});
  EXPECT_EQ(at_step(record.cache_use, 0).waiting, 1U);
  EXPECT_EQ(at_step(record.cache_use, 0).used, Bytes{2000});
  EXPECT_EQ(at_step(record.cache_use, 1).used, Bytes{1000});

  const ServerSample server = record.server_use->of(0).back().use;
  const DeviceSample device = record.device_use->of(0).back().use;
  EXPECT_EQ(server.busy, microseconds(200));
  EXPECT_EQ(server.waiting, 0U);
  EXPECT_EQ(device.busy, microseconds(2 * 51));
  EXPECT_EQ(device.accesses, 2U);
  EXPECT_EQ(device.written, Bytes{2000});
  EXPECT_EQ(device.seeks, 0U) << "it is no hard disk";
}

TEST(RecordUse, AccessesAreNotedWithTheirPlaceAndTheirTimes) {
  const Platform platform = one_server_over_a_cable();
  StorageWorld world(platform);
  StorageRecord record;
  const std::vector<std::string> files = {"/f"};
  begin_record(platform.servers, files, Time{}, microseconds(50), record);
  world.servers().log_accesses(2);
  world.servers().add_file(0, 0, "/f");
  const Extent pieces[] = {{0, 1000}, {5000, 500}, {9000, 10}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, pieces, Time{}, world.queue());
  world.run();
  end_record(world.servers(), world.end(), record);

  ASSERT_EQ(record.accesses.size(), 1U);
  const AccessLog& log = record.accesses[0];
  EXPECT_EQ(log.left_out, 1U);
  ASSERT_EQ(log.accesses.size(), 2U);
  // One request of 20 + 3 · 8 B, then 1510 B of data behind it, all to the cache at once. The disk is given one at a
  // time: the second when the first is done.
  const Time data = Time{} + nanoseconds(84 + 3 * 1550) + microseconds(10);
  const LoggedAccess& first = log.accesses[0];
  EXPECT_EQ(first.given, data);
  EXPECT_EQ(first.begun, data);
  EXPECT_EQ(first.done, data + microseconds(51));
  EXPECT_EQ(first.offset, 0U);
  EXPECT_EQ(first.bytes, 1000U);
  EXPECT_EQ(first.action, DeviceAction::kWrite);
  const LoggedAccess& second = log.accesses[1];
  EXPECT_EQ(second.given, first.done);
  EXPECT_EQ(second.done, second.begun + nanoseconds(50'500));
  EXPECT_EQ(second.offset, 5000U);
}

TEST(RecordUse, NothingIsNotedThatWasNotAskedFor) {
  const Platform platform = one_server_over_a_cable();
  StorageWorld world(platform);
  StorageRecord record;
  world.servers().add_file(0, 0, "/f");
  const Extent extents[] = {{0, 1000}};
  world.servers().access({0, 0, 0}, 0, Access::kWrite, extents, Time{}, world.queue());
  world.watch([&](Time now) { sample_use(world.servers(), now, record); });
  world.run();
  end_record(world.servers(), world.end(), record);
  EXPECT_FALSE(record.server_use.has_value());
  EXPECT_TRUE(record.accesses.empty());
  EXPECT_EQ(world.servers().server(0).device().log(), nullptr);
}

// Over random calls on cluster.xml, whatever the policy: the last samples are what the models count, the log adds up to
// it, sums never fall, nobody is busy for longer than the time that has passed.
TEST(RecordUse, SamplesAndLogAgreeWithWhatTheModelsCount) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "record use");
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    Platform platform = read_platform(PLUMBLINE_STORAGE_TESTS "/cluster.xml");
    for (Server& server : platform.servers) server.cache.policy = static_cast<CachePolicy>(random.below(6));
    StorageWorld world(platform);
    StorageRecord record;
    const std::vector<std::string> files = {"/pvfs/a", "/pvfs/b"};
    begin_record(platform.servers, files, Time{}, microseconds(static_cast<std::int64_t>(1 + random.below(500))),
                 record);
    world.servers().log_accesses(100'000);
    world.watch([&](Time now) { sample_use(world.servers(), now, record); });
    for (std::uint32_t file = 0; file < 2; ++file) world.servers().add_file(file, 0, files[file]);
    std::uint64_t written = 0, read = 0;
    for (std::uint32_t call = 0; call < 12; ++call) {
      const auto rank = static_cast<std::uint32_t>(random.below(4)), file = static_cast<std::uint32_t>(random.below(2));
      const Time now = Time{} + microseconds(static_cast<std::int64_t>(random.below(3'000)));
      const Extent extents[] = {{random.below(1 << 20), 1 + random.below(300'000)}};
      const bool writes = random.below(2) == 0;
      (writes ? written : read) += extents[0].length;
      world.servers().access({call, rank % 2, rank}, file, writes ? Access::kWrite : Access::kRead, extents, now,
                             world.queue());
    }
    world.servers().sync({12, 0, 0}, 0, Time{} + milliseconds(4), world.queue());
    world.run();
    end_record(world.servers(), world.end(), record);

    std::uint64_t taken = 0, asked = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      SCOPED_TRACE(i);
      const DeviceUse& device = world.servers().server(i).device_use();
      DeviceSample last;
      for (const StepPoint<DeviceSample>& point : record.device_use->of(i)) {
        EXPECT_GE(point.use.busy, last.busy);
        EXPECT_GE(point.use.accesses, last.accesses);
        EXPECT_LE(point.use.busy, record.device_use->end_of(point.step) - Time{});
        last = point.use;
      }
      EXPECT_EQ(last.busy, device.busy);
      EXPECT_EQ(last.written, device.written);
      EXPECT_EQ(last.read, device.read);
      EXPECT_EQ(last.waiting, 0U);
      Bytes logged_writes, logged_reads;
      Time given;
      for (const LoggedAccess& access : record.accesses[i].accesses) {
        EXPECT_LE(given, access.given);
        EXPECT_LE(access.given, access.begun);
        EXPECT_LE(access.begun, access.done);
        given = access.given;
        if (access.action == DeviceAction::kWrite) logged_writes += {access.bytes};
        if (access.action == DeviceAction::kRead) logged_reads += {access.bytes};
      }
      EXPECT_EQ(record.accesses[i].accesses.size(), device.reads + device.writes + device.flushes);
      EXPECT_EQ(logged_writes, device.written);
      EXPECT_EQ(logged_reads, device.read);
      if (record.server_use->of(i).empty()) continue;
      const ServerSample server = record.server_use->of(i).back().use;
      EXPECT_EQ(server.busy, world.servers().server(i).use().cpu_busy);
      EXPECT_EQ(server.held, world.servers().server(i).use().held);
      EXPECT_EQ(server.waiting, 0U);
      taken += server.written.count;
      asked += server.read.count;
    }
    EXPECT_EQ(taken, written);
    EXPECT_EQ(asked, read);
  }
}

}  // namespace
}  // namespace plumbline::hw::storage
