#include "tracer/record/events/rma_epochs.hpp"

#include <gmock/gmock.h>

namespace plumbline::record {
namespace {

using testing::ElementsAre;

TEST(RmaEpochs, AFlushOfOneTargetLeavesTheOthers) {
  RmaEpochs epochs;
  epochs.issue(1, 10, false);
  epochs.issue(2, 11, false);
  epochs.issue(1, 12, false);
  EXPECT_THAT(epochs.complete_locally(1), ElementsAre(10, 12));
  EXPECT_THAT(epochs.complete_remotely(1), ElementsAre(10, 12));
  EXPECT_THAT(epochs.complete_locally(1), ElementsAre());
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(11));
  EXPECT_THAT(epochs.complete_remotely(std::nullopt), ElementsAre(11));
}

TEST(RmaEpochs, WhatIsCompleteAtItsOriginIsCompletedAtTheTargetLater) {
  RmaEpochs epochs;
  epochs.issue(0, 1, false);
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(1));
  epochs.issue(0, 2, false);
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(2));
  EXPECT_THAT(epochs.complete_remotely(0), ElementsAre(1, 2));
}

TEST(RmaEpochs, AReadIsOverWhenItIsCompleteAtItsOrigin) {
  RmaEpochs epochs;
  epochs.issue(3, 7, true);
  EXPECT_THAT(epochs.complete_locally(3), ElementsAre(7));
  EXPECT_THAT(epochs.complete_remotely(3), ElementsAre());
}

TEST(RmaEpochs, WhatWasWaitedForIsNotCompletedAtItsOriginAgain) {
  RmaEpochs epochs;
  epochs.issue(0, 1, false);
  epochs.issue(0, 2, true);
  epochs.issue(0, 3, false);
  epochs.waited(1);
  epochs.waited(2);
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(3));
  EXPECT_THAT(epochs.complete_remotely(std::nullopt), ElementsAre(1, 3));
}

// Beyond the number after which such operations are put away.
TEST(RmaEpochs, ManyThatWereWaitedForAreStillCompletedAtTheTarget) {
  constexpr std::uint64_t kCount = 5000;
  RmaEpochs epochs;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    epochs.issue(0, i, false);
    if (i != 17) epochs.waited(i);
  }
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(17));
  EXPECT_EQ(epochs.complete_remotely(std::nullopt).size(), kCount);
}

TEST(RmaEpochs, AfterAFenceNothingIsLeft) {
  RmaEpochs epochs;
  epochs.issue(0, 1, false);
  EXPECT_THAT(epochs.complete_locally(std::nullopt), ElementsAre(1));
  epochs.end_access();
  EXPECT_THAT(epochs.complete_remotely(std::nullopt), ElementsAre());
}

}  // namespace
}  // namespace plumbline::record
