// Polls of a location, joined to one wait.

#include "replay/program/compile/location/polls.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using testing::ElementsAre;
using testing::Pair;

// A gap of up to 2 us is between polls.
class LocationPolls : public testing::Test {
 protected:
  void poll(std::int64_t begin_us, std::int64_t end_us, OpKind kind = OpKind::kLocal, bool has_inner = false) {
    location_.in_call("MPI_Test");
    location_.earlier({.kind = kind}, {at_us(begin_us), at_us(end_us)});
    poll_ended(location_.state, has_inner);
  }
  // In microseconds.
  std::vector<std::pair<std::int64_t, std::int64_t>> times() {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (std::uint32_t i = 0; i < location_.builder.operations(); ++i) {
      const OperationTimes& of = location_.builder.times(i);
      all.emplace_back(of.begin.ps / 1'000'000, of.end.ps / 1'000'000);
    }
    return all;
  }

  LocationByHand location_;
};

TEST_F(LocationPolls, APollThatWasToldSomethingWaitsFromTheFirstThatWasNot) {
  poll(10, 11), poll(12, 13), poll(14, 20, OpKind::kWait);
  EXPECT_THAT(times(), ElementsAre(Pair(10, 10), Pair(10, 10), Pair(10, 20)));
}

TEST_F(LocationPolls, AGapIsPartOfTheWaitUpToThePollGapAndComputationBeyondIt) {
  poll(10, 11), poll(13, 14, OpKind::kWait);
  poll(20, 21), poll(24, 26, OpKind::kWait);  // 3 us of computation, 3 us in polls
  EXPECT_THAT(times(), ElementsAre(Pair(10, 10), Pair(10, 14), Pair(20, 20), Pair(23, 26)));
}

TEST_F(LocationPolls, APollThatIsToldAtOnceStaysWhereItIs) {
  poll(10, 11, OpKind::kWait), poll(12, 13, OpKind::kProbe);
  EXPECT_THAT(times(), ElementsAre(Pair(10, 11), Pair(12, 13)));
}

TEST_F(LocationPolls, ProbesAndWindowsAreWaitedForTooAndWhatIsNotModelledIsNot) {
  for (const OpKind kind : {OpKind::kProbe, OpKind::kWinWait, OpKind::kUnmodelled, OpKind::kWait})
    poll(10, 11), poll(12, 13, kind);
  EXPECT_THAT(times(), ElementsAre(Pair(10, 10), Pair(10, 13), Pair(10, 10), Pair(10, 13),  //
                                   Pair(10, 11), Pair(12, 13), Pair(10, 10), Pair(10, 13)));
}

TEST_F(LocationPolls, WhatLiesInsideOfAPollKeepsItAndThoseBeforeItWhereTheyAre) {
  poll(10, 11), poll(12, 13, OpKind::kLocal, true), poll(14, 15), poll(16, 17, OpKind::kWait);
  EXPECT_THAT(times(), ElementsAre(Pair(10, 11), Pair(12, 13), Pair(14, 14), Pair(14, 17)));
}

}  // namespace
}  // namespace plumbline::replay::compiling
