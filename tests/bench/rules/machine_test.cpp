// Under both MPIs: that the campaign of the rules is one, and that shared memory which is switched off is seen.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/output.hpp"
#include "bench/campaign/description.hpp"
#include "bench/campaign/launch.hpp"
#include "bench/campaign/schedule.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/rules/campaign.hpp"
#include "bench/rules/retest.hpp"
#include "tests/bench/rules/made_campaign.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using ::testing::HasSubstr;

constexpr char kMemory[] = "rule.shared-memory.loopback";

class RulesOf : public testing::TestWithParam<const char*> {
 protected:
  Catalogue catalogue() const {
    return ask_for_catalogue(fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam()));
  }

  Description parsed(const std::string& text) const {
    return parse_description(text, "rules.toml", catalogue(), {{"openmpi", "mpich"}, 2});
  }

  Campaign measured(const std::string& text, const std::string& surroundings) const {
    const std::string file = (directory_.path() / "rules.toml").string(), result = directory_.path() / "rules.h5";
    write_file(file, text, Overwrite::kYes);
    const auto ran =
        plumbline::test::run_command(fmt::format("{} PLUMBLINE_RANKS_DIR={} {} bench {} -o {} --force", surroundings,
                                                 PLUMBLINE_PROGRAMS, PLUMBLINE, file, result),
                                     ".", 110);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return read_campaign(result);
  }

  // Round trips through memory and through the loopback, and nothing else.
  std::string text_of_memory(std::uint64_t seed) const {
    std::vector<RuleCell> cells;
    for (const std::uint64_t bytes : {8, 1024})
      for (const Place place : {Place::kOfLayout, Place::kThroughLoopback})
        cells.push_back({"round_trip", {}, place, bytes});
    RulesCampaign options = rules_campaign(RulesLevel::kQuick);
    options.mpis = {GetParam()};
    options.runs = 5;
    options.seed = seed;
    return campaign_text_of(cells, options);
  }

  // Other tests may have the cores: as a validation does, what is not seen is looked at again.
  bool is_seen(const std::string& surroundings, bool wanted) {
    for (std::uint64_t attempt = 1; attempt <= 3; ++attempt) {
      const RulesVerdict verdict = judge_rules(measured(text_of_memory(attempt), surroundings));
      const RuleSummary* summary = test::summary_of(verdict, kMemory, GetParam());
      if (summary == nullptr) {
        ADD_FAILURE() << "no summary";
        return !wanted;
      }
      not_judged_ = summary->not_judged;
      if (summary->worst) std::printf("%s\n", text_of(verdict.outcomes[*summary->worst]).c_str());
      if (summary->violated == wanted || !not_judged_.empty()) return summary->violated;
    }
    return !wanted;
  }

  const plumbline::test::TemporaryDirectory directory_;
  std::string not_judged_;
};

TEST_P(RulesOf, AreMeasuredByACampaignThatRanksCanDo) {
  for (const RulesLevel level : {RulesLevel::kQuick, RulesLevel::kDefault, RulesLevel::kFull})
    for (const std::uint32_t nodes : {1, 4})
      for (const std::uint32_t per_node : {1, 2, 16}) {
        if (nodes * per_node < 2) continue;
        RulesCampaign options = rules_campaign(level);
        options.nodes = nodes;
        options.per_node = per_node;
        options.directory = "/scratch/a \"b\"";
        options.launcher = "srun -N {nodes} --ntasks-per-node {per_node} \"a b\" {program}";
        options.mpis = {GetParam()};
        const Description description = parsed(campaign_text(options));
        EXPECT_EQ(description.runs, options.runs);
        EXPECT_EQ(description.layouts.size(), nodes == 1 ? 3U : 5U);
        EXPECT_EQ(description.layouts[0].launcher.at(5), "a b");
        for (std::size_t i = 0; i < description.requests.size(); ++i) {
          const bool somewhere = std::ranges::any_of(
              description.layouts, [&](const Layout& layout) { return is_measured_in(layout, description, i); });
          EXPECT_TRUE(somewhere) << description.requests[i].operation;
        }
      }
}

TEST_P(RulesOf, AreAllJudgedByTheirCampaign) {
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.nodes = 4;
  options.per_node = 2;
  options.directory = "/scratch";
  options.mpis = {GetParam()};
  const Description description = parsed(campaign_text(options));
  Campaign campaign;
  for (const Start& start : starts_of(description)) {
    const Layout& layout = description.layouts[start.layout];
    bench::Run& run = campaign.runs.emplace_back();
    run.mpi = GetParam();
    run.nodes = layout.nodes;
    run.per_node = layout.per_node;
    for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) run.node_of.push_back(rank / layout.per_node);
    for (const Request& request : plan_of(description, start).requests) {
      Cell& cell = campaign.cells.emplace_back(Cell{request.operation, "library", request.sizes.at(0)});
      cell.run = static_cast<std::uint32_t>(campaign.runs.size() - 1);
      cell.words = request.words;
      cell.numbers = request.numbers;
      if (layout.loopback) cell.words[kWay] = kLoopback;
      if (!layout.threads.empty()) cell.words[kThreads] = layout.threads;
      const bool of_pairs =
          request.operation == "round_trip" || request.operation == "exchange" || request.operation == "bisection";
      if (of_pairs) cell.ranks = {0, 1};
      cell.seconds = {1e-6};
      cell.flags = {0};
    }
  }
  for (const RuleSummary& summary : judge_rules(campaign).summaries) {
    EXPECT_EQ(summary.not_judged, "") << summary.rule->id;
    EXPECT_GE(summary.judged, 1U) << summary.rule->id;
  }
}

TEST_P(RulesOf, SeeThatSharedMemoryIsSwitchedOff) {
  const bool seen = is_seen("OMPI_MCA_btl=tcp,self UCX_TLS=tcp", true);
  if (!not_judged_.empty()) GTEST_SKIP() << not_judged_;
  EXPECT_TRUE(seen);
}

TEST_P(RulesOf, SeeNothingOfTheKindWhereItIsOn) {
  const bool seen = is_seen("env -u OMPI_MCA_btl -u UCX_TLS", false);
  if (!not_judged_.empty()) GTEST_SKIP() << not_judged_;
  EXPECT_FALSE(seen);
}

// What is asked for again has the same form: nothing that ranks do not know, and the same cells.
TEST_P(RulesOf, AreMeasuredAgainInTheSameForm) {
  const RulesVerdict first = judge_rules(measured(text_of_memory(1), ""));
  std::vector<Suspect> suspects;
  for (const RuleOutcome& outcome : test::outcomes_of(first, kMemory)) suspects.push_back(suspect_of(outcome));
  ASSERT_FALSE(suspects.empty());
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.mpis = {GetParam()};
  const std::vector<Campaign> again = {measured(retest_text(suspects, options), "")};
  for (const Suspect& suspect : suspects) EXPECT_EQ(retest_of(suspect, again).fast_s.size(), 1U) << suspect.of_fast;
}

INSTANTIATE_TEST_SUITE_P(OfBoth, RulesOf, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
