#include "tracer/record/launch/remove_spools.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::record {
namespace {

TEST(RemoveSpools, TakesAwayAllThatIsThereAndNothingWhereThereIsNothing) {
  const test::TemporaryDirectory home;
  const std::filesystem::path spools = home.path() / "spools";
  std::filesystem::create_directories(spools / "rank-0");
  std::ofstream(spools / "rank-0" / "0.spool") << "text";
  EXPECT_EQ(remove_spools(spools), "");
  EXPECT_FALSE(std::filesystem::exists(spools));
  EXPECT_EQ(remove_spools(spools), "");
}

// As the reader of a node's counters does, which the signal that ended the program has not reached yet.
TEST(RemoveSpools, WaitsForAProcessThatStillWritesThere) {
  const test::TemporaryDirectory home;
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path spools = home.path() / std::to_string(round);
    std::filesystem::create_directories(spools);
    std::atomic<bool> has_begun = false;
    std::thread writer([&] {
      for (int file = 0; file < 500; ++file) {
        std::ofstream(spools / std::to_string(file)) << "text";
        has_begun = true;
      }
    });
    while (!has_begun) std::this_thread::yield();
    EXPECT_EQ(remove_spools(spools), "");
    writer.join();
    EXPECT_EQ(remove_spools(spools), "");
    EXPECT_FALSE(std::filesystem::exists(spools));
  }
}

}  // namespace
}  // namespace plumbline::record
