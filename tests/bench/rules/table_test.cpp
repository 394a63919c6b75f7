// The table: sizes of both sides by hand, for four ranks, and that it is whole.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bench/rules/campaign.hpp"
#include "bench/rules/proposals.hpp"
#include "bench/rules/series.hpp"
#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using test::MadeCampaign;
using test::outcomes_of;
using ::testing::SizeIs;

// Blocks of 16 B of each of four ranks: vectors of 64 B.
RulesVerdict of_four_ranks() {
  MadeCampaign made(8, 1, 4);
  for (const char* block : {"gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
                            "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block"})
    for (const std::uint64_t bytes : {4, 16, 64}) made.add(block, bytes, 1);
  for (const char* vector : {"bcast", "reduce", "allreduce", "scan", "exscan", "reduce_local"})
    for (const std::uint64_t bytes : {16, 64, 256}) made.add(vector, bytes, 1);
  return judge_rules(made.campaign());
}

struct Sides {
  const char *rule, *fast, *slow;
};

constexpr Sides kOfFourRanks[] = {
    {"rule.gather.allgather", "gather 16 B", "allgather 16 B"},
    {"rule.gather.reduce", "gather 16 B", "reduce 64 B"},
    {"rule.scatter.bcast", "scatter 16 B", "bcast 64 B"},
    {"rule.bcast.scatter-allgather", "bcast 64 B", "scatter 16 B + allgather 16 B"},
    {"rule.reduce.allreduce", "reduce 64 B", "allreduce 64 B"},
    {"rule.reduce.reduce-scatter-gather", "reduce 64 B", "reduce_scatter_block 16 B + gather 16 B"},
    {"rule.allgather.alltoall", "allgather 16 B", "alltoall 16 B"},
    {"rule.allgather.allreduce", "allgather 16 B", "allreduce 64 B"},
    {"rule.allgather.gather-bcast", "allgather 16 B", "gather 16 B + bcast 64 B"},
    {"rule.reduce-scatter.allreduce", "reduce_scatter 16 B", "allreduce 64 B"},
    {"rule.reduce-scatter.reduce-scatterv", "reduce_scatter 16 B", "reduce 64 B + scatterv 16 B"},
    {"rule.reduce-scatter-block.reduce-scatter", "reduce_scatter_block 16 B", "reduce 64 B + scatter 16 B"},
    {"rule.allreduce.reduce-bcast", "allreduce 64 B", "reduce 64 B + bcast 64 B"},
    {"rule.allreduce.reduce-scatter-allgather", "allreduce 64 B", "reduce_scatter_block 16 B + allgather 16 B"},
    {"rule.scan.exscan-reduce", "scan 64 B", "exscan 64 B + reduce_local 64 B"},
};

TEST(Rules, CompareEqualAmountsOfData) {
  const RulesVerdict verdict = of_four_ranks();
  for (const Sides& sides : kOfFourRanks) {
    const std::vector<RuleOutcome> outcomes = outcomes_of(verdict, sides.rule);
    ASSERT_THAT(outcomes, SizeIs(3)) << sides.rule;
    EXPECT_EQ(outcomes[1].of_fast, sides.fast) << sides.rule;
    EXPECT_EQ(outcomes[1].of_slow, sides.slow) << sides.rule;
  }
}

TEST(Rules, AddUpTheTermsOfASideRunByRun) {
  MadeCampaign made(8, 1, 4);
  made.add_runs("allreduce", 64, {1, 2, 3, 4, 5, 6, 7, 8});
  made.add_runs("reduce", 64, {10, 20, 30, 40, 50, 60, 70, 80});
  made.add_runs("bcast", 64, {100, 200, 300, 400, 500, 600, 700, 800});
  const std::vector<RuleOutcome> outcomes = outcomes_of(judge_rules(made.campaign()), "rule.allreduce.reduce-bcast");
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_NEAR(outcomes[0].slow[2], 330e-6, 1e-12);
  EXPECT_NEAR(outcomes[0].fast[2], 3e-6, 1e-12);
}

