// Files: footprints, plans of collective accesses, and what a replay makes of them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/io/plan.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using Piece = io::ByteRange;
using testing::ElementsAre;

Time us(std::int64_t n) { return Time{} + microseconds(n); }

io::Footprint pieces(std::uint64_t first, std::uint64_t length, std::uint64_t stride, int count) {
  io::Footprint f;
  for (int i = 0; i < count; ++i, first += stride) f.runs.push_back({first, first + length});
  return f;
}

std::uint64_t operations(const io::CollectivePlan& plan) {
  std::uint64_t n = 0;
  for (const io::Domain& domain : plan.domains) n += domain.accesses.operations();
  return n;
}

TEST(Footprint, BytesWithinAWindowAreCutAtItsEnds) {
  const io::Footprint f = pieces(0, 10, 100, 5);
  EXPECT_EQ(io::bytes_within(f, 0, 500), 50);
  EXPECT_EQ(io::bytes_within(f, 5, 105), 10);
  EXPECT_EQ(io::bytes_within(f, 10, 100), 0);
}

TEST(Footprint, InterleavedPiecesUniteToOneRun) {
  const io::Footprint a = pieces(0, 8, 16, 4), b = pieces(8, 8, 16, 4);
  const io::Footprint* const both[] = {&a, &b};
  EXPECT_THAT(io::united(both, 0, 1000), ElementsAre(Piece{0, 64}));
  EXPECT_THAT(io::united(both, 4, 20), ElementsAre(Piece{4, 20}));
}

TEST(Footprint, AViewIsFollowedFromItsPosition) {
  const Program p = program_of(
      "ranks 1\nrank 0\n write_at layout \"disp=100 extent=40 size=10: 10@0\" position 10 140..160 file /data/x\n");
  const io::FileViews views(p);
  const RankProgram& rank = p.rank(0);
  EXPECT_THAT(views.footprint(rank, rank.operations[0], 0).runs, ElementsAre(Piece{140, 150}, Piece{180, 190}));
}

TEST(Plan, InterleavedAccessesOfOneNodeAreOneOperation) {
  std::vector<io::Part> parts;
  for (std::uint64_t r = 0; r < 4; ++r) parts.push_back({0, pieces(8 * r, 8, 32, 1024)});
  const io::CollectivePlan plan = plan_collective(star(1).file_systems[0], hw::Access::kWrite, parts);
  EXPECT_EQ(operations(plan), 1);
  EXPECT_EQ(plan.transfers.size(), 3);  // three ranks to the first one
  EXPECT_EQ(plan.transfers[0].bytes, 8192);
}

TEST(Plan, EachNodeHasOneAggregatorAndAnEqualPartOfTheFile) {
  std::vector<io::Part> parts;
  for (std::uint32_t r = 0; r < 4; ++r) parts.push_back({r / 2, io::contiguous(1000 * r, 1000)});
  const io::CollectivePlan plan = plan_collective(star(2).file_systems[0], hw::Access::kWrite, parts);
  ASSERT_EQ(plan.domains.size(), 2);
  EXPECT_EQ(plan.domains[1].aggregator, 2);
  EXPECT_EQ(plan.domains[1].accesses.batches[0].bytes, 2000);
  EXPECT_EQ(operations(plan), 2);
}

TEST(Plan, NodesWithoutDataHaveNoAggregator) {
  const std::vector<io::Part> parts = {{0, {}}, {1, io::contiguous(0, 500)}, {1, {}}};
  const io::CollectivePlan plan = plan_collective(star(2).file_systems[0], hw::Access::kRead, parts);
  ASSERT_EQ(plan.domains.size(), 1);
  EXPECT_EQ(plan.domains[0].aggregator, 1);
  EXPECT_TRUE(plan.transfers.empty());
}

TEST(Plan, BytesAreConserved) {
  std::vector<io::Part> parts;
  std::uint64_t all = 0;
  for (std::uint32_t r = 0; r < 7; ++r) {
    parts.push_back({r % 3, pieces(37 * r, 11 + r, 300, 20)});
    all += 20 * (11 + r);
  }
  const io::CollectivePlan plan = plan_collective(star(3).file_systems[0], hw::Access::kWrite, parts);
  std::uint64_t moved = 0, kept = 0;
  for (const io::Transfer& t : plan.transfers) moved += t.bytes;
  const std::uint64_t share = (37 * 6 + 300 * 19 + 17 - 1) / 3 + 1;
  for (std::size_t i = 0; i < plan.domains.size(); ++i)
    kept += io::bytes_within(parts[plan.domains[i].aggregator].footprint, share * i, share * (i + 1));
  EXPECT_EQ(moved + kept, all);
}

