// What a replay takes of memory for every rank, by counting what it allocates: the same on every machine.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/program.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

std::size_t g_live = 0, g_most = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  g_live += malloc_usable_size(memory);
  g_most = std::max(g_most, g_live);
  return memory;
}

void discounted(void* memory) {
  g_live -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void operator delete(void* memory) noexcept { discounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { discounted(memory); }

namespace plumbline::replay::test {
namespace {

constexpr std::uint32_t kRounds = 10;

// In round k rank r sends to r + 2^k and receives from r - 2^k. `file`: it is named, and nothing is done to it.
Program dissemination(std::uint32_t ranks, bool file) {
  const plumbline::test::TemporaryDirectory directory;  // tests of this file run side by side
  ProgramBuilder builder(directory.path() / "program");
  std::vector<std::uint32_t> world(ranks);
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  if (file) builder.file("/data/x");
  const std::uint32_t node = builder.node("n");
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    builder.begin_rank(node, 1);
    for (std::uint32_t k = 0; k < kRounds; ++k) {
      const std::uint32_t distance = 1U << k;
      Operation op{.kind = OpKind::kSendrecv};
      op.call = builder.call("MPI_Sendrecv");
      op.comm = 0;
      op.peer = static_cast<std::int32_t>((rank + distance) % ranks);
      op.bytes = 8;
      op.extra = builder.add(SendrecvTail{static_cast<std::int32_t>((rank + ranks - distance) % ranks), 0, 8});
      builder.add(op, {Time{microseconds(k).ps}, Time{microseconds(k + 1).ps}});
    }
    builder.end_rank(0);
  }
  return builder.finish();
}

// On one node whose cores all ranks have for themselves.
hw::Platform one_node(std::uint32_t ranks) {
  hw::Platform platform;
  platform.network = hw::NetworkKind::kLogGP;
  platform.nodes.emplace_back().cores = ranks;
  platform.nodes.back().name = "n";
  hw::MessageRange range;
  range.latency.value = microseconds(1);
  platform.inside.ranges = platform.between.ranges = {range};
  return platform;
}

// At most at once, beside the program and the platform.
std::size_t bytes_for(std::uint32_t ranks, const ReplayOptions& options, bool file = false) {
  const Program program = dissemination(ranks, file);
  const hw::Platform platform = one_node(ranks);
  const std::size_t before = g_live;
  g_most = g_live;
  replay::replay(program, platform, options);
  return g_most - before;
}

std::size_t bytes_per_rank(const ReplayOptions& options, bool file = false) {
  constexpr std::uint32_t kRanks = 2048;
  return (bytes_for(2 * kRanks, options, file) - bytes_for(kRanks, options, file)) / kRanks;
}

TEST(Memory, OfARankIsBounded) { EXPECT_LE(bytes_per_rank({.mode = Mode::kFree, .keep_times = false}), 330U); }

TEST(Memory, OfTheTimesIsSixteenBytesAnOperation) {
  const std::size_t without = bytes_per_rank({.mode = Mode::kFree, .keep_times = false});
  const std::size_t with = bytes_per_rank({.mode = Mode::kFree});
  EXPECT_GE(with - without, 16 * kRounds);
  constexpr std::size_t kRounding = 8;  // of malloc, to its next usable size
  EXPECT_LE(with - without, 16 * kRounds + sizeof(Column<OperationTimes>) + kRounding);
}

TEST(Memory, ForFilesIsTakenByProgramsWithFilesOnly) {
  for (const Form form : {Form::kIdeal, Form::kAsConfigured}) {
    const ReplayOptions options{.mode = Mode::kFree, .form = form, .keep_times = false};
    const std::size_t without = bytes_per_rank(options), with = bytes_per_rank(options, true);
    EXPECT_LE(without, 330U);
    EXPECT_GE(with, without + 100);
  }
}

}  // namespace
}  // namespace plumbline::replay::test