TEST(Rules, HoldAllPairsAtOnceAgainstOneAloneAndAgainstAsManyOneByOne) {
  MadeCampaign made(8, 6, 1);
  made.add("bisection", 1 << 20, 3, {}, true);
  made.add("exchange", 1 << 20, 1, {}, true);
  const std::vector<RuleOutcome> outcomes = outcomes_of(judge_rules(made.campaign()), "net.backplane");
  ASSERT_THAT(outcomes, SizeIs(2));
  EXPECT_EQ(outcomes[0].of_slow, "3 times exchange 1 MiB between nodes");
  EXPECT_NEAR(outcomes[0].ratio, 1, 1e-9);
  EXPECT_NEAR(outcomes[1].ratio, 3, 1e-9);
  EXPECT_FALSE(outcomes[0].violated);
  EXPECT_TRUE(outcomes[1].violated);
}

TEST(Rules, HoldTheLoopbackOfOneLayoutAgainstTheNetworkOfAnother) {
  MadeCampaign made(8, 1, 2);
  made.add("round_trip", 8, 9, {{kWay, kLoopback}}, true);
  made.add_layout(4, 1);
  made.add("round_trip", 8, 3, {}, true);
  const std::vector<RuleOutcome> outcomes = outcomes_of(judge_rules(made.campaign()), "rule.loopback.network");
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_EQ(outcomes[0].of_slow, "round_trip 8 B between nodes");
  EXPECT_NEAR(outcomes[0].ratio, 3, 1e-9);
}

TEST(Rules, KeepThreadsAndTopologiesApart) {
  MadeCampaign made;
  made.add("allreduce", 16, 2);
  made.add("allreduce", 16, 1, {{kThreads, "multiple"}});
  made.add("allgather", 8, 2);
  made.add("neighbor_allgather", 8, 1, {{"topology", "complete"}});
  made.add("neighbor_allgather", 8, 5, {{"topology", "cartesian"}});
  const RulesVerdict verdict = judge_rules(made.campaign());
  const std::vector<RuleOutcome> threads = outcomes_of(verdict, "rule.thread-single"),
                                 near = outcomes_of(verdict, "rule.neighbourhood");
  ASSERT_THAT(threads, SizeIs(1));
  EXPECT_NEAR(threads[0].ratio, 2, 1e-9);
  EXPECT_EQ(threads[0].of_slow, "allreduce 16 B with MPI_THREAD_MULTIPLE");
  ASSERT_THAT(near, SizeIs(1));
  EXPECT_NEAR(near[0].ratio, 2, 1e-9);
  EXPECT_EQ(near[0].of_slow, "neighbor_allgather 8 B among all ranks");
}

TEST(Rules, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.text.empty());
    EXPECT_EQ(rule.comparisons.empty(), rule.kind != Rule::Kind::kPattern) << rule.id;
    for (const Comparison& comparison : rule.comparisons) {
      EXPECT_FALSE(comparison.fast.empty() || comparison.slow.empty()) << rule.id;
      EXPECT_EQ(find_rule(rule.id), &rule);
    }
  }
  EXPECT_EQ(ids.size(), 25U);
  EXPECT_EQ(find_rule("rule.none"), nullptr);
}

// Eight ranks on as many nodes: blocks of 8 B, 1, 16 and 256 KiB are 64 B, 8, 128 and 2048 KiB of all ranks.
TEST(CampaignOfRules, LeavesOutBetweenNodesWhatALinkDoesNotCarryInTime) {
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.nodes = 8;
  options.per_node = 1;
  const auto has = [&](const char* sizes) { return testing::HasSubstr(std::string("sizes = [") + sizes + "]"); };
  EXPECT_THAT(campaign_text(options), has("8, 1024, 16384, 262144")) << "the rate is not known";
  options.link_rate = 12.5e6;  // 128 KiB take 10.5 ms of 25, 2 MiB 168 ms
  EXPECT_THAT(campaign_text(options),
              testing::AllOf(has("8, 1024, 16384"), testing::Not(testing::HasSubstr("262144,"))));
  options.link_rate = 1;
  EXPECT_THAT(campaign_text(options), has("8")) << "the smallest always";
  options.link_rate = 12.5e6;
  options.nodes = 1;
  options.per_node = 8;
  EXPECT_THAT(campaign_text(options), has("8, 1024, 16384, 262144")) << "no link is between ranks of one node";
}

