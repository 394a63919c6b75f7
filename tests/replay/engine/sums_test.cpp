// Sums over operations of a replay that no Duration holds: a rank that falls behind is late before every operation
// that follows, so that its lateness grows with the square of their number.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/random.hpp"
#include "support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::test {
namespace {

hw::Platform slow_device(Duration write) {
  hw::Platform platform = star(2);
  platform.file_systems[0].device_write.call.value = write;
  return platform;
}

// By how much operations begin late in an anchored result, summed in halves that cannot overflow.
TimeSum lateness_of(const Program& program, const ReplayResult& result) {
  std::int64_t high = 0, low = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (std::size_t i = 0; i < result.times[rank].size(); ++i) {
      const Duration late = result.times[rank][i].begin - program.rank(rank).times[i].begin;
      high += late.ps >> 32;
      low += late.ps & 0xffffffff;
    }
  return TimeSum(Duration{high}) * (std::int64_t{1} << 32) + Duration{low};
}

std::string small_writes(int writes) {
  std::string text = one_rank_per_node(1, "rank 0\n");
  for (int i = 0; i < writes; ++i)
    text += fmt::format(" pwrite {}..{} file /data/x +1us\n", i % 1000 * 8, i % 1000 * 8 + 8);
  return text;
}

TEST(SumsOfAReplay, ManySmallWritesToASlowDeviceAreLateByWhatTheyQueue) {
  constexpr std::int64_t kWrites = 200'000;
  const Program program = program_of(small_writes(kWrites));
  const ReplayResult r =
      run(program, slow_device(milliseconds(5)), Mode::kAnchored, Form::kIdeal, hw::CacheCase::kDevice);
  const Duration one = duration(r.times[0][0]);
  EXPECT_EQ(one, milliseconds(5) + nanoseconds(8));
  EXPECT_EQ(r.end, Time{} + one * kWrites);
  EXPECT_EQ(r.late_starts, kWrites - 1);
  EXPECT_EQ(r.lateness, TimeSum(one - microseconds(1)) * (kWrites * (kWrites - 1) / 2));  // 10^8 s
  EXPECT_EQ(r.lateness.mean(r.late_starts), (one - microseconds(1)) * (kWrites / 2));
}

TEST(SumsOfAReplay, MessagesToOneselfBetweenWritesAreLateByTheWrites) {
  constexpr int kMessages = 100'000;
  std::string text = one_rank_per_node(2, "");
  for (int rank = 0; rank < 2; ++rank) {
    text += fmt::format("rank {}\n pwrite 0..8 file /data/{} +1us\n", rank, rank);
    for (int i = 0; i < kMessages; ++i) text += fmt::format(" sendrecv to {0} tag 0 8B from {0} tag 0 8B +1us\n", rank);
    text += fmt::format(" pwrite 0..8 file /data/{} +1us\n", rank);
  }
  const Program program = program_of(text);
  const ReplayResult r = run(program, slow_device(seconds(100)), Mode::kAnchored, Form::kIdeal, hw::CacheCase::kDevice);
  EXPECT_EQ(r.late_starts, 2 * (kMessages + 1));
  EXPECT_GT(r.lateness, TimeSum(seconds(99)) * (2 * kMessages));
  EXPECT_EQ(r.lateness, lateness_of(program, r));
}

// Writes of up to a day in the model among calls of up to an hour in the recording, on both sides of 106 days.
TEST(SumsOfAReplay, OfRandomProgramsAreWhatTheOperationsAddUpTo) {
  const std::uint64_t seed = plumbline::test::random_seed();
  bool beyond = false;
  for (std::uint64_t round = 0; round < 20; ++round) {
    SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed << " round " << round);
    sim::RandomStream random(seed + round, "sums");
    std::string text = one_rank_per_node(2, "");
    for (int rank = 0; rank < 2; ++rank) {
      text += fmt::format("rank {}\n", rank);
      for (std::uint64_t i = 0; i < 100 + random.below(200); ++i)
        text += random.below(4) == 0
                    ? fmt::format(" pwrite 0..{} file /data/{} +1us\n", 1 + random.below(86'400'000'000'000), rank)
                    : fmt::format(" local MPI_Comm_rank +{}us\n", random.below(3'600'000'000));
    }
    const Program program = program_of(text);
    const ReplayResult r = run(program, star(2), Mode::kAnchored);
    EXPECT_EQ(r.lateness, lateness_of(program, r));
    beyond = beyond || !r.lateness.duration();
  }
  EXPECT_TRUE(beyond) << "PLUMBLINE_SEED=" << seed;
}

// 16 ranks for 20 days each: not judged, because no file system serves the file.
TEST(SumsOfAReplay, TimeNotJudgedIsSummedOverRanks) {
  std::string text = one_rank_per_node(16, "");
  for (int rank = 0; rank < 16; ++rank)
    text += fmt::format("rank {}\n pwrite 0..8 file /elsewhere +{}s\n", rank, 20 * 86'400);
  const auto left_out = not_judged(program_of(text), star(16));
  ASSERT_EQ(left_out.size(), 1);
  EXPECT_EQ(left_out[0].observed, TimeSum(seconds(20 * 86'400)) * 16);
}

}  // namespace
}  // namespace plumbline::replay::test
