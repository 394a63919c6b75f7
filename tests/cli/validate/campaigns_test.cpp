#include "cli/workflows/validate/session/campaigns.hpp"

#include <gtest/gtest.h>

namespace plumbline::cli::validate {
namespace {

constexpr const char* kSwitches = "ranks were taken off their cores 3 times";

bench::Campaign campaign_of(const std::vector<std::vector<std::string>>& disturbances) {
  bench::Campaign campaign;
  for (const auto& each : disturbances) campaign.runs.emplace_back().disturbances = each;
  return campaign;
}

TEST(DisturbedRuns, AreToldApartByWhoDisturbedThem) {
  const bench::Campaign campaign =
      campaign_of({{kSwitches}, {kSwitches, "a load of 1.4 by others before the run"}, {}, {kSwitches}});
  EXPECT_EQ(disturbed_runs(campaign, "rules", true),
            "others used the machine in 1 of 4 runs of the rules: a load of 1.4 by others before the run");
  EXPECT_EQ(
      disturbed_runs(campaign, "rules", false),
      "ranks lost their cores for moments in 3 of 4 runs of the rules: ranks were taken off their cores 3 times, in "
      "the first of them");
}

TEST(DisturbedRuns, AreNoWordWhereThereIsNone) {
  EXPECT_EQ(disturbed_runs(campaign_of({{kSwitches}, {}}), "rules", true), "");
  EXPECT_EQ(disturbed_runs(campaign_of({{}}), "rules", false), "");
}

}  // namespace
}  // namespace plumbline::cli::validate
