#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/shown.hpp"

#include <gtest/gtest.h>

#include "cli/workflows/validate/measure/retests.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;

replay::Finding finding(replay::Reference reference, const std::string& component) {
  replay::Finding finding;
  finding.reference = reference;
  finding.component = component;
  finding.title = "something is slow";
  finding.cost = TimeSum(milliseconds(250));
  finding.share = 0.05;
  finding.call = "MPI_Allreduce";
  finding.site = "solve (solve.c:88)";
  return finding;
}

Diagnosis only_diagnosis(const replay::Finding& of) {
  replay::Report report;
  report.findings = {of};
  const auto found = diagnoses_of(report, "halo", "mpich");
  EXPECT_EQ(found.size(), 1U);
  return found.at(0);
}

TEST(DiagnosesOfAReport, HaveIdsOfTheCatalogueByWhatIsSlow) {
  using enum replay::Reference;
  const struct {
    replay::Reference reference;
    const char *component, *id;
  } cases[] = {{kStructure, "MPI-IO on /scratch/out", "io.hints.split"},
               {kStructure, "aggregators of MPI-IO on /scratch/out", "io.hints.aggregators"},
               {kStructure, "algorithm of MPI_Allreduce", "mpi.collective.algorithm"},
               {kPeers, "rank 3", "rank.slow"},
               {kPeers, "node n2", "node.slow"},
               {kNominal, "storage /scratch", "storage.slow"},
               {kNominal, "transport between nodes", "suite.slower"}};
  for (const auto& each : cases) {
    EXPECT_EQ(only_diagnosis(finding(each.reference, each.component)).id, each.id) << each.component;
    EXPECT_NE(replay::validate::find_check(each.id), nullptr) << each.id;
  }
}

TEST(DiagnosesOfAReport, OfHintsThatSwitchBufferingOffNameIt) {
  replay::Finding split = finding(replay::Reference::kStructure, "MPI-IO on /scratch/out");
  split.advice = {"the hint romio_cb_write=disable switches collective buffering off: set romio_cb_write=enable"};
  EXPECT_EQ(only_diagnosis(split).id, "io.hints.collective-buffering");
}

TEST(DiagnosesOfAReport, OfLittleAreMadeOnlyOfWhatIsCounted) {
  replay::Report report;
  report.findings = {finding(replay::Reference::kNominal, "transport inside a node")};
  report.findings[0].share = 0.02;
  EXPECT_TRUE(diagnoses_of(report, "halo", "mpich").empty());
  report.findings[0].confidence = replay::Confidence::kCertain;
  EXPECT_EQ(diagnoses_of(report, "halo", "mpich").size(), 1U);
}

TEST(DiagnosesOfAReport, SayWhereTheyAreFrom) {
  const Diagnosis diagnosis = only_diagnosis(finding(replay::Reference::kPeers, "rank 3"));
  EXPECT_DOUBLE_EQ(diagnosis.cost_s, 0.25);
  EXPECT_EQ(diagnosis.mpi, "mpich");
  EXPECT_EQ(diagnosis.evidence.at(0), (replay::validate::Datum{"suite entry", "halo", ""}));
  EXPECT_EQ(diagnosis.evidence.at(1).value, "MPI_Allreduce at solve (solve.c:88)");
}

TEST(DiagnosesOfAReport, ThatAreWithheldAreReasons) {
  replay::Report report;
  report.withheld = {finding(replay::Reference::kPeers, "rank 3")};
  report.withheld[0].withheld = "ranks share cores";
  EXPECT_TRUE(diagnoses_of(report, "halo", "mpich").empty());
  const auto withheld = withheld_of(report);
  ASSERT_EQ(withheld.size(), 1U);
  EXPECT_EQ(withheld[0].id, "rank.slow");
  EXPECT_EQ(withheld[0].reason, "ranks share cores");
}

TEST(DiagnosesOfAReport, WhatWouldCountAsNoFindingIsNotMissedWhenItIsWithheld) {
  replay::Report report;
  report.withheld = {finding(replay::Reference::kPeers, "rank 3")};
  report.withheld[0].withheld = "ranks were ready but not scheduled for 10 ms";
  report.withheld[0].share = 0.02;
  EXPECT_TRUE(withheld_of(report).empty());
  report.withheld[0].share = 0.03;
  EXPECT_EQ(withheld_of(report).size(), 1U);
}

Diagnosis costing(double seconds, const std::string& component, const std::string& title) {
  Diagnosis diagnosis;
  diagnosis.id = "storage.slow";
  diagnosis.component = component;
  diagnosis.mpi = "openmpi";
  diagnosis.title = title;
  diagnosis.cost_s = seconds;
  diagnosis.samples = 10;
  diagnosis.p = seconds;
  return diagnosis;
}

TEST(Joining, AddsWhatOneComponentCostsAndLetsTheCostliestSpeak) {
  const auto all = joined(
      {costing(0.1, "storage /a", "little"), costing(0.4, "storage /a", "much"), costing(0.3, "storage /b", "other")});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].component, "storage /a");
  EXPECT_DOUBLE_EQ(all[0].cost_s, 0.5);
  EXPECT_EQ(all[0].title, "much");
  EXPECT_EQ(all[0].samples, 20U);
  EXPECT_DOUBLE_EQ(all[0].p, 0.1);
  EXPECT_EQ(all[1].component, "storage /b");
}