Rule of_sizes(std::vector<std::string> operations) {
  Rule rule;
  rule.id = "my.sizes";
  rule.kind = Rule::Kind::kMonotony;
  rule.operations = std::move(operations);
  return rule;
}

TEST(CampaignOfRules, MeasuresWhatGuidelinesOfSizesAloneName) {
  const std::vector<Rule> table{of_sizes({"ibcast", "file_read_at"})};
  EXPECT_THAT(campaign_text(rules_campaign(RulesLevel::kQuick), table),
              testing::AllOf(testing::HasSubstr("operation = [\"ibcast\"]\nsizes = [8, 1024, 16384, 262144]"),
                             testing::Not(testing::HasSubstr("file_read_at"))))
      << "there is no directory for files";
}

// Bcast is measured for a comparison, at the sizes of that.
TEST(CampaignOfRules, MeasuresWhatGuidelinesOfSizesNameOnlyOnce) {
  std::vector<Rule> table{of_sizes({"bcast", "ibcast"})};
  table.emplace_back().comparisons.push_back({"", {Term{"bcast", Term::Size::kWhole}}, {Term{"scatter"}}});
  std::set<std::uint64_t> of_bcast;
  for (const RuleCell& cell : cells_of(rules_campaign(RulesLevel::kQuick), table))
    if (cell.operation == "bcast") of_bcast.insert(cell.bytes);
  EXPECT_THAT(of_bcast, testing::ElementsAre(16, 2048, 32768, 524288));
}

// Comparisons of the built-in table measure all operations that its guidelines of sizes name.
TEST(CampaignOfRules, IsInAValidationNoLongerForGuidelinesOfSizes) {
  std::vector<Rule> comparisons(rules().begin(), rules().end());
  for (Rule& rule : comparisons) rule.operations.clear();
  for (const std::uint32_t nodes : {1U, 2U}) {
    RulesCampaign options = rules_campaign(RulesLevel::kFull);
    options.nodes = nodes;
    options.directory = "/tmp";
    EXPECT_EQ(campaign_text(options), campaign_text(options, comparisons));
  }
}

TEST(CampaignOfRules, TakesFreshDataWhereAnOperationCan) {
  const Catalogue catalogue = parse_catalogue(R"({"families": [
    {"name": "bcast", "bytes": "the message", "implementations": ["library"], "parameters": [
      {"name": "fresh_mib", "default": "0"}]},
    {"name": "put", "bytes": "the message", "implementations": ["library"], "parameters": []}]})",
                                              "two");
  const std::vector<Rule> table{of_sizes({"bcast", "put"})};
  for (const RuleCell& cell : cells_of(rules_campaign(RulesLevel::kQuick), table, &catalogue))
    EXPECT_EQ(cell.settings, cell.operation == "put" ? RuleSettings{} : (RuleSettings{{"fresh_mib", "4"}}));
}

// Of 16 ranks blocks of 256 KiB are vectors of 4 MiB, and blocks of 2 MiB of 32.
TEST(CampaignOfRules, LeavesOutLargeVectorsUnlessItIsToldOtherwise) {
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.per_node = 16;
  options.blocks.push_back(2 << 20);
  EXPECT_THAT(campaign_text(options), testing::Not(testing::HasSubstr("2097152")));
  EXPECT_THAT(left_out_blocks(options), testing::ElementsAre(2 << 20));
  options.largest_vector = 64 << 20;
  EXPECT_THAT(campaign_text(options), testing::HasSubstr("262144, 2097152]"));
  EXPECT_THAT(left_out_blocks(options), testing::IsEmpty());
}

