#include "replay/expect/replay_jobs.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

constexpr std::uint64_t kGB = 1'000'000'000;

TEST(ReplayJobs, NoMoreReplaysRunAtATimeThanFitIntoMemoryWhichIsSaid) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(expect::replay_jobs(8, 100, 2 * kGB, 7 * kGB), 3U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plumbline: 3 of 8 replays at a time: one takes about 2 GB, and 7 GB of memory are available\n");
}

TEST(ReplayJobs, OneRunsEvenIfItDoesNotFit) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(expect::replay_jobs(1, 100, 2 * kGB, kGB), 1U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nobody asked for more";
}

TEST(ReplayJobs, NothingIsSaidOfReplaysThatAreNotMade) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(expect::replay_jobs(8, 3, 2 * kGB, 7 * kGB), 3U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ReplayJobs, WithoutANumberThereAreAsManyAsProcessors) {
  EXPECT_EQ(expect::replay_jobs(0, 100'000, 1, std::nullopt), usable_processors());
}

}  // namespace
}  // namespace plumbline::cli
