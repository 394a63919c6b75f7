#include "bench/rules/retest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

MadeCampaign gathers(double gather_us, std::uint32_t runs) {
  MadeCampaign made(runs);
  for (const std::uint64_t bytes : {8, 64}) {
    made.add("gather", bytes, gather_us);
    made.add("allgather", bytes, 1);
  }
  return made;
}

std::vector<Suspect> suspects() { return suspects_of(judge_rules(gathers(2.5, 8).campaign())); }

TEST(Retest, IsOfTheWorstOutcomeOfEachViolatedRule) {
  ASSERT_THAT(suspects(), SizeIs(1));
  EXPECT_EQ(suspects()[0].rule->id, "rule.gather.allgather");
  EXPECT_THAT(suspects()[0].cells, SizeIs(2));
}

TEST(Retest, MeasuresBothSidesAndNothingElse) {
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.seed = 7;
  const std::string text = retest_text(suspects(), options);
  EXPECT_THAT(text, HasSubstr("operation = [\"allgather\", \"gather\"]\nsizes = [8]\nisolation = \"barrier\""));
  EXPECT_THAT(text, HasSubstr("seed = 7"));
  EXPECT_THAT(text, HasSubstr("runs = 5"));
  EXPECT_THAT(text, Not(HasSubstr("bcast")));
  EXPECT_THAT(text, Not(HasSubstr("loopback")));
}

TEST(Retest, PersistsWhereEveryCampaignShowsIt) {
  const std::vector<Campaign> both = {gathers(2.4, 5).campaign(), gathers(2.6, 5).campaign()},
                              one = {gathers(2.4, 5).campaign(), gathers(1, 5).campaign()};
  const RuleRetest again = retest_of(suspects()[0], both);
  EXPECT_TRUE(again.persists);
  EXPECT_THAT(again.fast_s, SizeIs(2));
  EXPECT_THAT(again.slow_s, SizeIs(2));
  EXPECT_FALSE(retest_of(suspects()[0], one).persists);
  EXPECT_FALSE(retest_of(suspects()[0], {}).persists);
  EXPECT_FALSE(retest_of(suspects()[0], std::vector<Campaign>{Campaign{}}).persists);
}

TEST(Retest, HasTheOtherMpiForATwin) {
  MadeCampaign made = gathers(2.5, 5);
  made.add_layout(1, 2, "mpich");
  made.add("gather", suspects()[0].cells[0].bytes, 0.5);
  made.add("allgather", suspects()[0].cells[0].bytes, 1);
  const RuleRetest again = retest_of(suspects()[0], std::vector<Campaign>{made.campaign()});
  EXPECT_TRUE(again.persists);
  ASSERT_THAT(again.twin_fast_s, SizeIs(1));
  EXPECT_NEAR(again.twin_fast_s[0], 0.5e-6, 0.01e-6);
}

}  // namespace
}  // namespace plumbline::bench
