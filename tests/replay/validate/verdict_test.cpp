#include "replay/validate/report/verdict.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace plumbline::replay::validate {
namespace {

CheckResult& check(Validation& validation, std::string_view id) {
  for (CheckResult& result : validation.checks)
    if (result.id == id) return result;
  throw std::logic_error("no such check");
}

TEST(ValidateVerdict, FindingsCostWhatTheyCostTogether) {
  const Validation validation = sample_validation();
  EXPECT_EQ(verdict_sentence(validation), "2 findings: they cost up to 31 % of the suite.");
  EXPECT_EQ(verdict_word(validation), "findings");
  EXPECT_EQ(exit_code(validation), ExitCode::kFindings);
}

TEST(ValidateVerdict, ACostThatSecondsHardlyShowIsToldByCellsWeighedAlikeToo) {
  Diagnosis setting = sample_validation().diagnoses.front();
  EXPECT_EQ(cost_sentence(setting), "costs 4.1 s, 20 % of the suite");
  setting.cells_share = 0.07;
  EXPECT_EQ(cost_sentence(setting), "costs 4.1 s, 20 % of the suite; 7.0 % where its cells are weighed alike");
}

TEST(ValidateVerdict, AHealthyMachineHasNoFindings) {
  EXPECT_EQ(verdict_sentence(healthy_validation()), "No findings.");
  EXPECT_EQ(exit_code(healthy_validation()), ExitCode::kAsExpected);
}

TEST(ValidateVerdict, SuppressedFindingsDoNotCountAndAreCounted) {
  Validation validation = healthy_validation();
  validation.diagnoses = {sample_validation().diagnoses.back()};
  EXPECT_EQ(exit_code(validation), ExitCode::kAsExpected);
  EXPECT_EQ(verdict_sentence(validation), "No findings, but for 1 suppressed.");
}

TEST(ValidateVerdict, AFatalFindingThatPreventsMeasuringIsToldAsSuch) {
  Validation validation = healthy_validation();
  validation.diagnoses.resize(1);
  Diagnosis& found = validation.diagnoses.front();
  found.id = "launch.world.size";
  found.title = "every process is rank 0 of 1";
  found.fatal = true;
  EXPECT_EQ(exit_code(validation), ExitCode::kCannotRunHere);
  EXPECT_EQ(verdict_sentence(validation), "Cannot run here: every process is rank 0 of 1.");
  found.id = "launch.binding.overlap";
  EXPECT_EQ(exit_code(validation), ExitCode::kFindings);
  EXPECT_EQ(verdict_sentence(validation), "1 finding; nothing was measured on top of it.");
}

TEST(ValidateVerdict, WhatWasNotFinishedIsNotPassed) {
  Validation validation = healthy_validation();
  validation.interrupted = true;
  EXPECT_EQ(exit_code(validation), ExitCode::kTooNoisy);
  EXPECT_EQ(verdict_word(validation), "incomplete");
  EXPECT_EQ(verdict_sentence(validation), "Interrupted. Of what was measured nothing was found.");
  validation.interrupted = false;
  validation.stages.back().complete = false;
  EXPECT_EQ(exit_code(validation), ExitCode::kTooNoisy);
  validation.diagnoses = sample_validation().diagnoses;
  EXPECT_EQ(exit_code(validation), ExitCode::kFindings);
}

TEST(ValidateVerdict, WhatTheMachineDidNotLetGoOnIsToldWithItsFault) {
  Validation validation = healthy_validation();
  StageTime& suite = validation.stages[2];
  suite.complete = false;
  suite.fault = "out: its disk is full; free 30 MiB, and go on with --resume";
  EXPECT_EQ(exit_code(validation), ExitCode::kTooNoisy);
  suite.cannot_run = true;
  EXPECT_EQ(exit_code(validation), ExitCode::kCannotRunHere);
  EXPECT_EQ(verdict_word(validation), "broken off");
  EXPECT_EQ(verdict_sentence(validation),
            "Broken off (suite): out: its disk is full; free 30 MiB, and go on with --resume.");
  validation.diagnoses = sample_validation().diagnoses;
  EXPECT_EQ(exit_code(validation), ExitCode::kFindings) << "what was found counts";
}

TEST(ValidateVerdict, WhatIsFatalComesBeforeWhatCostsMost) {
  Validation validation = sample_validation();
  Diagnosis fatal = validation.diagnoses.front();
  fatal.id = "data.wrong";
  fatal.cost_s = 0;
  fatal.fatal = true;
  validation.diagnoses.push_back(fatal);
  sort_diagnoses(validation);
  EXPECT_EQ(validation.diagnoses.front().id, "data.wrong");
}

TEST(ValidateVerdict, WhatIsWrongHereComesBeforeWhatALibraryDoesByItself) {
  Validation validation = healthy_validation();
  const auto add = [&](const char* id, Reference reference, double cost_s, std::optional<Origin> origin = {}) {
    Diagnosis& diagnosis = validation.diagnoses.emplace_back();
    diagnosis.id = id;
    diagnosis.reference = reference;
    diagnosis.cost_s = cost_s;
    diagnosis.origin = std::move(origin);
  };
  add("io.hints.split", Reference::kStructure, 20);
  add("server.slow", Reference::kPeers, 12);
  add("io.hints.file", Reference::kStructure, 15, Origin{});
  sort_diagnoses(validation);
  EXPECT_EQ(validation.diagnoses[0].id, "io.hints.file") << "somebody has set it";
  EXPECT_EQ(validation.diagnoses[1].id, "server.slow");
  EXPECT_EQ(validation.diagnoses[2].id, "io.hints.split");
}

TEST(ValidateVerdict, ASuiteThatIsNotJudgedIsTooNoisyToTell) {
  Validation validation = healthy_validation();
  check(validation, "suite.slower").state = CheckState::kNotJudged;
  check(validation, "suite.slower").reason = "3 rows are beyond their band in too few samples";
  EXPECT_EQ(exit_code(validation), ExitCode::kTooNoisy);
  EXPECT_EQ(verdict_sentence(validation), "Too noisy to tell: 3 rows are beyond their band in too few samples.");
}

TEST(ValidateVerdict, ASuiteOfWhichNothingEndedSaysNothing) {
  Validation validation = healthy_validation();
  for (SuiteRun& run : validation.suite) run.fault = "no space left on device";
  EXPECT_EQ(exit_code(validation), ExitCode::kTooNoisy);
}

TEST(ValidateVerdict, WithoutAnyCheckThereIsNoVerdict) {
  EXPECT_EQ(exit_code(Validation{}), ExitCode::kTooNoisy);
  EXPECT_EQ(verdict_sentence(Validation{}), "Too noisy to tell: no check could be made.");
}

TEST(ValidateVerdict, WhatIsSlowerThanTheBaselineIsNotCountedTwice) {
  Validation validation = sample_validation();
  Diagnosis since = validation.diagnoses.front();
  since.id = "suite.slower";
  since.reference = Reference::kBaseline;
  since.cost_share = 0.2;
  validation.diagnoses.push_back(since);
  EXPECT_EQ(verdict_sentence(validation), "3 findings: they cost up to 31 % of the suite.");
}

TEST(ValidateVerdict, ReasonsAreCountedTheMostFrequentFirst) {
  Validation validation = healthy_validation();
  check(validation, "cpu.throttled") = check(validation, "cpu.governor");
  EXPECT_EQ(unmade_sentence(validation, CheckState::kCouldNotRun, 1),
            "5 could not run (2: no cpufreq on these nodes; 3 for other reasons)");
  EXPECT_EQ(unmade_sentence(validation, CheckState::kSuppressed, 1), "");
}

TEST(ValidateVerdict, AnOriginNamesFileAndLine) {
  EXPECT_EQ(text_of({"file", "/etc/x.conf", 62}), "set by /etc/x.conf, line 62");
  EXPECT_EQ(text_of({"file", "/etc/x.conf", 0}), "set by /etc/x.conf");
  EXPECT_EQ(text_of({"environment", "OMPI_MCA_btl", 0}), "set by the environment variable OMPI_MCA_btl");
  EXPECT_EQ(text_of({"command line", "", 0}), "set by the command line");
  EXPECT_EQ(text_of({"default", "", 0}), "");
  EXPECT_EQ(text_of({}), "");
}

TEST(ValidateVerdict, RemediesAreThoseOfTheMpiThatItWasSeenWith) {
  const Diagnosis found = sample_validation().diagnoses[1];
  ASSERT_EQ(remedy_groups(found.remedy, "openmpi").size(), 1U);
  EXPECT_EQ(remedy_groups(found.remedy, "openmpi").front().mpi, "Open MPI");
  EXPECT_EQ(remedy_groups(found.remedy, "MPICH 4.0.2").front().mpi, "MPICH");
  EXPECT_EQ(remedy_groups(found.remedy).size(), 2U);
}

}  // namespace
}  // namespace plumbline::replay::validate
