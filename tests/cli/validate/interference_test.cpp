#include "cli/workflows/validate/causes/interference.hpp"

#include <gmock/gmock.h>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Observation;
using testing::HasSubstr;

const Observation kSeen{"cpu.interference",
                        "Processes of others use processors",
                        "processes",
                        {"n3"},
                        {{"dd (process 12)", "0.97", "processors"}}};

// In the first run ranks missed 0.4 s and it lost 0.3, in the second 0.1 of 0.5, the third lost nothing.
const std::vector<OffCpu> kRuns{{"messages", 0.4, 0.3}, {"patterns", 0.1, 0.5}, {"small", 0.2, -0.1}};

TEST(Interference, CostsWhatRanksMissedAndNoMoreThanTheRunLost) {
  const auto found = interference(kRuns, 10, &kSeen);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->cost_s, 0.4);
  EXPECT_TRUE(found->cost_is_bound);
  EXPECT_EQ(found->id, "cpu.interference");
}

TEST(Interference, NamesTheLargestConsumer) {
  const auto found = interference(kRuns, 10, &kSeen);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->title,
            "Ranks were ready and did not run for 0.70 s in all: dd (process 12) had 0.97 of a processor");
  EXPECT_THAT(found->places, testing::ElementsAre("n3"));
  EXPECT_EQ(found->confidence, Confidence::kHigh);
  EXPECT_EQ(found->evidence.size(), 4U) << "the process, and three runs";
}

TEST(Interference, SaysThatNobodyIsKnownWhereNobodyWasSeen) {
  const auto found = interference(kRuns, 7, nullptr);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->title, HasSubstr("other processes or interrupts"));
  EXPECT_EQ(found->confidence, Confidence::kGood);
}

TEST(Interference, WithoutAProcessIsNoneBelowATwentiethOfTheSuite) {
  EXPECT_FALSE(interference(kRuns, 9, nullptr)) << "0.4 of 9 s";
  EXPECT_TRUE(interference(kRuns, 9, &kSeen));
}

TEST(Interference, OfLessThanAHundredthOfTheSuiteIsNone) {
  EXPECT_FALSE(interference(kRuns, 41, &kSeen)) << "0.4 of 41 s";
  EXPECT_TRUE(interference(kRuns, 39, &kSeen));
  EXPECT_FALSE(interference({{"messages", 0, 3}}, 1, &kSeen)) << "ranks always ran";
  EXPECT_FALSE(interference({}, 0, nullptr));
}

}  // namespace
}  // namespace plumbline::cli::validate
