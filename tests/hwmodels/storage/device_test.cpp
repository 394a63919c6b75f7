#include "hwmodels/storage/device.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "storage_world.hpp"

namespace plumbline::hw::storage {
namespace {

Time us(std::int64_t n) { return Time{} + microseconds(n); }

// Half a turn is 4 ms; 1 B in 1 ns.
HardDisk disk() {
  HardDisk result;
  result.average_seek.value = milliseconds(9);
  result.track_to_track.value = milliseconds(1);
  result.turn.value = milliseconds(8);
  result.close = {1'000'000};
  result.rate.value = {1'000'000'000};
  return result;
}

TEST(HardDisk, TheClassOfAnAccessFollowsFromWhereTheLastOneEnded) {
  const HeadPosition head{3, 5'000'000};
  EXPECT_EQ(seek_class(disk(), head, 3, 5'000'000), SeekClass::kContiguous);
  EXPECT_EQ(seek_class(disk(), head, 3, 5'999'999), SeekClass::kShort);
  EXPECT_EQ(seek_class(disk(), head, 3, 4'000'001), SeekClass::kShort);
  EXPECT_EQ(seek_class(disk(), head, 3, 6'000'000), SeekClass::kAverage);
  EXPECT_EQ(seek_class(disk(), head, 3, 4'000'000), SeekClass::kAverage);
  EXPECT_EQ(seek_class(disk(), head, 4, 5'000'000), SeekClass::kAverage) << "another file";
  EXPECT_EQ(seek_class(disk(), {}, 0, 0), SeekClass::kAverage) << "the first access of all";
}

TEST(HardDisk, ASeekCostsHalfATurnAndTheWayOfTheHead) {
  EXPECT_EQ(access_time(disk(), SeekClass::kContiguous, {1'000}), microseconds(1));
  EXPECT_EQ(access_time(disk(), SeekClass::kShort, {1'000}), microseconds(4'000 + 1'000 + 1));
  EXPECT_EQ(access_time(disk(), SeekClass::kAverage, {1'000}), microseconds(4'000 + 9'000 + 1));
}

DeviceAccess access(std::uint32_t id, std::uint32_t file, std::uint64_t offset,
                    Operation operation = Operation::kWrite) {
  return {id, file, operation, {offset, operation == Operation::kFlush ? 0U : 10U}};
}

TEST(HardDisk, TheElevatorGoesUpwardInItsFileThenFlushesItThenTakesWhatHasWaitedLongest) {
  Elevator elevator;
  elevator.add(access(0, 2, 0));
  elevator.add(access(1, 1, 90));
  elevator.add(access(2, 1, 0, Operation::kFlush));
  elevator.add(access(3, 1, 40));  // behind the head
  elevator.add(access(4, 1, 60));
  elevator.add(access(5, 1, 50));
  std::vector<std::uint32_t> order;
  HeadPosition head{1, 50};
  while (!elevator.empty()) {
    const DeviceAccess taken = elevator.take(head);
    order.push_back(taken.id);
    if (taken.operation != Operation::kFlush) head = {taken.file, taken.extent.end()};
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{5, 4, 1, 2, 0, 3}));
}

using Done = std::vector<std::pair<std::uint32_t, Time>>;

// All given at the start.
Done run(DeviceModel& device, const std::vector<DeviceAccess>& accesses) {
  sim::EventQueue queue;
  for (const DeviceAccess& a : accesses) device.submit(a, Time{}, queue);
  Done done;
  while (!queue.empty()) {
    const sim::Event event = queue.pop();
    if (const auto id = device.handle(event, queue)) done.emplace_back(*id, event.at);
  }
  return done;
}

TEST(Devices, ADiskServesOneAccessAtATimeAndCountsWhatItDid) {
  Device parameters;
  parameters.disk = disk();
  DeviceModel device(parameters, 7);
  const Done done = run(device, {{10, 0, Operation::kWrite, {0, 1'000}},
                                 {11, 0, Operation::kRead, {1'000, 2'000}},
                                 {12, 0, Operation::kWrite, {10'000, 1'000}},
                                 {13, 0, Operation::kFlush, {}}});
  EXPECT_EQ(done, (Done{{10, us(13'001)}, {11, us(13'003)}, {12, us(18'004)}, {13, us(18'004)}}));
  EXPECT_EQ(device.use().seeks, (std::array<std::uint64_t, 3>{1, 1, 1}));
  EXPECT_EQ(device.use().written, Bytes{2'000});
  EXPECT_EQ(device.use().read, Bytes{2'000});
  EXPECT_EQ(device.use().flushes, 1U);
  EXPECT_EQ(device.use().busy, microseconds(18'004));
  EXPECT_EQ(device.use().accesses.most(), 4);
}

// Reads: 100 us, then 1 B/ns. Writes: 50 us, then 0.5 B/ns.
Device flash(std::uint32_t channels) {
  Device device;
  device.flash = Flash{};
  device.flash->read_latency.value = microseconds(100);
  device.flash->write_latency.value = microseconds(50);
  device.flash->read_rate.value = {1'000'000'000};
  device.flash->write_rate.value = {500'000'000};
  device.flash->channels = channels;
  return device;
}

TEST(Devices, OneAccessToFlashTakesItsLatencyAndItsBytes) {
  DeviceModel read(flash(4), 0), write(flash(4), 0);
  EXPECT_EQ(run(read, {{0, 0, Operation::kRead, {0, 10'000}}}), (Done{{0, us(110)}}));
  EXPECT_EQ(run(write, {{0, 0, Operation::kWrite, {0, 10'000}}}), (Done{{0, us(70)}}));
}

TEST(Devices, ChannelsOfFlashWaitBesideEachOtherAndTransferOneAfterAnother) {
  DeviceModel device(flash(2), 0);
  std::vector<DeviceAccess> reads;
  for (std::uint32_t i = 0; i < 3; ++i) reads.push_back({i, 0, Operation::kRead, {0, 30'000}});
  EXPECT_EQ(run(device, reads), (Done{{0, us(130)}, {1, us(160)}, {2, us(130 + 130)}}));
}

TEST(Devices, ManyChannelsOfFlashReachItsRateAndNotMore) {
  DeviceModel device(flash(64), 0);
  std::vector<DeviceAccess> reads;
  for (std::uint32_t i = 0; i < 1'000; ++i) reads.push_back({i, 0, Operation::kRead, {0, 10'000}});
  EXPECT_EQ(run(device, reads).back().second, us(100 + 1'000 * 10));
}

TEST(Devices, ASimpleDeviceTakesItsLatencyAndItsBytesOneAfterAnother) {
  Device parameters;
  parameters.simple = SimpleDevice{{microseconds(5), 0, ""}, {{1'000'000'000}, 0, ""}};
  DeviceModel device(parameters, 0);
  EXPECT_EQ(run(device, {{0, 0, Operation::kRead, {0, 1'000}}, {1, 1, Operation::kWrite, {9, 2'000}}}),
            (Done{{0, us(6)}, {1, us(13)}}));
}

}  // namespace
}  // namespace plumbline::hw::storage
