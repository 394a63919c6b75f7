#include "base/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline {
namespace {

// Standard error is a file while it is captured, as in a batch job.
TEST(Progress, SaysNothingOfShortWorkWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("measuring", 100);
    progress.tell_time_left();
    for (std::uint64_t done = 0; done <= 100; ++done) progress.update(done, "pingpong");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, IsALineWithTimeLeftWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("measuring", 100, Progress::Clock::now() - std::chrono::seconds(11));
    progress.tell_time_left();
    progress.update(0);
    progress.update(25, "pingpong");
    progress.update(26, "pingpong");
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, testing::MatchesRegex("plumbline: measuring 25 %, 3[0-9] s left: pingpong\n"));
}

TEST(Progress, TellsNoTimeLeftFromTheFirstHundredthOfTheWork) {
  const auto begin = Progress::Clock::now() - std::chrono::seconds(12);
  testing::internal::CaptureStderr();
  {
    Progress progress("measuring", 1000, begin);
    progress.tell_time_left();
    progress.update(0);
    progress.update(10, "pre-flight");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "plumbline: measuring 1 %: pre-flight\n");
}

}  // namespace
}  // namespace plumbline
