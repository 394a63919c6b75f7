#include "base/memory/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <random>
#include <vector>

#include "tests/support/anonymous_memory.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline {
namespace {

struct Block {
  std::byte* memory;
  std::size_t bytes;
  std::byte mark;
};

bool keeps_its_mark(const Block& block) {
  return std::all_of(block.memory, block.memory + block.bytes, [&](std::byte b) { return b == block.mark; });
}

void use_and_check(Scratch scratch, std::mt19937_64& random) {
  std::vector<Block> blocks;
  for (int step = 0; step < 600; ++step) {
    if (blocks.empty() || random() % 3 != 0) {
      const std::size_t bytes = 1 + random() % (std::size_t{1} << (random() % 23));
      const Block block{static_cast<std::byte*>(scratch->allocate(bytes)), bytes, std::byte(random() % 256)};
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % 64, 0);
      std::fill_n(block.memory, bytes, block.mark);
      blocks.push_back(block);
      continue;
    }
    std::swap(blocks[random() % blocks.size()], blocks.back());
    ASSERT_TRUE(keeps_its_mark(blocks.back()));
    scratch->release(blocks.back().memory, blocks.back().bytes);
    blocks.pop_back();
  }
  for (const Block& block : blocks) ASSERT_TRUE(keeps_its_mark(block));
}

TEST(Scratch, BlocksKeepWhatIsInThemWhateverIsReleasedBetween) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  const test::TemporaryDirectory directory;
  for (int round = 0; round < 5; ++round) use_and_check(scratch_in(directory.path()), random);
}

// A directory in memory takes no file; one that does not exist neither.
TEST(Scratch, WithoutAFileMemoryIsOrdinary) {
  std::mt19937_64 random(1);
  use_and_check(scratch_in("/dev/shm"), random);
  use_and_check(scratch_in("/proc/no/such/directory"), random);
}

TEST(Scratch, LargeColumnsAreNoAnonymousMemory) {
  constexpr std::size_t kEntries = 8 << 20;
  const test::TemporaryDirectory directory;
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer has memory of its own for each byte";
  if (test::lies_in_memory(directory.path())) GTEST_SKIP() << "files for tests lie in memory";
  Column<std::uint64_t> column(scratch_in(directory.path()));
  const std::size_t before = test::anonymous_bytes_of(getpid());
  for (std::size_t i = 0; i < kEntries; ++i) column.push_back(i);
  const Column<std::uint64_t> copy = column;
  EXPECT_LT(test::anonymous_bytes_of(getpid()), before + (4 << 20)) << "of 128 MiB";
  for (std::size_t i = 0; i < kEntries; ++i) ASSERT_EQ(copy[i], i);
}

// What a forked process says of itself by `is_so`; this one does `meanwhile` before it is asked.
bool is_so_in_a_fork(const std::function<bool(const std::function<void()>& wait)>& is_so,
                     const std::function<void()>& meanwhile) {
  int ready[2], go[2];
  if (::pipe(ready) != 0 || ::pipe(go) != 0) return false;
  char byte = 0;
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) try {
      bool told = false;
      ::close(go[1]);
      const auto wait = [&] { told = ::write(ready[1], &byte, 1) == 1 && ::read(go[0], &byte, 1) == 1; };
      const bool so = is_so(wait);
      ::_exit(told && so ? 0 : 1);
    } catch (...) {
      ::_exit(1);
    }
  ::close(ready[1]);
  ::close(go[0]);
  if (::read(ready[0], &byte, 1) != 1) return false;
  meanwhile();
  int status = 1;
  if (::write(go[1], &byte, 1) != 1 || ::waitpid(child, &status, 0) != child) return false;
  ::close(ready[0]);
  ::close(go[1]);
  return status == 0;
}

TEST(Scratch, AForkedProcessKeepsWhatItWritesWhenThisOneWritesAsMuch) {
  const test::TemporaryDirectory directory;
  if (test::lies_in_memory(directory.path())) GTEST_SKIP() << "files for tests lie in memory, where nothing is shared";
  const Scratch scratch = scratch_in(directory.path());
  const Column<int> large(std::size_t{1} << 19, 5, ScratchAllocator<int>(scratch));  // so that there is a file
  const auto filled = [&](int value) { return Column<int>(3000, value, ScratchAllocator<int>(scratch)); };
  Column<int> here;
  EXPECT_TRUE(is_so_in_a_fork(
      [&](const auto& wait) {
        const Column<int> own = filled(7);
        wait();
        return std::ranges::count(own, 7) == std::ssize(own);
      },
      [&] { here = filled(9); }));
  EXPECT_EQ(std::ranges::count(here, 9), 3000);
  EXPECT_EQ(std::ranges::count(large, 5), std::ptrdiff_t{1} << 19);
}

TEST(Scratch, LargeColumnsOfAForkedProcessAreNoAnonymousMemory) {
  const test::TemporaryDirectory directory;
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer has memory of its own for each byte";
  if (test::lies_in_memory(directory.path())) GTEST_SKIP() << "files for tests lie in memory";
  const Scratch scratch = scratch_in(directory.path());
  const Column<int> large(std::size_t{1} << 19, 5, ScratchAllocator<int>(scratch));
  EXPECT_TRUE(is_so_in_a_fork(
      [&](const auto& wait) {
        wait();
        const std::size_t before = test::anonymous_bytes_of(getpid());
        const Column<int> own(std::size_t{16} << 20, 7, ScratchAllocator<int>(scratch));
        return test::anonymous_bytes_of(getpid()) < before + (4 << 20) && std::filesystem::is_empty(directory.path());
      },
      [] {}))
      << "64 MiB, and a file without a name";
}

TEST(Scratch, AFileHasNoNameAndEndsWithItsLastColumn) {
  const test::TemporaryDirectory directory;
  Column<std::uint64_t> column(scratch_in(directory.path()));
  column.resize(1 << 20);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  Column<std::uint64_t> moved = std::move(column);
  EXPECT_EQ(moved[1 << 19], 0);
}

TEST(Scratch, AColumnThatIsAssignedLiesWhereTheOtherDoes) {
  const test::TemporaryDirectory directory;
  const Column<int> there({1, 2, 3}, scratch_in(directory.path()));
  Column<int> here{4};
  here = there;
  EXPECT_EQ(here, there);
  EXPECT_EQ(here.get_allocator(), there.get_allocator());
}

}  // namespace
}  // namespace plumbline
