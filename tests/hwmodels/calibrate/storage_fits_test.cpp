// Times that the models of hwmodels/storage give, with noise, must give the parameters of these models back.
#include <gtest/gtest.h>

#include <cmath>

#include "hwmodels/calibrate/storage/cache_fit.hpp"
#include "hwmodels/calibrate/storage/disk_fit.hpp"
#include "tests/hwmodels/calibrate/storage_truth.hpp"
#include "tests/hwmodels/storage/storage_world.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;
using storage::DeviceAccess;
using storage::kMiB;

Device disk_of(double average, double track, double turn, std::uint64_t close, double rate) {
  Device device;
  HardDisk& disk = device.disk.emplace();
  disk.average_seek.value = duration_from_seconds(average);
  disk.track_to_track.value = duration_from_seconds(track);
  disk.turn.value = duration_from_seconds(turn);
  disk.close = {close};
  disk.rate.value = {static_cast<std::uint64_t>(rate)};
  return device;
}

// As storage_seek measures it. The model takes half a turn for every way; a real head waits for any part of it.
std::vector<DistanceTimes> seek_times(const Device& device, TimeNoise& noise) {
  constexpr std::uint64_t kFile = 1 << 30, kLeast = 64 * 1024;
  const double turn = device.disk ? device.disk->turn.value.seconds() : 0;
  std::vector<DistanceTimes> times;
  for (const std::uint64_t bytes : {std::uint64_t{4096}, kMiB}) {
    storage::DeviceModel model(device, 0);
    sim::EventQueue queue;
    Time now;
    std::uint64_t end = kFile / 2;
    device_seconds(model, queue, now, {{0, 0, storage::Operation::kRead, {end - 4096, 4096}}}, 1);
    for (std::uint64_t distance = 0; distance <= kFile / 8; distance = distance == 0 ? kLeast : 2 * distance) {
      DistanceTimes& of = times.emplace_back();
      of.distance = static_cast<double>(distance);
      of.bytes = static_cast<double>(bytes);
      for (int i = 0; i < 30; ++i) {
        const std::uint64_t way =
            distance == 0 ? 0
                          : std::uniform_int_distribution<std::uint64_t>(distance / 2 + 1, distance)(noise.random());
        const std::uint64_t at = end > kFile / 2 ? end - way : end + way;
        double seconds = device_seconds(model, queue, now, {{0, 0, storage::Operation::kRead, {at, bytes}}}, 1);
        if (way > 0) seconds += turn * (std::uniform_real_distribution<double>()(noise.random()) - 0.5);
        of.seconds.push_back(seconds * noise());
        end = at + bytes;
      }
    }
  }
  return times;
}

void expect_within(double value, double truth, double share, const std::string& what) {
  EXPECT_LE(std::abs(value - truth), share * truth) << what << ": " << value << ", truth " << truth;
}

TEST(SeekClasses, OfADiskComeBackFromTimesByDistance) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    TimeNoise noise(seed, 0.02);
    std::uniform_real_distribution<double> any;
    const double turn = 60.0 / (seed % 3 == 0 ? 5400 : seed % 3 == 1 ? 7200 : 15'000);
    const double track = 0.5e-3 + any(noise.random()) * 1e-3, average = 5e-3 + any(noise.random()) * 6e-3;
    const auto close = static_cast<std::uint64_t>(2e5 * std::pow(40, any(noise.random())));
    const double rate = 50e6 + any(noise.random()) * 200e6;
    const std::vector<DistanceTimes> times = seek_times(disk_of(average, track, turn, close, rate), noise);
    SCOPED_TRACE(testing::Message() << "seed " << seed << " turn " << turn << " close " << close);
    const SeekFit fit = fit_seeks(times);
    ASSERT_TRUE(fit.found);
    expect_within(fit.near_s, turn / 2 + track, 0.20, "near");
    expect_within(fit.far_s, turn / 2 + average, 0.08, "far");
    expect_within(fit.turn_s, turn, 0.25, "turn");
    expect_within(fit.close, static_cast<double>(close), 0.30, "close");
    const HardDisk disk = hard_disk(fit, times, {}, "here");
    expect_within(static_cast<double>(disk.rate.value.count), rate, 0.05, "rate");
    // What the model predicts with it is what counts, and of that the parts are only shares.
    EXPECT_EQ(disk.average_seek.value.ps / 1'000'000, duration_from_seconds(fit.far_s - fit.turn_s / 2).ps / 1'000'000);
  }
}

