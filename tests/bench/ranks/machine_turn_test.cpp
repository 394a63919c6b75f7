#include "bench/ranks/environment/machine_turn.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

constexpr std::chrono::milliseconds kAWhile{60};

// Threads stand for processes: a lock belongs to who has opened the file.
TEST(MachineTurn, IsHadByOneAtATime) {
  const test::TemporaryDirectory directory;
  auto first = std::make_unique<MachineTurn>(directory.path(), 600);
  std::atomic<bool> has_second = false;
  std::thread second([&] {
    const MachineTurn turn(directory.path(), 600);
    has_second = turn.is_had();
  });
  std::this_thread::sleep_for(kAWhile);
  EXPECT_FALSE(has_second);
  first.reset();
  second.join();
  EXPECT_TRUE(has_second);
}

TEST(MachineTurn, WhoWaitsForQuietWaitsForItsEnd) {
  const test::TemporaryDirectory directory;
  auto turn = std::make_unique<MachineTurn>(directory.path(), 600);
  std::atomic<bool> is_quiet = false;
  std::thread waiting([&] {
    wait_for_quiet(directory.path(), directory.path(), 600);
    is_quiet = true;
  });
  std::this_thread::sleep_for(4 * kAWhile);
  EXPECT_FALSE(is_quiet);
  turn.reset();
  waiting.join();
  EXPECT_TRUE(is_quiet);
}

TEST(MachineTurn, NobodyWaitsLongerThanAsked) {
  const test::TemporaryDirectory directory;
  const MachineTurn turn(directory.path(), 0), other(directory.path(), 0.05);
  EXPECT_TRUE(turn.is_had());
  EXPECT_FALSE(other.is_had());
  wait_for_quiet(directory.path(), directory.path(), 0.05);
}

TEST(MachineTurn, WhoWaitsForQuietWaitsForWhatIsToBeDone) {
  const test::TemporaryDirectory directory;
  std::atomic<bool> is_quiet = false;
  std::thread waiting([&] {
    wait_for_quiet(directory.path(), directory / "done", 600);
    is_quiet = true;
  });
  std::this_thread::sleep_for(4 * kAWhile);
  EXPECT_FALSE(is_quiet);
  std::ofstream(directory / "done").close();
  waiting.join();
  EXPECT_TRUE(is_quiet);
}

TEST(MachineTurn, IsTakenWithoutAskingWhereNothingCanBeLocked) {
  const MachineTurn first("/no/such/directory", 0), second("/no/such/directory", 0);
  EXPECT_TRUE(first.is_had());
  EXPECT_TRUE(second.is_had());
  wait_for_quiet("/no/such/directory", "/", 600);
}

}  // namespace
}  // namespace plumbline::bench
