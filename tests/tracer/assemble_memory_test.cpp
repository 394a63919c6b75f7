// Assembling takes no more memory for a longer run.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/long_spool.hpp"
#include "tracer/record/assemble/assemble.hpp"

namespace plumbline::record {
namespace {

using test::LongSpool;

std::filesystem::path spool(const std::filesystem::path& directory, int rounds) {
  LongSpool spool(directory);
  for (int i = 0; i < rounds; ++i) {
    spool.sendrecv();
    spool.exchange();
    spool.pwrite();
    spool.bcast();
  }
  return spool.finish();
}

// Largest resident size, in KiB, of a process of its own that does it.
long memory_of(const std::filesystem::path& spool, const std::filesystem::path& archive) {
  const pid_t child = fork();
  if (child == 0) {
    assemble({spool}, archive, Overwrite::kYes);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST(AssembleMemory, IsThatOfARunAFifthAsLong) {
  const plumbline::test::TemporaryDirectory one, other;
  const std::filesystem::path small = spool(one.path(), 60'000), large = spool(other.path(), 300'000);
  const long first = memory_of(small, one / "archive"), second = memory_of(large, other / "archive");
  EXPECT_GT(std::filesystem::file_size(large), 60u << 20);
  EXPECT_LT(second - first, 6 * 1024) << first << " and " << second << " KiB";
}

}  // namespace
}  // namespace plumbline::record
