// One test for each line of the table in docs/models/server-caches.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "hwmodels/storage/cache_model.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::storage {
namespace {

// Memory of 1000 B, accesses of at most 100 B, one at a time.
CacheModel cache(CachePolicy policy, std::uint64_t memory = 1'000, std::uint32_t concurrent = 1) {
  return CacheModel(ServerCache{policy, {memory}, {100}, concurrent, {}, {}});
}

struct Seen {
  Operation operation;
  std::uint32_t file;
  Extent extent;
  bool operator==(const Seen&) const = default;
};
Seen wrote(std::uint64_t offset, std::uint64_t length, std::uint32_t file = 0) {
  return {Operation::kWrite, file, {offset, length}};
}
Seen read(std::uint64_t offset, std::uint64_t length, std::uint32_t file = 0) {
  return {Operation::kRead, file, {offset, length}};
}
Seen flushed(std::uint32_t file = 0) { return {Operation::kFlush, file, {}}; }

// Does one access after another until there is none; memory of reads is given back at once.
std::vector<Seen> drain(CacheModel& cache) {
  std::vector<Seen> seen;
  std::vector<Served> served;
  while (const auto access = cache.next(false)) {
    seen.push_back({access->operation, access->file, access->extent});
    served.clear();
    cache.done(access->id, served);
    for (const Served& each : served) cache.release(each.bytes);
  }
  return seen;
}

using All = std::vector<Seen>;

TEST(CacheNone, TakesOnePacketAtATime) {
  CacheModel c = cache(CachePolicy::kNone);
  EXPECT_TRUE(c.accepts({100}));
  c.write(0, {0, 50});
  EXPECT_FALSE(c.accepts({1})) << "one waits";
  const auto access = c.next(false);
  EXPECT_FALSE(c.accepts({1})) << "one is being written";
  std::vector<Served> served;
  c.done(access->id, served);
  EXPECT_TRUE(c.accepts({100}));
}

TEST(CacheNone, ReadsGoBeforeWritesInTheOrderOfArrivalAndNothingIsMerged) {
  CacheModel c = cache(CachePolicy::kNone);
  c.write(0, {0, 50});
  c.read(1, 0, {50, 50});
  c.read(2, 0, {0, 50});
  EXPECT_EQ(drain(c), (All{read(50, 50), read(0, 50), wrote(0, 50)}));
}

TEST(CacheWriteBehind, TakesPacketsAsLongAsThereIsMemoryAndFreesItWhenTheyAreOnDisk) {
  CacheModel c = cache(CachePolicy::kWriteBehind);
  for (std::uint64_t i = 0; i < 10; ++i) c.write(0, {900 - 100 * i, 100});
  EXPECT_FALSE(c.accepts({1}));
  const auto access = c.next(false);
  EXPECT_FALSE(c.accepts({1}));
  std::vector<Served> served;
  c.done(access->id, served);
  EXPECT_TRUE(c.accepts({100}));
  EXPECT_FALSE(c.accepts({101}));
  EXPECT_EQ(drain(c).size(), 9U);
  EXPECT_EQ(c.free_memory(), 1'000);
}

TEST(CacheWriteBehind, AReadWaitsForMemoryAndWritesGoOn) {
  CacheModel c = cache(CachePolicy::kWriteBehind);
  for (std::uint64_t i = 0; i < 19; ++i) c.write(0, {i * 50, 50});
  c.read(1, 0, {5'000, 100});  // 50 B are free
  EXPECT_EQ(c.next(false)->extent, (Extent{0, 50}));
}

TEST(CacheAggregation, MergesTheOldestWithWhatTouchesItInBothDirectionsUpToTheGranularity) {
  CacheModel c = cache(CachePolicy::kAggregation);
  for (const std::uint64_t offset : {40U, 80U, 20U, 60U, 0U, 100U}) c.write(0, {offset, 20});
  EXPECT_EQ(drain(c), (All{wrote(0, 100), wrote(100, 20)})) << "40 with 20, 60, 80, 0; then it is full";
}

TEST(CacheAggregation, OfTwoNeighboursTheOlderOneIsMergedFirst) {
  CacheModel c = cache(CachePolicy::kAggregation);
  c.write(0, {100, 50});
  c.write(0, {50, 50});
  c.write(0, {150, 50});
  EXPECT_EQ(drain(c), (All{wrote(50, 100), wrote(150, 50)}));
}

TEST(CacheAggregation, MergesNeitherOtherFilesNorReadsWithWritesNorWhatDoesNotTouch) {
  CacheModel c = cache(CachePolicy::kAggregation);
  c.write(0, {0, 10});
  c.write(1, {10, 10});
  c.write(0, {21, 10});
  c.read(1, 0, {10, 10});
  EXPECT_EQ(drain(c), (All{read(10, 10), wrote(0, 10), wrote(10, 10, 1), wrote(21, 10)}));
}

TEST(CacheAggregation, ReadsGoFirstWhileOneGranularityOfMemoryIsFree) {
  CacheModel c = cache(CachePolicy::kAggregation);
  for (std::uint64_t i = 0; i < 10; ++i) c.write(0, {i * 200, 91});  // 90 B are free
  c.read(1, 0, {50'000, 10});
  EXPECT_EQ(c.next(false)->operation, Operation::kWrite);
}

TEST(CacheAggregation, OneAccessServesAllReadsThatItHolds) {
  CacheModel c = cache(CachePolicy::kAggregation);
  c.read(1, 0, {0, 40});
  c.read(2, 0, {0, 40});
  c.read(3, 0, {40, 40});
  std::vector<Served> served;
  const auto access = c.next(false);
  EXPECT_EQ(access->extent, (Extent{0, 80}));
  c.done(access->id, served);
  ASSERT_EQ(served.size(), 3U);
  EXPECT_EQ(c.free_memory(), 1'000 - 120) << "the answer to each takes memory";
}

TEST(CacheReorder, TakesTheLowestOffsetOfTheLastFileAndMergesUpwardOnly) {
  CacheModel c = cache(CachePolicy::kAggregationReorder);
  c.write(1, {0, 10});
  EXPECT_EQ(drain(c), (All{wrote(0, 10, 1)}));
  c.write(0, {0, 10});
  c.write(1, {50, 10});
  c.write(1, {30, 10});
  c.write(1, {40, 10});
  EXPECT_EQ(drain(c), (All{wrote(30, 30, 1), wrote(0, 10, 0)}));
}

TEST(CacheReorder, StaysWithReadsThenDrainsAllWritesThenFlushesThenReadsAgain) {
  CacheModel c = cache(CachePolicy::kAggregationReorder);
  std::vector<Served> served;
  c.read(1, 0, {0, 10});
  c.read(2, 0, {50, 10});
  c.write(0, {100, 10});
  c.write(0, {200, 10});
  c.flush(3, 0);
  c.flush(4, 0);
  All seen;
  for (int i = 0; const auto access = c.next(false); ++i) {
    seen.push_back({access->operation, access->file, access->extent});
    c.done(access->id, served);
    if (i == 2) c.read(5, 0, {300, 10});  // while it writes
  }
  EXPECT_EQ(seen, (All{read(0, 10), read(50, 10), wrote(100, 10), wrote(200, 10), flushed(), read(300, 10)}))
      << "both flushes are one";
}

TEST(CacheDirected, NewerDataReplacesOlderAndItsMemoryIsFree) {
  CacheModel c = cache(CachePolicy::kServerDirected);
  c.write(0, {0, 60});
  c.write(0, {40, 40});
  EXPECT_EQ(c.free_memory(), 1'000 - 80);
  c.write(0, {80, 10});
  EXPECT_EQ(drain(c), (All{wrote(0, 90)})) << "and what is adjacent is one";
  EXPECT_EQ(c.free_memory(), 1'000);
}

TEST(CacheDirected, ServesTheFileWithMostBytesUnlessTheLastOneHasATenthOfThem) {
  CacheModel c = cache(CachePolicy::kServerDirected);
  c.write(0, {0, 30});
  c.write(1, {0, 31});
  EXPECT_EQ(drain(c), (All{wrote(0, 31, 1), wrote(0, 30, 0)}));
  c.write(0, {1'000, 3});
  c.write(1, {1'000, 29});
  EXPECT_EQ(drain(c), (All{wrote(1'000, 3, 0), wrote(1'000, 29, 1)})) << "ten times 3 is more than 29";
}

TEST(CacheDirected, TakesTheLowestThatIsNearToTheLastAccessElseTheLargest) {
  CacheModel c = cache(CachePolicy::kServerDirected);
  constexpr std::uint64_t kFar = 100 * kMebi;
  c.write(0, {kFar, 20});
  c.write(0, {2 * kFar, 30});
  c.write(0, {kFar + 4 * kMebi, 10});
  EXPECT_EQ(drain(c), (All{wrote(2 * kFar, 30), wrote(kFar, 20), wrote(kFar + 4 * kMebi, 10)}));
}

// Memory of 1000 B, written back from 300 B of dirty data on, writers wait at 500 B.
CacheModel page_cache() {
  ServerCache parameters{CachePolicy::kPageCache, {1'000}, {100}, 1, Bytes{300}, Bytes{500}};
  return CacheModel(parameters);
}

TEST(PageCache, WhatWasWrittenOrReadIsServedAtOnce) {
  CacheModel c = page_cache();
  c.write(0, {0, 100});
  EXPECT_EQ(c.read(1, 0, {20, 50}), Bytes{50});
  EXPECT_EQ(c.read(2, 0, {80, 50}), Bytes{20});
  EXPECT_EQ(drain(c), (All{read(100, 30)}));
  EXPECT_EQ(c.read(3, 0, {80, 50}), Bytes{50});
  EXPECT_EQ(c.read(4, 1, {0, 10}), Bytes{0}) << "another file";
}

TEST(PageCache, IsWrittenBackFromTheBackgroundLimitOnAndDownToIt) {
  CacheModel c = page_cache();
  c.write(0, {0, 290});
  EXPECT_EQ(drain(c), All{});
  c.write(0, {290, 60});
  EXPECT_EQ(drain(c), (All{wrote(0, 100)})) << "350 are dirty, then 250";
  EXPECT_EQ(c.free_memory(), 250);
}

TEST(PageCache, WritersWaitAtTheLimitOfDirtyData) {
  CacheModel c = page_cache();
  c.write(0, {0, 450});
  EXPECT_FALSE(c.accepts({51}));
  c.write(0, {0, 450});
  EXPECT_TRUE(c.accepts({50})) << "what is written again is dirty once";
}

TEST(PageCache, AFlushWritesAllThatIsDirtyOfItsFile) {
  CacheModel c = page_cache();
  c.write(0, {0, 150});
  c.write(1, {0, 50});
  c.flush(1, 0);
  EXPECT_EQ(drain(c), (All{wrote(0, 100), wrote(100, 50), flushed()}));
  EXPECT_EQ(c.free_memory(), 450);
}

TEST(PageCache, WritesBackBelowTheLimitWhenAWriterCouldNotGoOnOtherwise) {
  CacheModel c = page_cache();
  c.write(0, {0, 250});
  EXPECT_FALSE(c.accepts({300}));
  EXPECT_FALSE(c.next(false));
  EXPECT_TRUE(c.next(true));
}

TEST(ResidentSet, WhatWasUsedLongestAgoGivesWay) {
  std::pmr::unsynchronized_pool_resource memory;
  ResidentSet set({300}, {100}, memory);
  for (const std::uint64_t offset : {0U, 1'000U, 2'000U}) set.insert(0, {offset, 100});
  EXPECT_TRUE(set.find(0, {0, 1}).here);
  set.insert(0, {3'000, 100});
  EXPECT_TRUE(set.find(0, {0, 1}).here);
  EXPECT_FALSE(set.find(0, {1'000, 1}).here);
  EXPECT_EQ(set.size(), Bytes{300});
}

TEST(ResidentSet, HoldsWhatASetOfBytesHolds) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "resident set");
  std::pmr::unsynchronized_pool_resource memory;
  ResidentSet set({1'000'000}, {50}, memory);
  std::set<std::pair<std::uint32_t, std::uint64_t>> bytes;
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t file = static_cast<std::uint32_t>(random.below(2));
    const Extent extent{random.below(1'000), 1 + random.below(40)};
    if (random.below(2) == 0) {
      set.insert(file, extent);
      for (std::uint64_t b = extent.offset; b < extent.end(); ++b) bytes.emplace(file, b);
    }
    const ResidentSet::Found found = set.find(file, extent);
    ASSERT_GT(found.length, 0U);
    for (std::uint64_t b = 0; b < found.length; ++b)
      ASSERT_EQ(bytes.count({file, extent.offset + b}), found.here ? 1U : 0U);
    ASSERT_EQ(set.size().count, bytes.size());
  }
}

class AnyCache : public testing::TestWithParam<CachePolicy> {};

TEST_P(AnyCache, AFlushWaitsForWhatWasWrittenBefore) {
  CacheModel c = cache(GetParam(), 1'000, 2);
  std::vector<Served> served;
  c.write(0, {0, 50});
  const auto write = c.next(false);
  c.flush(7, 0);
  EXPECT_FALSE(c.next(false)) << "the write is under way";
  c.done(write->id, served);
  EXPECT_TRUE(served.empty());
  const auto flush = c.next(false);
  ASSERT_TRUE(flush);
  EXPECT_EQ(flush->operation, Operation::kFlush);
  c.done(flush->id, served);
  ASSERT_EQ(served.size(), 1U);
  EXPECT_EQ(served[0].portion, 7U);
}

TEST_P(AnyCache, ALongReadIsOneJobAndIsGivenInPieces) {
  CacheModel c = cache(GetParam());
  c.read(1, 0, {0, std::uint64_t{1} << 40});
  EXPECT_EQ(c.waiting(), 1U);
  EXPECT_EQ(c.next(false)->extent, (Extent{0, 100}));
  EXPECT_EQ(c.waiting(), 1U);
}

TEST_P(AnyCache, OnlyAnOverdraftServesAReadThatMemoryIsMissingFor) {
  CacheModel c = cache(GetParam(), 100);
  std::vector<Served> served;
  c.read(1, 0, {0, 100});
  c.read(2, 0, {1'000, 100});
  c.done(c.next(false)->id, served);  // and its data stays
  EXPECT_FALSE(c.next(false));
  EXPECT_EQ(c.next(true)->extent.offset, 1'000U);
}

// Bytes small enough to be told one by one.
TEST_P(AnyCache, WhateverIsAskedIsDoneAndAllMemoryComesBack) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "cache");
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t concurrent = static_cast<std::uint32_t>(1 + random.below(4));
    CacheModel c = cache(GetParam(), 100 + random.below(400), concurrent);
    const std::int64_t all = c.free_memory();
    std::vector<std::uint64_t> wanted(40), got(40);
    std::set<std::pair<std::uint32_t, std::uint64_t>> dirty;
    std::vector<DeviceAccess> under_way;
    std::vector<Served> served;
    std::uint32_t portion = 0;
    while (true) {
      const std::uint32_t file = static_cast<std::uint32_t>(random.below(3));
      const Extent extent{random.below(500), 1 + random.below(100)};
      if (portion < wanted.size() && random.below(2) == 0) {
        const bool writes = random.below(2) == 0;
        if (writes && c.accepts({extent.length})) {
          c.write(file, extent);
          for (std::uint64_t b = extent.offset; b < extent.end(); ++b) dirty.emplace(file, b);
        }
        if (!writes) {
          wanted[portion] = extent.length;
          c.read(portion++, file, extent);
        }
      }
      if (const auto access = c.next(under_way.empty())) {
        ASSERT_LE(access->extent.length, 100U);
        under_way.push_back(*access);
        ASSERT_LE(under_way.size(), concurrent);
        continue;
      }
      if (under_way.empty()) {
        if (portion == wanted.size()) break;
        continue;
      }
      const std::size_t which = random.below(under_way.size());
      const DeviceAccess done = under_way[which];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
      served.clear();
      c.done(done.id, served);
      if (done.operation == Operation::kWrite)
        for (std::uint64_t b = done.extent.offset; b < done.extent.end(); ++b) dirty.erase({done.file, b});
      for (const Served& each : served) {
        got[each.portion] += each.bytes.count;
        c.release(each.bytes);
      }
    }
    EXPECT_EQ(got, wanted);
    EXPECT_TRUE(dirty.empty());
    EXPECT_EQ(c.free_memory(), all);
    EXPECT_EQ(c.waiting(), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, AnyCache,
                         testing::Values(CachePolicy::kNone, CachePolicy::kWriteBehind, CachePolicy::kAggregation,
                                         CachePolicy::kAggregationReorder, CachePolicy::kServerDirected));

}  // namespace
}  // namespace plumbline::hw::storage
