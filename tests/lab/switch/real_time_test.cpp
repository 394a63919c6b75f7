#include "tests/lab/switch/real_time.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace plumbline::lab {
namespace {

// Spends `from` to `to` a millisecond at a time; the moments at which the thread was switched over, and to what.
struct Switched {
  std::int64_t at_ms;
  bool real_time;
  bool operator==(const Switched&) const = default;
};

std::vector<Switched> switched(std::int64_t from_ms, std::int64_t to_ms, bool kernel_agrees = true) {
  std::vector<Switched> found;
  std::int64_t now = from_ms;
  RealTimeShare share([&](bool yes) {
    found.push_back({now, yes});
    return kernel_agrees;
  });
  for (; now < to_ms; ++now) share.spend(Time{} + milliseconds(now));
  return found;
}

TEST(RealTimeShare, IsOrdinaryForTheLastTenthOfEachSecond) {
  const std::vector<Switched> expected = {{900, false}, {1000, true}, {1900, false}, {2000, true}, {2900, false}};
  EXPECT_EQ(switched(0, 3000), expected);
}

TEST(RealTimeShare, ASecondBeginsWithTheFirstSpinAfterAPause) {
  const std::vector<Switched> expected = {{5400, false}, {5500, true}};
  EXPECT_EQ(switched(4500, 5600), expected);
}

TEST(RealTimeShare, AsksAgainWhenTheKernelRefuses) {
  EXPECT_EQ(switched(0, 950, false).size(), 50u);  // each time from 900 ms on
}

// The kernel answers with the longest wake-up that anybody accepts: 2,000 s where nobody asked.
TEST(CoresAwake, AreThoseOfAMachineThatAcceptsNoWakeUp) {
  const Descriptor kept = keep_cores_awake();
  if (!kept) GTEST_SKIP() << "/dev/cpu_dma_latency cannot be written here";
  const Descriptor asked(::open("/dev/cpu_dma_latency", O_RDONLY | O_CLOEXEC));
  std::int32_t microseconds = -1;
  ASSERT_EQ(::read(asked.get(), &microseconds, sizeof microseconds), static_cast<ssize_t>(sizeof microseconds));
  EXPECT_EQ(microseconds, 0);
}

}  // namespace
}  // namespace plumbline::lab