// What is to be computed is another time in each run.
TEST(Rules, TellPhasesOfAnOperationApartAndNotWhatIsComputed) {
  MadeCampaign made;
  made.add("ibcast", 8, 9, {{"phase", "together"}});
  made.add("ibcast", 64, 2, {{"phase", "together"}});
  made.add("ibcast", 8, 1, {{"phase", "alone"}});
  made.add("ibcast", 64, 2, {{"phase", "alone"}});
  made.add("ibcast", 8, 9, {{"phase", "compute"}});
  made.add("ibcast", 64, 1, {{"phase", "compute"}});
  for (Cell& cell : made.campaign().cells)
    if (cell.words.at("phase") != "alone") {
      cell.numbers["compute_s"] = 1e-6 + 1e-9 * cell.run;
      cell.numbers["overlap_percent"] = cell.run;
    }
  std::vector<Rule> table{of_sizes({"ibcast"})};
  table.emplace_back().comparisons.push_back({"",
                                              {Term{"ibcast", Term::Size::kBlock, "phase=together"}},
                                              {Term{"ibcast", Term::Size::kBlock, "phase=alone"}}});
  table.back().id = "my.overlap";
  const RulesVerdict verdict = judge_rules(made.campaign(), {}, table);
  const std::vector<RuleOutcome> sizes = outcomes_of(verdict, "my.sizes"), both = outcomes_of(verdict, "my.overlap");
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both[0].of_fast, "ibcast 8 B, together");
  EXPECT_NEAR(both[0].ratio, 9, 1e-9);
  ASSERT_THAT(sizes, SizeIs(2)) << "computing alone is no operation of MPI";
  EXPECT_FALSE(sizes[0].violated);
  EXPECT_TRUE(sizes[1].violated);
  EXPECT_THAT(campaign_text_of(both[0].cells, rules_campaign(RulesLevel::kQuick)),
              testing::Not(testing::AnyOf(testing::HasSubstr("phase"), testing::HasSubstr("compute_s"))));
}

TEST(CampaignOfRules, AsksForAsManyRepetitionsAsItIsTold) {
  RulesCampaign options = rules_campaign(RulesLevel::kQuick);
  options.least = 20;
  EXPECT_THAT(campaign_text(options), testing::HasSubstr("least = 20\n"));
}

TEST(Proposals, AreInTheWordsOfTheLibrary) {
  MadeCampaign made;
  made.add("allreduce", 16, 9);
  made.add("reduce", 16, 1);
  made.add("bcast", 16, 1);
  made.add_layout(1, 2, "mpich");
  made.add("allreduce", 16, 9);
  made.add("reduce_scatter_block", 8, 1);
  made.add("allgather", 8, 1);
  const RulesVerdict verdict = judge_rules(made.campaign());
  EXPECT_THAT(
      proposal_for(outcomes_of(verdict, "rule.allreduce.reduce-bcast").at(0)).lines,
      testing::ElementsAre("OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll_tuned_allreduce_algorithm=2"));
  EXPECT_THAT(proposal_for(outcomes_of(verdict, "rule.allreduce.reduce-scatter-allgather").at(0)).lines,
              testing::ElementsAre("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling"));
}

TEST(Proposals, SayAtLeastWhatAProgramCanDo) {
  for (const Rule& rule : rules())
    for (const char* mpi : {"openmpi", "mpich"}) {
      RuleOutcome outcome;
      outcome.rule = &rule;
      outcome.mpi = mpi;
      outcome.operation = rule.comparisons.empty() ? "bcast" : rule.comparisons[0].fast[0].operation;
      EXPECT_FALSE(proposal_for(outcome).why.empty()) << rule.id;
    }
}

}  // namespace
}  // namespace plumbline::bench