TEST(Plan, FarPiecesAreWrittenOneByOneAndNearOnesWithWhatLiesBetween) {
  const hw::FileSystem fs = star(1).file_systems[0];  // 10 µs a write, 5 µs a read, 1 GB/s
  EXPECT_EQ(io::best_accesses(fs, hw::Access::kWrite, pieces(0, 10, 1'000'000, 5).runs).operations(), 5);
  EXPECT_EQ(io::best_accesses(fs, hw::Access::kWrite, pieces(0, 10, 100, 5).runs).operations(), 2);  // read, write
  EXPECT_EQ(io::best_accesses(fs, hw::Access::kRead, pieces(0, 10, 100, 5).runs).operations(), 1);
}

TEST(Io, IdealIoCountsTheOperationsOfTheAggregators) {
  std::string body;
  for (int r = 0; r < 4; ++r)
    body += fmt::format(
        "rank {0}\n write_at_all layout \"disp={1} extent=32 size=8: 8@0\" {1}..{2} file /data/x\n"
        " write_at {1}..{2} file /data/x\n",
        r, 8 * r, 8 * r + 8192);
  const Program p = program_of("ranks 4\nnode n0 ranks 0-3 cores 4\n" + body);
  const Column<IdealIo> ideal = ideal_io(p, star(1));
  ASSERT_EQ(ideal.size(), 5);
  EXPECT_EQ(ideal[0].rank, 0);
  EXPECT_EQ(ideal[0].operation, 0);
  EXPECT_EQ(ideal[0].operations, 1);
  EXPECT_EQ(ideal[4].operation, 1);
}

TEST(Io, ACollectiveReadSendsWhatTheAggregatorRead) {
  const Program p = program_of(
      "ranks 2\nnode n0 ranks 0-1 cores 4\n"
      "rank 0\n read_at_all 0..500 file /data/x\nrank 1\n read_at_all 500..1000 file /data/x\n");
  const ReplayResult r = run(p, star(1));
  EXPECT_EQ(r.times[0][0].end, us(7));                     // 5 + 1 µs to read, 1 µs to send
  EXPECT_EQ(r.times[1][0].end, us(9) + nanoseconds(500));  // 0.5 µs of memory, 2 µs to receive
  EXPECT_EQ(r.messages, 1);
}

TEST(Io, ANonBlockingWriteEndsInItsWait) {
  const Program p = program_of("ranks 1\nrank 0\n iwrite_at 0..1000 file /data/x -> a\n compute 4us\n wait a\n");
  const ReplayResult r = run(p, star(1));
  EXPECT_EQ(r.times[0][0].end, us(0));
  EXPECT_EQ(r.times[0][1].begin, us(4));
  EXPECT_EQ(r.times[0][1].end, us(11));
}

TEST(Io, AFileOnNoFileSystemIsNotJudged) {
  const Program p = program_of("ranks 1\nrank 0\n pwrite 0..1000 file /elsewhere/x +3us\n");
  EXPECT_EQ(duration(run(p, star(1)).times[0][0]), microseconds(3));
  ASSERT_EQ(not_judged(p, star(1)).size(), 1);
  EXPECT_EQ(not_judged(p, star(1))[0].reason, "on a file that no file system of the platform serves");
  EXPECT_EQ(not_judged(p, star(1))[0].observed, microseconds(3));
}

TEST(Io, AsRunCostsTheRecordedOperationsInTheirOrder) {
  const Program p = program_of(
      "ranks 1\nrank 0\n open /data/x\n write_at 0..3000 +500us\n"
      "  inner pread 0..1000 +3us\n  inner pwrite 0..1000 +3us\n  inner pwrite 1000..3000\n");
  // 5 + 1, 10 + 1, 10 + 2 µs; ideal: 10 + 3 µs.
  EXPECT_EQ(duration(run(p, star(1), Mode::kFree, Form::kAsRun).times[0][1]), microseconds(29));
  EXPECT_EQ(duration(run(p, star(1)).times[0][1]), microseconds(13));
}

TEST(Io, ACollectiveAccessOfManyRanksRepeats) {
  std::string body;
  for (int r = 0; r < 8; ++r) {
    body += fmt::format("rank {}\n open /data/x collective\n", r);
    for (int i = 0; i < 5; ++i)
      body += fmt::format(" compute {}us\n write_at_all {}..{}\n read_at_all {}..{}\n", 7 * r % 5, 8000 * i + 1000 * r,
                          8000 * i + 1000 * r + 1000, 8000 * i + 1000 * r, 8000 * i + 1000 * r + 1000);
    body += " close collective\n";
  }
  const Program p = program_of("ranks 8\nnode n0 ranks 0-3 cores 4\nnode n1 ranks 4-7 cores 4\n" + body);
  for (const hw::CacheCase cache : {hw::CacheCase::kCached, hw::CacheCase::kDevice})
    EXPECT_EQ(run(p, star(2), Mode::kFree, Form::kIdeal, cache).unreceived, 0);
}

}  // namespace
}  // namespace plumbline::replay::test