TEST(WhatCostsNextToNothing, IsJudgedBySecondsUnlessCellsWeighedAlikeShowIt) {
  Diagnosis setting = costing(0.5, "pml", "messages go by libfabric");
  EXPECT_TRUE(costs_next_to_nothing(setting, 100)) << "0.5 % of the suite";
  EXPECT_FALSE(costs_next_to_nothing(setting, 40)) << "1.25 %";
  setting.cells_share = 0.07;
  EXPECT_FALSE(costs_next_to_nothing(setting, 100));
}

TEST(DiagnosisOfACalibration, IsOfTheCableNodeOrPair) {
  hw::calibration::Finding cable{
      hw::calibration::Reference::kPeers, "link n3-s0, from n3", "rate", 5e7, 1e8, "B/s", 0.5, 1e-5, 20, ""};
  const Diagnosis diagnosis = diagnosis_of(cable, "mpich");
  EXPECT_EQ(diagnosis.id, "net.link.rate");
  EXPECT_EQ(diagnosis.confidence, Confidence::kCertain);
  cable.quantity = "latency";
  EXPECT_EQ(diagnosis_of(cable, "mpich").id, "net.latency");
  cable.component = "node n3";
  EXPECT_EQ(diagnosis_of(cable, "mpich").id, "node.slow");
}

Diagnosis of_component(const std::string& id, const std::string& component, std::vector<std::string> one_of = {}) {
  Diagnosis diagnosis;
  diagnosis.id = id;
  diagnosis.component = component;
  diagnosis.one_of = std::move(one_of);
  return diagnosis;
}

TEST(AccuseTheSame, WhereOneMayBeTheOther) {
  const Diagnosis n3 = of_component("net.link.rate", "link n3-s0");
  EXPECT_TRUE(accuse_the_same(n3, n3));
  EXPECT_TRUE(accuse_the_same(n3, of_component("net.link.rate", "link n2-s0", {"link n2-s0", "link n3-s0"})));
  EXPECT_FALSE(accuse_the_same(n3, of_component("net.link.rate", "link n2-s0")));
  EXPECT_FALSE(accuse_the_same(n3, of_component("net.latency", "link n3-s0")));
}

// Both tell of one loss.
TEST(ShownBy, HasWhatReportAndBlameAccuseOnceWithTheLargerCost) {
  Judged judged;
  judged.report.findings.push_back(finding(replay::Reference::kNominal, "storage /scratch"));
  Blamed blamed;
  blamed.exposed.kind = Exposed::Kind::kFileSystem;
  blamed.component = "storage /scratch";
  blamed.explained_s = 0.4;
  judged.blame.blamed.push_back(blamed);
  blamed.component = "storage /home";
  blamed.explained_s = 0.3;
  judged.blame.blamed.push_back(blamed);
  const bench::SuiteEntry entry{.name = "contiguous"};
  Mpi mpi;
  mpi.installed.flavour = "mpich";
  const auto shown = shown_by(judged, {&entry, &mpi, {}, {}});
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].component, "storage /scratch");
  EXPECT_DOUBLE_EQ(shown[0].cost_s, 0.4) << "0.25 s by the report";
  EXPECT_EQ(shown[1].component, "storage /home");
}

TEST(ShownBy, HasWhatSeveralCallsLoseByOneComponentOnce) {
  Judged judged;
  judged.report.findings.assign(2, finding(replay::Reference::kStructure, "MPI-IO on /scratch/out"));
  judged.report.findings[1].call = "MPI_File_read_at";
  const bench::SuiteEntry entry{.name = "strided"};
  Mpi mpi;
  mpi.installed.flavour = "mpich";
  const auto shown = shown_by(judged, {&entry, &mpi, {}, {}});
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_DOUBLE_EQ(shown[0].cost_s, 0.5);
}

TEST(OneOfSeveral, IsNamedInTheTitleTooWhenItIsFoundSlowByItself) {
  Diagnosis diagnosis;
  diagnosis.title = "link n5-s0 delivers 3.2 MB/s, where 12.2 MB/s is expected";
  diagnosis.component = "link n5-s0";
  diagnosis.one_of = {"link n5-s0", "link n1-s0"};
  settle_on("link n1-s0", diagnosis);
  EXPECT_EQ(diagnosis.title, "link n1-s0 delivers 3.2 MB/s, where 12.2 MB/s is expected");
  EXPECT_EQ(diagnosis.component, "link n1-s0");
  EXPECT_TRUE(diagnosis.one_of.empty());
}

TEST(LeastShare, IsMoreOfWhatALibraryDoesByItself) {
  Diagnosis split = only_diagnosis(finding(replay::Reference::kStructure, "MPI-IO on /scratch/out"));
  EXPECT_DOUBLE_EQ(least_share(split), 0.03);
  split.origin = replay::validate::Origin{"environment", "ROMIO_HINTS", 0};
  EXPECT_DOUBLE_EQ(least_share(split), 0.01);
  EXPECT_DOUBLE_EQ(least_share(only_diagnosis(finding(replay::Reference::kNominal, "storage /scratch"))), 0.01);
}

}  // namespace
}  // namespace plumbline::cli::validate
