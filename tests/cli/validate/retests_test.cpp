#include "cli/workflows/validate/measure/retests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using testing::ElementsAre;
using testing::IsEmpty;

Diagnosis slow_rank(double cost_s) {
  Diagnosis diagnosis;
  diagnosis.id = "rank.slow";
  diagnosis.component = "rank 3";
  diagnosis.cost_s = cost_s;
  return diagnosis;
}

constexpr const char* kReason = "ranks were ready but not scheduled for 96 ms";
const Repetition kNothing{{}, {}}, kWithheld{{}, {{"rank.slow", kReason}}};

TEST(Repeated, WhatCostsSomethingEachTimePersists) {
  const Repetition again[] = {{{slow_rank(0.9)}}, {{slow_rank(1.2)}}};
  const Repeated result = repeated(slow_rank(1.0), "patterns", again);
  EXPECT_EQ(result.retest.what, "cost in patterns");
  EXPECT_EQ(result.retest.first, 1.0);
  EXPECT_THAT(result.retest.again, ElementsAre(0.9, 1.2));
  EXPECT_TRUE(result.retest.persists);
}

TEST(Repeated, WhatIsNotFoundOnceDoesNot) {
  const Repetition again[] = {{{slow_rank(0.9)}}, kNothing};
  const Repeated result = repeated(slow_rank(1.0), "patterns", again);
  EXPECT_THAT(result.retest.again, ElementsAre(0.9, 0.0));
  EXPECT_FALSE(result.retest.persists);
}

TEST(Repeated, WhereOneWithholdsItNobodyIsAccused) {
  const Repetition again[] = {kWithheld, {{slow_rank(1.2)}}};
  const Repeated result = repeated(slow_rank(1.0), "patterns", again);
  EXPECT_THAT(result.retest.again, ElementsAre(1.2));
  EXPECT_FALSE(result.retest.persists);
  EXPECT_EQ(result.unclear, kReason);
}

TEST(Repeated, WhereAllWithholdItNothingPersistsAndTheReasonIsTold) {
  const Repetition again[] = {kWithheld, kWithheld};
  const Repeated result = repeated(slow_rank(1.0), "patterns", again);
  EXPECT_THAT(result.retest.again, IsEmpty());
  EXPECT_FALSE(result.retest.persists);
  EXPECT_EQ(result.unclear, kReason);
}

TEST(Repeated, WhatIsWithheldOfAnotherKindCountsAsNotFound) {
  const Repetition again[] = {{{}, {{"suite.slower", kReason}}}};
  EXPECT_THAT(repeated(slow_rank(1.0), "patterns", again).retest.again, ElementsAre(0.0));
}

}  // namespace
}  // namespace plumbline::cli::validate
