// What replaying and comparing take of memory for each operation, beside mapped files: the same commands on recordings
// of two lengths, so that what does not grow with the operations falls out.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/integration/support.hpp"
#include "tests/perf/halo_archive.hpp"
#include "tests/support/anonymous_memory.hpp"
#include "tests/support/cases.hpp"

namespace plumbline::test {
namespace {

constexpr double kMostBytes = 24;  // an operation
constexpr char kWhySkipped[] = "the memory of sanitizers grows too, and files for the test are to lie on a disk";

// Most anonymous memory of the command, run in a directory.
double anonymous(const std::filesystem::path& directory, const std::string& arguments) {
  const MemoryOfCommand memory =
      memory_of({"/bin/sh", "-c", "cd '" + directory.string() + "' && exec '" + kPlumbline + "' " + arguments});
  EXPECT_TRUE(memory.status == 0 || memory.status == 1 || memory.status == 5) << arguments << ": " << memory.status;
  return static_cast<double>(memory.anonymous);
}

// Of the archives "short" and "long" there: what one operation more takes of each command. They differ by so many that
// a peak between two looks (tests/support/anonymous_memory.hpp), of 3.6 MB between 5.1 and 8.7 here, is not 24 bytes of
// each.
void expect_little_memory(const std::filesystem::path& directory, const std::string& platform, double more_operations) {
  const auto bytes = [&](std::string command) {
    const double in_short = anonymous(directory, command);
    for (std::size_t at = 0; (at = command.find("short", at)) != std::string::npos;) command.replace(at, 5, "long");
    return (anonymous(directory, command) - in_short) / more_operations;
  };
  EXPECT_LT(bytes("replay short -p " + platform), kMostBytes) << "with compiling";
  EXPECT_LT(bytes("replay short -o expected-short -p " + platform), kMostBytes);
  EXPECT_LT(bytes("compare short expected-short"), kMostBytes);
  EXPECT_LT(bytes("compare short short"), kMostBytes) << "two recordings";
}

// On four ranks, so that what is worked on rank by rank counts too.
TEST(MemoryByTheOperation, OfMessagesStaysBelow24Bytes) {
  const TemporaryDirectory directory;
  if (kSanitized || lies_in_memory(directory.path())) GTEST_SKIP() << kWhySkipped;
  perf::Halo halo;
  halo.px = halo.py = 2;
  const auto write = [&](const char* name, std::uint32_t iterations) {
    halo.iterations = iterations;
    perf::write_halo_archive(directory / name, halo);
    return halo.ranks() * (9.0 * iterations + iterations / halo.allreduce_every);
  };
  const double in_short = write("short", 5'500), in_long = write("long", 11'000);
  expect_little_memory(directory.path(), kSource + "/hwmodels/platforms/fat-tree-256.xml", in_long - in_short);
}

class ManyCalls : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  void record(const std::string& name, int ranks, const std::string& arguments) {
    const std::string program = std::string(BUILD_DIRECTORY) + "/bin/traced/" + GetParam().name + "/many_calls ";
    const CommandResult recorded = run_command(
        kPlumbline + " record -o " + name + " -- " + GetParam().run(ranks, program + arguments), directory_.path());
    ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  }

  TemporaryDirectory directory_;
};

TEST_P(ManyCalls, WithMessagesInsideAndFilesTakeBelow24BytesEach) {
  if (kSanitized || lies_in_memory(directory_.path())) GTEST_SKIP() << kWhySkipped;
  std::ofstream(directory_ / "platform.xml") << one_node_platform();
  record("short", 2, "20000");
  record("long", 2, "120000");
  expect_little_memory(directory_.path(), "platform.xml", 2 * 100'000);
}

// They are late by 5 ms more each, in sum by 10^8 s: more than a time can be.
TEST_P(ManyCalls, OfSmallWritesAreReplayedOnASlowDeviceAndCompared) {
  std::string platform = one_node_platform();
  platform.replace(platform.find("device-write call=\"100us\""), 25, "device-write call=\"5ms\"");
  std::ofstream(directory_ / "platform.xml") << platform;
  record("observed", 1, "200000 writes");
  const CommandResult replayed =
      run_command(kPlumbline + " replay observed -p platform.xml -o expected", directory_.path());
  EXPECT_EQ(replayed.status, 0) << text_of(replayed);
  const CommandResult compared = run_command(kPlumbline + " compare observed expected", directory_.path());
  EXPECT_TRUE(compared.status == 0 || compared.status == 1 || compared.status == 5) << text_of(compared);
}

INSTANTIATE_TEST_SUITE_P(Mpi, ManyCalls, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
