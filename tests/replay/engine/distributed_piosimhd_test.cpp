// The table of PIOsimHD for file I/O (docs/notebook/piosimhd-file-io.md) as whole replays: programs as text,
// the platform as XML. tests/hwmodels/storage/golden_io_test.cpp has the same table of the storage models alone. Times
// end with a sync, which tells when the disks have done everything, and two messages later.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "piosimhd_world.hpp"

namespace plumbline::replay::test {
namespace {

std::string extent(std::uint32_t call, std::uint32_t rank) {
  const std::uint64_t begin = kExtent * (2 * call + rank);
  return fmt::format("{}..{}", begin, begin + kExtent);
}

// Level 0: one call after another. Level 1: synchronised before each. Level 2: one call with ten extents.
Ends level(int number, const hw::Platform& platform, bool write, std::uint32_t first) {
  return ends_of(platform, first, Form::kIdeal, [&](std::uint32_t rank) {
    if (number == 2)
      return fmt::format(" {} layout \"disp={} extent={} size={}: {}@0\" {}B file /pvfs/x\n", write ? "write" : "read",
                         rank * kExtent, 2 * kExtent, kExtent, kExtent, kCalls * kExtent);
    std::string calls;
    for (std::uint32_t call = 0; call < kCalls; ++call)
      calls += fmt::format("{} {} {} file /pvfs/x\n", number == 1 ? " barrier\n" : "", write ? "pwrite" : "pread",
                           extent(call, rank));
    return calls;
  });
}

struct PiosimhdRow {
  const char* policy;
  double write[3], read[3];  // by level
};

const PiosimhdRow kRows[] = {
    {"none", {14.739386738, 14.739428083, 14.739386733}, {2.124197112, 2.138023992, 2.110285045}},
    {"write-behind", {14.739386738, 14.739428083, 14.739386733}, {2.124197112, 2.138023992, 2.110285045}},
    {"aggregation", {1.520053667, 1.520095010, 1.493720334}, {2.124197112, 2.138023992, 1.561951711}},
    {"aggregation-reorder", {1.493720317, 1.480594993, 1.469720320}, {2.124197112, 2.138023992, 1.523016733}},
};

class ReplayedPiosimhd : public testing::TestWithParam<PiosimhdRow> {};

// Barriers of 42 us before each of ten calls, where PIOsimHD synchronises at no cost.
constexpr double kTolerance = 5e-4;

TEST_P(ReplayedPiosimhd, LevelsZeroToTwoEndWhenPiosimhdSays) {
  const PiosimhdRow& row = GetParam();
  const hw::Platform platform = westmere_with_servers(row.policy);
  for (const bool write : {true, false}) {
    for (int number = 0; number < 3; ++number) {
      if (!write && number == 1) continue;  // OfLevelOneAskTheServersInTurn
      const double golden = write ? row.write[number] : row.read[number];
      double nearest = 1;
      for (std::uint32_t first = 0; first < kClients; ++first) {
        const Ends ours = level(number, platform, write, first);
        const double off = ours.disks / golden - 1;
        nearest = std::min(nearest, std::abs(off));
        fmt::print(
            "{:20} {:5} level {}, rank {} first: disks {:.6f} s, PIOsimHD {:.6f} s ({:+.3f} %), ranks {:.6f} s\n",
            row.policy, write ? "write" : "read", number, first, ours.disks, golden, 100 * off, ours.ranks);
      }
      EXPECT_LT(nearest, kTolerance) << row.policy << ", level " << number;
    }
  }
}

// Level 3: one collective call with ten extents, by ROMIO in windows of 16 MiB, which PIOsimHD takes too. By PIOsimHD's
// own algorithm: distributed_two_phase_test.cpp.
TEST_P(ReplayedPiosimhd, LevelThreeByRomio) {
  const PiosimhdRow& row = GetParam();
  const hw::Platform platform = westmere_with_servers(row.policy);
  for (const bool write : {true, false}) {
    const Ends ours = ends_of(platform, 0, Form::kAsConfigured, [&](std::uint32_t rank) {
      return fmt::format(
          " {} layout \"disp={} extent={} size={}: {}@0\" {}B file /pvfs/x hints \"cb_buffer_size={}\"\n",
          write ? "write_all" : "read_all", rank * kExtent, 2 * kExtent, kExtent, kExtent, kCalls * kExtent,
          16U << 20U);
    });
    fmt::print("{:20} {:5} level 3: disks {:.6f} s, ranks {:.6f} s\n", row.policy, write ? "write" : "read", ours.disks,
               ours.ranks);
    if (write) continue;
    EXPECT_NEAR(ours.disks / 3.340803874, 1, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(Layers, ReplayedPiosimhd, testing::ValuesIn(kRows), [](const auto& row) {
  std::string name = row.param.policy;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Reads of level 1: PIOsimHD serves one rank first at one server and the other at the other. Here each rank asks for
// the halves of its extent, which lie on one server each, in another order. All ranks begin a call at once: the replay
// is anchored at times far from each other, and what the calls take is added.
TEST(ReplayedPiosimhdReads, OfLevelOneAskTheServersInTurn) {
  constexpr std::uint32_t kOperations = 3;  // of a call
  const hw::Platform platform = westmere_with_servers("aggregation");
  std::string text = "ranks 2\n";
  for (int part = 0; part < 2; ++part)
    text += fmt::format("property hints:/pvfs/{0} = \"striping_factor=1\\nstart_iodevice={0}\"\n", part);
  for (std::uint32_t rank = 0; rank < kClients; ++rank) {
    text += fmt::format("rank {}\n", rank);
    for (std::uint32_t call = 0; call < kCalls; ++call) {
      const std::uint64_t begin = kExtent / 2 * (2 * call + rank);
      for (std::uint32_t turn = 0; turn < 2; ++turn)
        text += fmt::format(" @{}s iread_at {}..{} file /pvfs/{} -> r{}\n", call, begin, begin + kExtent / 2,
                            (turn + rank) % 2, turn);
      text += " wait r0 r1\n";
    }
  }
  const ReplayResult result = run(program_of(text), platform, Mode::kAnchored);
  Duration all;
  for (std::uint32_t call = 0; call < kCalls; ++call) {
    Time end;
    for (const auto& times : result.times) end = std::max(end, times[kOperations * call + 2].end);
    all += end - result.times[0][kOperations * call].begin;
  }
  fmt::print("reads of level 1, the servers in turn: {:.6f} s, PIOsimHD 2.138024 s\n", all.seconds());
  EXPECT_NEAR(all.seconds() / 2.138023992, 1, kTolerance);
}

}  // namespace
}  // namespace plumbline::replay::test
