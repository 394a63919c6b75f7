#include "cli/workflows/validate/measure/link_retests.hpp"

#include <gmock/gmock.h>

namespace plumbline::cli::validate {
namespace {

using Rounds = std::vector<std::vector<CellTime>>;
using testing::ElementsAre;

TEST(HostOfLink, IsTheOneAtItsEnd) {
  const std::vector<std::string> hosts{"n1", "n11", "node-a"};
  EXPECT_EQ(host_of_link("link n1-s0", hosts), "n1");
  EXPECT_EQ(host_of_link("link n11-s0, from n11", hosts), "n11");
  EXPECT_EQ(host_of_link("link s0-node-a", hosts), "node-a");
  EXPECT_EQ(host_of_link("link s0-s1", hosts), "") << "between switches";
  EXPECT_EQ(host_of_link("storage /data", hosts), "");
}

// One repetition of the exchange takes 2 and 2.1 s, that of its twin 1 s; streams take the same.
TEST(JudgeRounds, NamesTheCellThatIsSlowerInEveryRound) {
  const Rounds suspect{{{"stream", 10, 10.0}, {"exchange", 2, 4.0}}, {{"stream", 10, 10.0}, {"exchange", 2, 4.2}}};
  const Rounds twin{{{"stream", 10, 10.0}, {"exchange", 2, 2.0}}, {{"stream", 10, 10.0}, {"exchange", 2, 2.0}}};
  const auto retest = judge_rounds(suspect, twin, "n3 with n4 beside n5 with n4");
  ASSERT_TRUE(retest);
  EXPECT_EQ(retest->what, "exchange, n3 with n4 beside n5 with n4");
  EXPECT_DOUBLE_EQ(retest->first, 2.0);
  EXPECT_THAT(retest->again, ElementsAre(2.1));
  EXPECT_THAT(retest->twin, ElementsAre(1.0, 1.0));
  EXPECT_TRUE(retest->persists);
}

TEST(JudgeRounds, DoesNotPersistWhereOneRoundIsAsFastAsThatOfTheTwin) {
  const auto retest = judge_rounds({{{"exchange", 1, 2.0}}, {{"exchange", 1, 1.05}}},
                                   {{{"exchange", 1, 1.0}}, {{"exchange", 1, 1.0}}}, "pair");
  ASSERT_TRUE(retest);
  EXPECT_FALSE(retest->persists);
}

TEST(JudgeRounds, TellsNothingWhereARoundFailed) {
  EXPECT_FALSE(judge_rounds({{{"exchange", 1, 2.0}}, {}}, {{{"exchange", 1, 1.0}}, {{"exchange", 1, 1.0}}}, "pair"));
  EXPECT_FALSE(judge_rounds({}, {}, "pair"));
}

// A cable that is said to take 824 us more, whose ping-pong takes 35 and 62 us more than its twin's: once seen in a
// laboratory without a fault, where the ranks of all nodes share a processor.
TEST(SpeaksFor, ALatencyThatACableHardlyHasByItselfIsNotIts) {
  replay::validate::Diagnosis diagnosis;
  diagnosis.id = "net.latency";
  diagnosis.evidence = {latency_beyond_expected(824e-6)};
  const replay::validate::Retest hardly{"ping_pong:bytes=8, n7 with n0", "s", 362e-6, {262e-6}, {300e-6, 227e-6}, true};
  EXPECT_FALSE(speaks_for(hardly, diagnosis));
  const replay::validate::Retest much{"ping_pong:bytes=8, n7 with n0", "s", 1900e-6, {1950e-6}, {300e-6, 227e-6}, true};
  EXPECT_TRUE(speaks_for(much, diagnosis));
  replay::validate::Retest once = much;
  once.again = {300e-6};
  EXPECT_FALSE(speaks_for(once, diagnosis)) << "in every round";
}

TEST(SpeaksFor, OtherCellsAndOtherDiagnosesGoByTheirRatio) {
  replay::validate::Diagnosis diagnosis;
  const replay::validate::Retest stream{"stream:bytes=1MiB, n7 with n0", "s", 2, {2}, {1, 1}, true};
  EXPECT_TRUE(speaks_for(stream, diagnosis));
  diagnosis.evidence = {latency_beyond_expected(824e-6)};
  EXPECT_TRUE(speaks_for(stream, diagnosis));
  replay::validate::Retest refuted = stream;
  refuted.persists = false;
  EXPECT_FALSE(speaks_for(refuted, diagnosis));
}

}  // namespace
}  // namespace plumbline::cli::validate
