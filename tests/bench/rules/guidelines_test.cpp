// How a campaign of guidelines is judged: a violation, an artefact, and noise, by samples whose truth is known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/rules/table/table.hpp"
#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;
using test::outcomes_of;
using ::testing::SizeIs;

constexpr char kGatherRule[] = "rule.gather.allgather";

RuleOptions of_guidelines() {
  RuleOptions options;
  options.together = TestsTogether::kCampaign;
  options.within_runs = true;
  options.least_ratio = 1.05;
  return options;
}

// Repetitions of each run: `us` times these.
void add(MadeCampaign& made, const std::string& operation, std::uint64_t bytes, double us,
         const std::vector<double>& repetitions) {
  made.add(operation, bytes, us);
  for (Cell& cell : made.campaign().cells) {
    if (cell.operation != operation || cell.bytes != bytes) continue;
    const double median = cell.seconds[0];
    cell.seconds.clear();
    for (const double each : repetitions) cell.seconds.push_back(each * median);
    cell.flags.assign(repetitions.size(), 0);
  }
}

const std::vector<double> kNarrow{0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03}, kWide{0.1, 0.2, 0.5, 1, 1.2, 2, 9};

RuleOutcome outcome_at(const RulesVerdict& verdict, std::uint64_t bytes) {
  for (const RuleOutcome& outcome : outcomes_of(verdict, kGatherRule))
    if (outcome.bytes == bytes) return outcome;
  return {};
}

TEST(Guidelines, TellAViolationFromAnArtefactAndFromNoise) {
  MadeCampaign made(8);
  add(made, "gather", 8, 1.3, kNarrow);  // a violation: 1.3 times, and hardly any spread
  add(made, "allgather", 8, 1, kNarrow);
  add(made, "gather", 64, 14, kWide);  // an artefact: 14 times, between quartiles that span all of that
  add(made, "allgather", 64, 1, {0.5, 0.6, 0.9, 1, 2, 3, 20});
  made.add_runs("gather", 512, {1, 9, 1.1, 8, 1.2, 7, 1.3, 6});  // noise: 1.9 times, in no order
  made.add_runs("allgather", 512, {2, 1, 3, 1.4, 2.2, 5, 1.9, 2.3});
  const RulesVerdict verdict = judge_rules(made.campaign(), of_guidelines());
  const RuleOutcome violation = outcome_at(verdict, 8), artefact = outcome_at(verdict, 64),
                    noise = outcome_at(verdict, 512);
  EXPECT_TRUE(violation.violated && !violation.artefact);
  EXPECT_NEAR(violation.ratio, 1.3, 1e-9);
  EXPECT_NEAR(violation.fast_within.low, 1.3e-6 * 0.98 * 1.0035, 1e-9);
  EXPECT_NEAR(violation.slow_within.high, 1e-6 * 1.02 * 1.0035, 1e-9);
  EXPECT_TRUE(artefact.artefact && !artefact.violated);
  EXPECT_NEAR(artefact.ratio, 14, 1e-9);
  EXPECT_NEAR(artefact.p, 1 / 12870.0, 1e-9) << "run by run nothing is clearer: 1 in C(16, 8)";
  EXPECT_GT(noise.ratio, 1.5);
  EXPECT_FALSE(noise.violated || noise.artefact);
  EXPECT_GT(noise.q, 0.05);
}

// A validation looks at runs alone: there the same samples are a violation.
TEST(Guidelines, LookWithinRunsOnlyWhereTheyAreToldTo) {
  MadeCampaign made(8);
  add(made, "gather", 64, 14, kWide);
  add(made, "allgather", 64, 1, {0.5, 0.6, 0.9, 1, 2, 3, 20});
  EXPECT_TRUE(outcome_at(judge_rules(made.campaign()), 64).violated);
  EXPECT_TRUE(outcome_at(judge_rules(made.campaign(), of_guidelines()), 64).artefact);
}

// One violation with p = 1 / 12870 among tests of chance alone: with 60 others q is 0.005, with 1,200 it is 0.09.
TEST(Guidelines, AreAdjustedForAllTestsOfACampaign) {
  const auto verdict_among = [](int sizes) {
    MadeCampaign made(8);
    made.add("gather", 8, 3);
    made.add("allgather", 8, 1);
    for (int i = 0; i < sizes; ++i) {
      made.add("gather", 1000 + 1000U * static_cast<unsigned>(i), 1);
      made.add("allgather", 1000 + 1000U * static_cast<unsigned>(i), 1.5);
    }
    made.add_layout(1, 2, "mpich");
    for (int i = 0; i < sizes; ++i) {
      made.add("gather", 9 + static_cast<unsigned>(i), 1);
      made.add("allgather", 9 + static_cast<unsigned>(i), 1.5);
    }
    RuleOptions options = of_guidelines();
    static const std::vector<Rule> table = guidelines_of(
        "built_in = false\n[[guideline]]\nid = \"rule.gather.allgather\"\nfast = \"gather(b)\"\nslow = "
        "\"allgather(b)\"\n",
        "one.toml", nullptr);
    return judge_rules(made.campaign(), options, table);
  };
  const RulesVerdict few = verdict_among(30), many = verdict_among(600);
  EXPECT_THAT(few.outcomes, SizeIs(61));
  EXPECT_TRUE(outcome_at(few, 8).violated);
  EXPECT_NEAR(outcome_at(few, 8).q, 61 / 12870.0, 1e-9);
  EXPECT_NEAR(outcome_at(many, 8).q, 1201 / 12870.0, 1e-9) << "of both MPIs together";
  EXPECT_FALSE(outcome_at(many, 8).violated);
}

TEST(Guidelines, OfWhatHasNoSizeAreViolatedByOneOutcome) {
  MadeCampaign made(8);
  made.add("cart_create", 0, 13, {{"topology", "none"}});
  made.add("dist_graph_create_adjacent", 0, 10, {{"topology", "von_neumann"}});
  static const std::vector<Rule> table = guidelines_of(
      "built_in = false\n[[guideline]]\nid = \"gl1\"\nfast = \"cart_create\"\n"
      "slow = \"dist_graph_create_adjacent topology=von_neumann\"\n",
      "one.toml", nullptr);
  const RulesVerdict verdict = judge_rules(made.campaign(), {}, table);
  ASSERT_THAT(verdict.outcomes, SizeIs(1));
  EXPECT_EQ(verdict.outcomes[0].of_fast, "cart_create");
  EXPECT_EQ(verdict.outcomes[0].of_slow, "dist_graph_create_adjacent, von Neumann");
  EXPECT_TRUE(verdict.summaries.at(0).violated);
}

}  // namespace
}  // namespace plumbline::bench
