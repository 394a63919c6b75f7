// Campaigns of chance alone: where all is alike, hardly anything is found.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;

// Everything takes as long as everything else, with noise that has a long tail upwards, as times of messages have.
Campaign of_chance_alone(std::mt19937_64& random) {
  std::lognormal_distribution<> noise(0, 0.3);
  MadeCampaign made(8);
  const auto add = [&](const std::string& operation, std::uint64_t bytes, const test::Words& words = {}) {
    std::vector<double> medians(8);
    for (double& median : medians) median = 10 * noise(random);
    made.add_runs(operation, bytes, medians, words);
  };
  for (const std::uint64_t block : {8, 64, 512, 4096}) {
    for (const char* operation : {"gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
                                  "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block"})
      add(operation, block);
    for (const char* operation : {"bcast", "reduce", "allreduce", "scan", "exscan", "reduce_local"})
      add(operation, 2 * block);
    for (const char* topology : {"cartesian", "complete"})
      for (const char* operation : {"neighbor_allgather", "neighbor_alltoall"})
        add(operation, block, {{"topology", topology}});
  }
  return made.campaign();
}

// Where nothing differs every discovery is false, so that the rate which is controlled is that of campaigns with any:
// 5 % in each of the two lots that are adjusted together. 200 campaigns with 10 % have 20 of them, and more than 33 by
// a chance of 0.001.
TEST(Judge, FindsHardlyAnythingInChance) {
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  RuleOptions options;
  options.least_ratio = 1;
  int with_any = 0, with_a_rule = 0;
  for (int i = 0; i < 200; ++i) {
    bool any = false, rule = false;
    const RulesVerdict verdict = judge_rules(of_chance_alone(random), options);
    ASSERT_GT(verdict.outcomes.size(), 150U);
    for (const RuleOutcome& outcome : verdict.outcomes) any = any || outcome.violated;
    for (const RuleSummary& summary : verdict.summaries) rule = rule || summary.violated;
    with_any += any ? 1 : 0;
    with_a_rule += rule ? 1 : 0;
  }
  std::printf("of 200 campaigns %d have a violation, %d a rule that is violated as a whole\n", with_any, with_a_rule);
  EXPECT_LE(with_any, 33);
  EXPECT_LE(with_a_rule, with_any);
}

// And what is really twice as slow is found each time.
TEST(Judge, FindsAmongChanceWhatIsTwiceAsSlow) {
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  int found = 0;
  for (int i = 0; i < 50; ++i) {
    Campaign campaign = of_chance_alone(random);
    for (Cell& cell : campaign.cells)
      if (cell.operation == "gather")
        for (double& seconds : cell.seconds) seconds *= 4;
    const RulesVerdict verdict = judge_rules(campaign);
    found += test::summary_of(verdict, "rule.gather.allgather")->violated ? 1 : 0;
  }
  std::printf("found in %d of 50\n", found);
  EXPECT_GE(found, 48);
}

// Whatever a campaign has in it, judging ends and says nothing that is no number.
TEST(Judge, BearsCampaignsOfAnyContent) {
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::string> operations = {"gather", "allgather", "round_trip", "exchange", "bisection",
                                               "bcast",  ""};
  for (int i = 0; i < 300; ++i) {
    Campaign campaign;
    for (std::uint64_t n = random() % 12; n > 0; --n) {
      bench::Run& run = campaign.runs.emplace_back();
      run.mpi = random() % 2 == 0 ? "openmpi" : "";
      run.nodes = static_cast<std::uint32_t>(random() % 3);
      run.per_node = static_cast<std::uint32_t>(random() % 3);
      run.node_of.assign(random() % 3, 0);
    }
    for (std::uint64_t n = random() % 60; n > 0; --n) {
      Cell& cell = campaign.cells.emplace_back();
      cell.operation = operations[random() % operations.size()];
      cell.implementation = random() % 5 == 0 ? "ring" : "library";
      cell.bytes = random() % 4 == 0 ? random() : random() % 4;
      cell.run = static_cast<std::uint32_t>(random() % 14);
      cell.ranks.assign(random() % 3, static_cast<std::uint32_t>(random() % 5));
      if (random() % 3 == 0) cell.words[kWay] = random() % 2 == 0 ? kLoopback : "";
      for (std::uint64_t k = random() % 5; k > 0; --k) cell.seconds.push_back(random() % 2 == 0 ? 0 : 1e-6);
      cell.flags.assign(random() % 6, static_cast<std::uint8_t>(random() % 2));
    }
    RuleOptions options;
    options.least_runs = random() % 5;
    for (const RuleOutcome& outcome : judge_rules(campaign, options).outcomes) {
      EXPECT_FALSE(std::isnan(outcome.ratio) || std::isnan(outcome.q) || std::isnan(outcome.p));
      EXPECT_FALSE(text_of(outcome).empty());
    }
  }
}

}  // namespace
}  // namespace plumbline::bench
