#include "cli/workflows/validate/causes/cause_rules.hpp"

#include <gmock/gmock.h>

#include <cstddef>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using testing::ElementsAre;
using testing::IsEmpty;

Diagnosis diagnosis(const std::string& id, const std::string& mpi = "openmpi", double cost_s = 1) {
  Diagnosis made;
  made.id = id;
  made.title = "title of " + id;
  made.mpi = mpi;
  made.cost_s = cost_s;
  return made;
}

std::vector<std::string> ids_of(const std::vector<Diagnosis>& diagnoses) {
  std::vector<std::string> ids;
  for (const Diagnosis& each : diagnoses) ids.push_back(each.id);
  return ids;
}

std::vector<std::string> ids_of(const std::vector<Suspicion>& suspicions) {
  std::vector<std::string> ids;
  for (const Suspicion& each : suspicions) ids.push_back(each.diagnosis.id);
  return ids;
}

TEST(IsCausedBy, NamesWhatASettingExplainsWithTheSameMpi) {
  const Diagnosis setting = diagnosis("mpi.transport.no-shared-memory");
  EXPECT_TRUE(is_caused_by(diagnosis("suite.slower"), setting));
  EXPECT_TRUE(is_caused_by(diagnosis("rule.shared-memory"), setting)) << "any rule";
  EXPECT_TRUE(is_caused_by(diagnosis("rule.shared-memory", ""), setting)) << "of no MPI";
  EXPECT_FALSE(is_caused_by(diagnosis("suite.slower", "mpich"), setting));
  EXPECT_FALSE(is_caused_by(diagnosis("storage.slow"), setting));
  EXPECT_FALSE(is_caused_by(diagnosis("storage.slower"), diagnosis("io.hints.file"))) << "no id begins like another";
}

// Its threads have the processors of other ranks. Where processes were seen, on one node or on all, it is their doing.
TEST(IsCausedBy, NamesThreadsForProgressWhereNobodyElseWasSeen) {
  Diagnosis setting = diagnosis("mpi.setting.changed", "mpich"), interference = diagnosis("cpu.interference", "mpich");
  setting.component = "MPIR_CVAR_ASYNC_PROGRESS";
  EXPECT_TRUE(is_caused_by(interference, setting));
  setting.component = "MPIR_CVAR_NOLOCAL";
  EXPECT_FALSE(is_caused_by(interference, setting));
  setting.component = "MPIR_CVAR_CH4_CMA_ENABLE, MPIR_CVAR_ASYNC_PROGRESS";
  EXPECT_TRUE(is_caused_by(interference, setting)) << "settings that only cost together";
  interference.evidence = {{"messages, ready and not running", "0.4", "s"}};
  EXPECT_TRUE(is_caused_by(interference, setting));
  interference.evidence.push_back({"dd (process 12)", "0.97", "processors"});
  EXPECT_FALSE(is_caused_by(interference, setting));
}

TEST(IsCausedBy, NamesAForcedAlgorithmForItsOwnCollectiveAlone) {
  Diagnosis setting = diagnosis("mpi.collectives.forced", "mpich"), rule = diagnosis("rule.regular.vector", "mpich");
  setting.component = "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM";
  rule.component = "alltoall";
  EXPECT_TRUE(is_caused_by(rule, setting));
  rule.component = "bcast";
  EXPECT_FALSE(is_caused_by(rule, setting));
  setting.component = "coll_han_priority";
  EXPECT_TRUE(is_caused_by(rule, setting)) << "it is of all collectives";
}

TEST(FoldIntoCauses, MakesWhatASettingCausesItsEvidence) {
  std::vector<Diagnosis> settings{diagnosis("io.hints.file")};
  std::vector<Diagnosis> shown{diagnosis("storage.slow"), diagnosis("net.link.rate"),
                               diagnosis("io.hints.data-sieving")};
  EXPECT_THAT(ids_of(fold_into_causes(settings, shown)), ElementsAre("storage.slow", "io.hints.data-sieving"));
  EXPECT_THAT(ids_of(shown), ElementsAre("net.link.rate"));
  ASSERT_EQ(settings[0].evidence.size(), 2U);
  EXPECT_EQ(settings[0].evidence[0], (replay::validate::Datum{"storage.slow", "title of storage.slow", ""}));
}

// Each costs 1 s.
TEST(SecondsBeyondExpected, LeaveOutRulesAndMountsWhichThePlatformHoldsAlready) {
  Diagnosis rule = diagnosis("rule.regular.vector");
  rule.reference = replay::validate::Reference::kRule;
  EXPECT_DOUBLE_EQ(seconds_beyond_expected({diagnosis("suite.slower"), diagnosis("cpu.noise"), rule,
                                            diagnosis("fs.mount-options"), diagnosis("fs.nfs-options")}),
                   2);
}

TEST(LeaveOutExplained, MeasuresNothingAgainThatASettingExplains) {
  std::vector<Suspicion> suspicions{{nullptr, diagnosis("suite.slower")}, {nullptr, diagnosis("rank.slow")}};
  std::vector<Diagnosis> shown;
  leave_out_explained({diagnosis("mpi.eager-limit")}, suspicions, shown);
  EXPECT_THAT(ids_of(suspicions), ElementsAre("rank.slow"));
  EXPECT_THAT(ids_of(shown), ElementsAre("suite.slower"));
}

// Of two runs one lost its time by segments: what was timed of it goes, what is certain stays, and so does the other
// run.
TEST(LeaveOutLost, TakesWhatWasTimedInRunsThatLostSegments) {
  const bench::SuiteEntry entry{.name = "messages"};
  SuiteResult lossy, other;
  lossy.entry = other.entry = &entry;
  std::vector<LossyNetwork> networks{{diagnosis("net.retransmits"), {&lossy}}};
  Diagnosis certain = diagnosis("net.link.rate");
  certain.confidence = Confidence::kCertain;
  std::vector<Suspicion> suspicions{{&lossy, diagnosis("rank.slow")},
                                    {&lossy, diagnosis("mpi.collective.algorithm")},
                                    {&lossy, certain},
                                    {&other, diagnosis("rank.slow")}};
  std::map<std::string, std::string> not_judged;
  leave_out_lost(networks, suspicions, not_judged);
  EXPECT_THAT(ids_of(suspicions), ElementsAre("mpi.collective.algorithm", "net.link.rate", "rank.slow"));
  EXPECT_EQ(suspicions.back().run, &other);
  EXPECT_THAT(not_judged, ElementsAre(testing::Pair("rank.slow", "segments were lost in messages")));
  ASSERT_EQ(networks[0].diagnosis.evidence.size(), 1U);
  EXPECT_EQ(networks[0].diagnosis.evidence[0].name, "rank.slow");
}

TEST(TakeCheapest, LeavesTheEightCostliest) {
  std::vector<Suspicion> suspicions;
  for (int i = 0; i < 10; ++i) suspicions.push_back({nullptr, diagnosis("check." + std::to_string(i), "", i)});
  EXPECT_THAT(ids_of(take_cheapest(suspicions)), ElementsAre("check.1", "check.0"));
  ASSERT_EQ(suspicions.size(), 8U);
  EXPECT_EQ(suspicions.front().diagnosis.id, "check.9");
  EXPECT_THAT(take_cheapest(suspicions), IsEmpty());
}

}  // namespace
}  // namespace plumbline::cli::validate
