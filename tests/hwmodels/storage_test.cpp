#include "hwmodels/storage/storage.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace plumbline::hw {
namespace {

AccessCost cost(Duration call, std::uint64_t bytes_per_second) { return {{call, 0, ""}, {{bytes_per_second}, 0, ""}}; }

// Cached 1 us + 1 B/ns to write and 2 B/ns to read; device 100 us + 0.1 and 0.2 B/ns.
FileSystem example() {
  FileSystem fs;
  fs.name = "local";
  fs.paths = {"/"};
  fs.cached_write = cost(microseconds(1), 1'000'000'000);
  fs.cached_read = cost(microseconds(1), 2'000'000'000);
  fs.device_write = cost(microseconds(100), 100'000'000);
  fs.device_read = cost(microseconds(100), 200'000'000);
  fs.open.value = microseconds(5);
  fs.close.value = microseconds(2);
  fs.sync.value = microseconds(50);
  return fs;
}

Time us(std::int64_t n) { return Time{} + microseconds(n); }

TEST(Storage, ACachedAccessCostsItsCallAndItsBytes) {
  const std::vector<FileSystem> fs{example()};
  Storage storage(fs, CacheCase::kCached);
  EXPECT_EQ(storage.access(0, 0, Access::kWrite, {10'000}, us(7)), us(7 + 1 + 10));
  EXPECT_EQ(storage.access(0, 0, Access::kRead, {10'000}, us(7)), us(7 + 1 + 5));
  EXPECT_EQ(storage.access(0, 0, Access::kRead, {0}, us(7)), us(7 + 1));
}

TEST(Storage, CachedAccessesRunBesideEachOther) {
  const std::vector<FileSystem> fs{example()};
  Storage storage(fs, CacheCase::kCached);
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(storage.access(0, 0, Access::kWrite, {10'000}, us(0)), us(11));
}

// Of 1 us + 10 us, 0.6 + 10 us with the lock: 0.4 us and 10.6 us for each of those before.
TEST(Storage, CachedWritesToOneFileWaitForEachOthersExclusivePart) {
  FileSystem locked = example();
  locked.exclusive_write = {nanoseconds(600), 0, ""};
  const std::vector<FileSystem> fs{locked};
  Storage storage(fs, CacheCase::kCached);
  for (int rank = 1; rank <= 4; ++rank)
    EXPECT_EQ(storage.access(0, 3, Access::kWrite, {10'000}, us(0)), Time{} + nanoseconds(400 + rank * 10'600));
  EXPECT_EQ(storage.access(0, 2, Access::kWrite, {10'000}, us(0)), us(11)) << "another file";
  EXPECT_EQ(storage.access(0, 3, Access::kRead, {10'000}, us(0)), us(6)) << "reads take no exclusive lock";
  EXPECT_EQ(storage.access(0, 3, Access::kWrite, {10'000}, us(100)), us(111)) << "nobody has it then";
}

TEST(Storage, TheDeviceServesOneAfterAnother) {
  const std::vector<FileSystem> fs{example()};
  Storage storage(fs, CacheCase::kDevice);
  EXPECT_EQ(storage.access(0, 0, Access::kWrite, {10'000}, us(0)), us(200));
  EXPECT_EQ(storage.access(0, 0, Access::kRead, {10'000}, us(50)), us(200 + 150));
  EXPECT_EQ(storage.access(0, 0, Access::kRead, {10'000}, us(1'000)), us(1'000 + 150));  // idle in between
}

TEST(Storage, EachFileSystemHasADeviceOfItsOwn) {
  const std::vector<FileSystem> fs{example(), example()};
  Storage storage(fs, CacheCase::kDevice);
  EXPECT_EQ(storage.access(0, 0, Access::kWrite, {10'000}, us(0)), us(200));
  EXPECT_EQ(storage.access(1, 0, Access::kWrite, {10'000}, us(0)), us(200));
}

// 10 kB at 100 MB/s: 100 us.
TEST(Storage, SyncCostsItselfInTheCacheAndAllDirtyDataOnTheDevice) {
  const std::vector<FileSystem> fs{example()};
  Storage device(fs, CacheCase::kDevice), cached(fs, CacheCase::kCached);
  device.access(0, 0, Access::kWrite, {10'000}, us(0));
  cached.access(0, 0, Access::kWrite, {10'000}, us(0));
  EXPECT_EQ(device.sync(0, us(20)), us(200 + 100 + 50)) << "after the access, the data, its own cost";
  EXPECT_EQ(device.sync(0, us(300)), us(300 + 50)) << "nothing is dirty any more";
  EXPECT_EQ(cached.sync(0, us(20)), us(20 + 50));
}

TEST(Storage, OpenAndCloseCostTheirOwnTime) {
  const std::vector<FileSystem> fs{example()};
  for (const CacheCase cache : {CacheCase::kCached, CacheCase::kDevice}) {
    const Storage storage(fs, cache);
    EXPECT_EQ(storage.open(0, us(10)), us(15));
    EXPECT_EQ(storage.close(0, us(10)), us(12));
  }
}

TEST(Storage, TheDeviceIsNeverFasterThanTheCacheWhenItsCostsAreHigher) {
  for (const std::uint64_t size : {0U, 1U, 4'096U, 1'000'000U})
    for (const Access kind : {Access::kRead, Access::kWrite})
      EXPECT_GE(access_time(example(), kind, CacheCase::kDevice, {size}),
                access_time(example(), kind, CacheCase::kCached, {size}));
}

}  // namespace
}  // namespace plumbline::hw