TEST(SeekClasses, AreNotInventedForADeviceWithoutHeads) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    TimeNoise noise(seed, 0.2);
    Device device;
    Flash& flash = device.flash.emplace();
    flash.read_latency.value = microseconds(80);
    flash.read_rate.value = flash.write_rate.value = {1'000'000'000};
    EXPECT_FALSE(fit_seeks(seek_times(device, noise)).found) << "seed " << seed;
  }
}

TEST(SeekClasses, AreOneWhereAllWaysCostTheSame) {
  TimeNoise noise(3, 0.02);
  const SeekFit fit = fit_seeks(seek_times(disk_of(8e-3, 8e-3, 8e-3, 1'000'000, 1e8), noise));
  ASSERT_TRUE(fit.found);
  EXPECT_EQ(fit.close, 0);
  EXPECT_EQ(fit.near_s, fit.far_s);
}

TEST(SeekClasses, KeepTheirSumsWhereTheTurnDoesNotShow) {
  TimeNoise noise(5, 0.001);
  std::vector<DistanceTimes> times = {{0, 4096, {}}, {65'536, 4096, {}}, {1e8, 4096, {}}};
  for (int i = 0; i < 30; ++i) {
    times[0].seconds.push_back(1e-4 * noise());
    times[1].seconds.push_back(5.1e-3 * noise());
    times[2].seconds.push_back(13.1e-3 * noise());
  }
  const SeekFit fit = fit_seeks(times);
  ASSERT_TRUE(fit.found);
  EXPECT_EQ(fit.turn_s, 0);
  const HardDisk disk = hard_disk(fit, times, {{100'000'000}, 0, "given"}, "here");
  EXPECT_NEAR(disk.track_to_track.value.seconds(), 5e-3, 1e-4);
  EXPECT_NEAR(disk.average_seek.value.seconds(), 13e-3, 1e-4);
  EXPECT_EQ(disk.rate.source, "given") << "one size tells no rate";
}

bench::Cell beside_each_other(const Flash& flash, std::uint32_t threads, TimeNoise& noise) {
  Device device;
  device.flash = flash;
  storage::DeviceModel model(device, 0);
  sim::EventQueue queue;
  Time now;
  std::vector<DeviceAccess> accesses;
  for (std::uint32_t i = 0; i < 8 * threads; ++i)
    accesses.push_back({i, 0, storage::Operation::kRead, {i * 1'000'000ULL, 4096}});
  const double seconds = device_seconds(model, queue, now, accesses, threads);
  bench::Cell cell = storage_cell(kStorageSeek, bench::kDeviceRead, 4096, repeated(seconds, noise));
  cell.numbers[kThreads] = threads;
  cell.numbers[kAccesses] = 8 * threads;
  return cell;
}

ConcurrencyFit concurrency_of(std::uint32_t channels, std::uint32_t most_threads, TimeNoise& noise) {
  Flash flash;
  flash.channels = channels;
  flash.read_latency.value = microseconds(100);
  flash.read_rate.value = {4'000'000'000};
  std::vector<bench::Cell> cells;
  for (std::uint32_t threads = 1; threads <= most_threads; threads *= 2)
    cells.push_back(beside_each_other(flash, threads, noise));
  Cells pointers;
  for (const bench::Cell& cell : cells) pointers.push_back(&cell);
  return fit_concurrency(pointers);
}

TEST(Channels, OfFlashComeBackFromAccessesBesideEachOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const std::uint32_t channels : {1U, 2U, 4U, 8U}) {
      TimeNoise noise(seed, 0.02);
      const ConcurrencyFit fit = concurrency_of(channels, 32, noise);
      EXPECT_EQ(fit.channels, channels) << "seed " << seed;
      EXPECT_FALSE(fit.still_growing) << "seed " << seed;
    }
}

TEST(Channels, ThatWereNotReachedAreSaidToBeMaybeMore) {
  TimeNoise noise(1, 0.02);
  const ConcurrencyFit fit = concurrency_of(64, 8, noise);
  EXPECT_EQ(fit.channels, 8U);
  EXPECT_TRUE(fit.still_growing);
  EXPECT_EQ(fit_concurrency({}).threads, 0U);
}

// One rank writes chunk after chunk to the page cache of its node.
CacheFill filled(std::uint64_t limit, std::uint64_t background, std::uint64_t device_rate, TimeNoise& noise) {
  Platform platform;
  Node& node = platform.nodes.emplace_back();
  node.name = "n0";
  node.memory_rate.value = node.interface_rate.value = {2'000'000'000};
  Server& server = platform.servers.emplace_back();
  server.name = "disk";
  server.device.simple = SimpleDevice{{microseconds(50), 0, ""}, {{device_rate}, 0, ""}};
  server.cache = {CachePolicy::kPageCache, {512 * kMiB}, {4 * kMiB}, 1, Bytes{background}, Bytes{limit}};
  platform.file_systems.resize(1);
  platform.file_systems[0].distribution.servers = {0};
  platform.file_systems[0].distribution.local = true;
  storage::StorageWorld world(platform);
  world.servers().add_file(0, 0, "/f");
  CacheFill fill{1.0 * kMiB, {}};
  Time begin;
  std::uint32_t chunk = 0;
  const auto write = [&](Time now) {
    begin = now;
    const storage::Extent extents[] = {{chunk * kMiB, kMiB}};
    world.servers().access({chunk, 0, 0}, 0, Access::kWrite, extents, now, world.queue());
  };
  write({});
  world.run([&](std::uint32_t, Time now) {
    fill.seconds.push_back((now - begin).seconds() * noise());
    if (++chunk < 160) write(now);
  });
  return fill;
}

TEST(DirtyLimit, ComesBackFromTheChunksOfAGrowingFile) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    TimeNoise noise(seed, 0.05);
    const std::uint64_t limit = (40 + 10 * seed) * kMiB, device_rate = (60 + 30 * seed) * 1'000'000;
    const CacheFit fit = fit_cache(filled(limit, limit / 2, device_rate, noise), static_cast<double>(limit / 2));
    ASSERT_TRUE(fit.dirty_limit) << "seed " << seed;
    expect_within(*fit.dirty_limit, static_cast<double>(limit), 0.15, "limit");
    expect_within(fit.rate_beyond, static_cast<double>(device_rate), 0.15, "rate beyond");
    EXPECT_LT(fit.spread, 0.3);
  }
}

TEST(DirtyLimit, IsNotInventedWhereWritersDidNotWait) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    TimeNoise noise(seed, 0.1);
    const CacheFit fit = fit_cache(filled(400 * kMiB, 200 * kMiB, 100'000'000, noise), std::nullopt);
    EXPECT_FALSE(fit.dirty_limit) << "seed " << seed;
    EXPECT_EQ(fit.written, 160.0 * kMiB);
    EXPECT_GT(fit.rate, 2e8);
  }
  EXPECT_FALSE(fit_cache({1e6, {}}, {}).dirty_limit);
  EXPECT_FALSE(fit_cache({1e6, {1, 1, 1, 9, 9, 9}}, {}).dirty_limit) << "too few to tell";
}

}  // namespace
}  // namespace plumbline::hw::calibration
