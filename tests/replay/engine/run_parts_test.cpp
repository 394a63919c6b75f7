// Parts of a run, each by itself; numbers of support.hpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/engine/run/ahead.hpp"
#include "replay/engine/run/collective_access.hpp"
#include "replay/engine/run/compute.hpp"
#include "replay/engine/run/file_accesses.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/engine/run/run.hpp"
#include "support.hpp"

namespace plumbline::replay::engine {
namespace {

using test::star;

Time at_us(std::int64_t n) { return Time{} + microseconds(n); }

ReplayOptions in(Mode mode) {
  ReplayOptions options;
  options.mode = mode;
  return options;
}

// Rank 0 computes for 10 µs before it sends, and for 30 before it receives.
Program two_calls() {
  return test::program_of(test::one_rank_per_node(2,
                                                  "rank 0\n @10us send 1 tag 0 8B\n @40us recv 1 tag 0 8B\n"
                                                  "rank 1\n recv 0 tag 0 8B\n send 0 tag 0 8B\n"));
}

class RunParts : public testing::Test {
 protected:
  const Program program_ = two_calls();
  const hw::Platform platform_ = star(2);
};

TEST_F(RunParts, AFreeRunKeepsWhatWasComputedAndAnAnchoredOneTheObservedTimes) {
  engine::Run free(program_, platform_, in(Mode::kFree), nullptr),
      anchored(program_, platform_, in(Mode::kAnchored), nullptr);
  for (engine::Run* run : {&free, &anchored}) {
    run->cursors[0].next = 1;  // the send is over at 25 µs
    run->engine.rank(0).clock = at_us(25);
  }
  const Time observed_end = program_.rank(0).times[0].end;
  EXPECT_EQ(next_begin(free, 0), at_us(25) + (at_us(40) - observed_end));
  EXPECT_EQ(next_begin(anchored, 0), at_us(40));
}

TEST_F(RunParts, ALateRankOfAnAnchoredRunBeginsAtItsClockAndIsCounted) {
  engine::Run run(program_, platform_, in(Mode::kAnchored), nullptr);
  run.cursors[0].next = 1;
  run.engine.rank(0).clock = at_us(47);
  EXPECT_EQ(next_begin(run, 0), at_us(47));
  EXPECT_EQ(run.result.late_starts, 1U);
  EXPECT_EQ(run.result.lateness, microseconds(7));
}

TEST_F(RunParts, WhatNobodyCanSeeBeginsAheadOfTheClock) {
  ReplayOptions by_events = in(Mode::kFree);
  by_events.run_ahead = false;
  engine::Run ahead(program_, platform_, in(Mode::kFree), nullptr), at_clock(program_, platform_, by_events, nullptr);
  const Operation& send = program_.rank(0).operations[0];
  EXPECT_FALSE(begins_at_clock(ahead, 0, send));
  EXPECT_TRUE(begins_at_clock(at_clock, 0, send));
  ++ahead.engine.rank(0).reactive;  // somebody may ask the rank for something
  EXPECT_TRUE(begins_at_clock(ahead, 0, send));
}

TEST_F(RunParts, AnOperationThatKeepsItsDurationHasATimer) {
  engine::Run run(program_, platform_, in(Mode::kFree), nullptr);
  run.cursors[0].begin = at_us(100);
  keep_duration(run, 0);
  const OperationTimes& observed = program_.rank(0).times[0];
  EXPECT_EQ(run.cursors[0].phases[0], Phase::kTimer);
  EXPECT_EQ(run.cursors[0].until, at_us(100) + (observed.end - observed.begin));
}

TEST_F(RunParts, ARankWaitsForAPointInTimeOnlyWhereItIsToAnswerSomebody) {
  engine::Run run(program_, platform_, in(Mode::kFree), nullptr);
  run.cursors[0].until = at_us(5);
  EXPECT_FALSE(until_over(run, 0));
  EXPECT_EQ(run.engine.rank(0).clock, at_us(5));
  ++run.engine.rank(0).reactive;
  run.cursors[0].until = at_us(9);
  EXPECT_TRUE(until_over(run, 0));
  EXPECT_TRUE(run.cursors[0].timed);
}

TEST_F(RunParts, StorageIsAskedAtTheClockOfTheRank) {
  engine::Run run(program_, platform_, in(Mode::kFree), nullptr);
  run.queue.push({at_us(5), run.first_rank, kGoesOn, 0, 0, 0, 0});
  run.queue.pop();
  run.engine.rank(0).clock = at_us(5);
  EXPECT_FALSE(before_clock(run, 0));
  run.engine.rank(1).clock = at_us(8);
  EXPECT_TRUE(before_clock(run, 1));
  EXPECT_TRUE(run.cursors[1].timed);
}

TEST_F(RunParts, MessagesOfAnExchangeAreWaitedForTogether) {
  engine::Run run(program_, platform_, in(Mode::kFree), nullptr);
  post_message(run, 0, 0, 0, 1, 100, true);
  post_message(run, 0, 0, 0, 1, 100, false);
  EXPECT_THAT(run.posted, testing::SizeIs(2));
  wait_for_posted(run, 0);
  EXPECT_TRUE(run.posted.empty());
  EXPECT_EQ(run.engine.rank(0).pending, 1U) << "the send is eager and over, the message has not come";
}

}  // namespace
}  // namespace plumbline::replay::engine
