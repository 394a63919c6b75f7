#include "cli/workflows/validate/causes/interference.hpp"

#include <gmock/gmock.h>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
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

TEST(LeaveOutOwnThreads, DoesSoWhereRanksHaveThemAndNobodyElseWasSeen) {
  const test::TemporaryDirectory directory;
  Options options;
  options.directory = directory / "out";
  Site site;
  site.mpis.resize(1);
  site.mpis[0].installed.flavour = "mpich";
  Session session(options, site);
  std::vector<Diagnosis> shown{*interference(kRuns, 7, nullptr), *interference(kRuns, 7, &kSeen)};
  for (Diagnosis& each : shown) each.mpi = "mpich";
  leave_out_own_threads(session, shown);
  EXPECT_EQ(shown.size(), 2U) << "nothing says that they have such threads";
  session.mpis[0].observations = {{"mpi.setting.changed", "", "MPIR_CVAR_ASYNC_PROGRESS", {}, {}}};
  leave_out_own_threads(session, shown);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_TRUE(names_processes(shown[0]));
  ASSERT_EQ(session.validation.observations.size(), 1U);
  EXPECT_THAT(session.validation.observations[0].text, HasSubstr("threads for progress"));
}

}  // namespace
}  // namespace plumbline::cli::validate
