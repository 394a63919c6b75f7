#include "replay/validate/report/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "replay/validate/report/verdict.hpp"
#include "sample.hpp"

namespace plumbline::replay::validate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// `count` runs of 1 s, each made once.
Validation suite_of(int count, double length = 1) {
  Validation validation = healthy_validation();
  validation.suite.clear();
  for (int i = 0; i < count; ++i) {
    SuiteRun run;
    run.name = "run" + std::to_string(i);
    run.mpi = "mpich";
    run.observed_s = length * (1 + 0.01 * (i % 3));
    validation.suite.push_back(run);
  }
  return validation;
}

TEST(ValidateBaseline, TheSameAgainIsNotSlower) {
  const BaselineComparison comparison = compare_with_baseline(sample_validation(), sample_validation(), "b.json");
  EXPECT_THAT(comparison.diagnoses, IsEmpty());
  EXPECT_THAT(comparison.new_findings, IsEmpty());
  EXPECT_THAT(comparison.gone_findings, IsEmpty());
  EXPECT_THAT(comparison.changes, IsEmpty());
}

TEST(ValidateBaseline, ARunBeyondTheSpreadOfTheOthersIsSlower) {
  Validation now = suite_of(12);
  now.suite[3].observed_s = 1.3;
  const BaselineComparison comparison = compare_with_baseline(now, suite_of(12), "b.json");
  ASSERT_EQ(comparison.diagnoses.size(), 1U);
  const Diagnosis& found = comparison.diagnoses.front();
  EXPECT_EQ(found.reference, Reference::kBaseline);
  EXPECT_EQ(found.title, "1 run of the suite took longer than in the baseline of 2026-11-25T20:48:00Z");
  EXPECT_NEAR(found.cost_s, 0.3, 1e-9);
  ASSERT_EQ(found.evidence.size(), 1U);
  EXPECT_EQ(found.evidence.front().name, "run3 (mpich)");
  EXPECT_EQ(found.confidence, Confidence::kLow);
}

TEST(ValidateBaseline, AChangeWithinTheSpreadIsNone) {
  Validation now = suite_of(12);
  now.suite[3].observed_s = 1.08;
  EXPECT_THAT(compare_with_baseline(now, suite_of(12), "b.json").diagnoses, IsEmpty());
}

TEST(ValidateBaseline, AllRunsALittleSlowerIsASlowerSuite) {
  const BaselineComparison comparison = compare_with_baseline(suite_of(12, 1.07), suite_of(12), "b.json");
  ASSERT_EQ(comparison.diagnoses.size(), 1U);
  EXPECT_EQ(comparison.diagnoses.front().confidence, Confidence::kHigh);
  EXPECT_EQ(comparison.diagnoses.front().evidence.size(), 12U);
}

TEST(ValidateBaseline, ARepeatedRunIsSlowerOnlyWhereItsRepetitionsDoNotMeet) {
  Validation now = suite_of(2), before = suite_of(2);
  before.suite[0].again_s = {1.0, 1.15};
  now.suite[0].observed_s = 1.2;
  now.suite[0].again_s = {1.1, 1.25};
  EXPECT_THAT(compare_with_baseline(now, before, "b.json").diagnoses, IsEmpty());
  now.suite[0].again_s = {1.18, 1.25};
  ASSERT_EQ(compare_with_baseline(now, before, "b.json").diagnoses.size(), 1U);
  EXPECT_EQ(compare_with_baseline(now, before, "b.json").diagnoses.front().confidence, Confidence::kGood);
}

TEST(ValidateBaseline, AnotherMachineIsNotComparableAndSaysWhy) {
  Validation before = sample_validation();
  before.machine.nodes = {"m0", "m1"};
  before.machine.ranks = 4;
  try {
    compare_with_baseline(sample_validation(), before, "b.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kNotComparable);
    EXPECT_THAT(error.what(),
                testing::StartsWith("b.json: is no baseline for this machine: nodes m0, m1 there, n0, n1, n2, n3 here; "
                                    "ranks 4 there, 8 here; give"));
  }
}

TEST(ValidateBaseline, TheOrderOfNodesIsNoDifference) {
  Validation before = sample_validation();
  std::ranges::reverse(before.machine.nodes);
  EXPECT_NO_THROW(compare_with_baseline(sample_validation(), before, "b.json"));
}

TEST(ValidateBaseline, NotesWhatCameWentAndChanged) {
  Validation now = sample_validation(), before = sample_validation();
  before.diagnoses.erase(before.diagnoses.begin());
  now.diagnoses.erase(now.diagnoses.begin() + 1);
  before.machine.kernel = "6.1.0-9";
  before.suite.erase(before.suite.begin());
  now.notes.clear();
  hold_against_baseline(now, before, "b.json");
  EXPECT_THAT(now.notes, ElementsAre("changed since b.json: kernel 6.1.0-9 is now 6.1.0-13-amd64",
                                     "found, and not in b.json: net.link.rate, cable n3-s0 at n3",
                                     "no longer found, but in b.json: mpi.transport.no-shared-memory, btl",
                                     "runs that cannot be compared with b.json: ring (openmpi); metadata (openmpi)"));
}

TEST(ValidateBaseline, WhatIsSlowerIsAFindingOfItsCheck) {
  Validation now = suite_of(12, 1.2);
  hold_against_baseline(now, suite_of(12), "b.json");
  EXPECT_EQ(exit_code(now), ExitCode::kFindings);
  for (const CheckResult& check : now.checks) {
    if (check.id == "suite.slower") {
      EXPECT_EQ(check.state, CheckState::kFound);
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::validate
