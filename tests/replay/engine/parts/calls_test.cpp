// Collectives, wildcards and calls of the engine by itself.

#include "tests/replay/engine/parts/engine_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi {
namespace {

using collectives::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Collectives.

Shape of_rank(Collective kind, std::uint32_t size, std::uint32_t rank, std::uint64_t bytes = 0) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  shape.rank = rank;
  shape.sent = shape.received = bytes;
  return shape;
}

// As the n-th of communicator 0; `request` kNone: a blocking one.
void start_on(test::LoneEngine& lone, const Shape& shape, std::uint32_t request = kNone, std::uint32_t n = 0) {
  start(lone.engine, shape.rank, shape, lone.program.comm(0), 0, kCollectiveSpace, n, request);
}

TEST_F(EngineCollectives, ABarrierEndsBehindTheLastToCome) {
  start_on(lone_, of_rank(Collective::kBarrier, 2, 0));
  block(engine_, 0);
  EXPECT_EQ(rank(0).pending, 1U);
  handle_before(lone_, at_us(100));
  EXPECT_THAT(engine_.ready, IsEmpty());
  rank(1).clock = at_us(100);
  start_on(lone_, of_rank(Collective::kBarrier, 2, 1));
  EXPECT_EQ(rank(1).clock, at_us(100 + 1 + 2)) << "it sends, then takes what is there";
  EXPECT_EQ(rank(1).pending, 0U);
  handle_all(lone_);
  EXPECT_EQ(rank(0).clock, at_us(101 + 5 + 2));
  EXPECT_THAT(engine_.ready, ElementsAre(0));
}

TEST_F(EngineCollectives, TheFirstOfARankDoesNotMeetTheSecondOfAnother) {
  start_on(lone_, of_rank(Collective::kBarrier, 2, 0), kNone, 0);
  start_on(lone_, of_rank(Collective::kBarrier, 2, 1), kNone, 1);
  block(engine_, 0);
  block(engine_, 1);
  handle_all(lone_);
  EXPECT_THAT(engine_.ready, IsEmpty());
  EXPECT_EQ(unreceived(engine_), 2U);
}

TEST_F(EngineCollectives, AReductionPassesOverWhatItReceives) {
  start_on(lone_, of_rank(Collective::kReduce, 2, 0, 1'000));
  block(engine_, 0);
  start_on(lone_, of_rank(Collective::kReduce, 2, 1, 1'000));
  handle_all(lone_);
  EXPECT_EQ(rank(0).clock, at_us(1 + 10 + 2 + 1));
}

TEST_F(EngineCollectives, TheCallThatStartsANonBlockingOneTakesItsFirstRoundOnly) {
  start_on(lone_, of_rank(Collective::kBcast, 4, 0, 8), slot(0));  // the root sends twice
  EXPECT_EQ(engine_.messages_sent, 1U);
  progress(engine_, 0);
  EXPECT_EQ(engine_.messages_sent, 1U) << "it is still the same call";
  leave(engine_, 0, true);
  look(engine_, 0, at_us(50));
  EXPECT_EQ(engine_.messages_sent, 2U);
  EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kComplete);
  EXPECT_EQ(engine_.requests[slot(0)].at, at_us(51));
}

TEST_F(EngineCollectives, ABlockingOneTakesAllRoundsThatAreOverAtOnce) {
  start_on(lone_, of_rank(Collective::kBcast, 4, 0, 8));
  EXPECT_EQ(engine_.messages_sent, 2U);
  EXPECT_EQ(rank(0).clock, at_us(2));
  EXPECT_EQ(rank(0).pending, 0U);
}

TEST_F(EngineCollectives, WhatIsHeldGoesOnWithItsOwnRankOnly) {
  Shape of_one = of_rank(Collective::kBcast, 4, 1, 8);
  of_one.root = 1;
  start_on(lone_, of_rank(Collective::kBcast, 4, 0, 8), slot(0), 0);
  start_on(lone_, of_one, slot(1), 1);
  EXPECT_THAT(engine_.held, SizeIs(2));
  release_held(engine_, 0);
  ASSERT_THAT(engine_.held, SizeIs(1));
  EXPECT_EQ(rank_of(engine_, engine_.requests[engine_.held.front()]), 1U);
  EXPECT_NE(engine_.deferred[0].head, kNone);
  EXPECT_EQ(engine_.deferred[1].head, kNone);
}

TEST_F(EngineCollectives, ANonBlockingOneGoesOnWhenItsRankLooksOrByAThread) {
  for (const hw::Progress by : {hw::Progress::kInCalls, hw::Progress::kThread}) {
    test::LoneEngine lone(four_ranks(), progressing(by));
    for (const std::uint32_t rank : {0U, 1U}) {
      enter(lone.engine, rank);
      start_on(lone, of_rank(Collective::kBarrier, 2, rank), slot(rank));
      leave(lone.engine, rank, true);
    }
    handle_before(lone, at_us(50));  // the messages are there at 6
    const bool by_thread = by == hw::Progress::kThread;
    EXPECT_EQ(state_of(lone.engine, slot(0)), by_thread ? Request::State::kComplete : Request::State::kPending);
    look(lone.engine, 0, at_us(50));
    EXPECT_EQ(lone.engine.requests[slot(0)].at, at_us(by_thread ? 8 : 52));
    EXPECT_EQ(lone.engine.rank(0).reactive, 0U);
  }
}

TEST_F(EngineCollectives, TheRecordOfANonBlockingOneIsUsedAgain) {
  for (const std::uint32_t n : {0U, 1U}) {
    start_on(lone_, of_rank(Collective::kBarrier, 1, 0), slot(0), n);
    EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kComplete) << "alone there is nothing to wait for";
    wait(engine_, slot(0));
  }
  EXPECT_THAT(engine_.collectives, SizeIs(1));
}

// Wildcards.

TEST_F(EngineWildcards, TakeWhatWasThereFirstInTheOrderInWhichTheyWerePosted) {
  let_ranks_receive_from_any(engine_);
  rank(0).clock = at_us(1);
  send_from(engine_, channel(0, 1), 0);  // there at 7
  send_from(engine_, channel(2, 1), 0);  // there at 6
  handle_all(lone_);
  receive_any(engine_, slot(1, 1), {1, 0, 0}, 0, 10);
  receive_any(engine_, slot(1, 0), {1, 0, 0}, 0, 11);
  EXPECT_EQ(engine_.requests[slot(1, 1)].at, at_us(6));
  EXPECT_EQ(engine_.requests[slot(1, 0)].at, at_us(7));
  EXPECT_THAT(engine_.wildcards->take_matches(1), ElementsAre(WildcardMatch{10, 2}, WildcardMatch{11, 0}));
}

TEST_F(EngineWildcards, OfTwoThatArriveTogetherThatOfTheLowerRankIsTaken) {
  let_ranks_receive_from_any(engine_);
  receive_any(engine_, slot(1), {1, 0, 0}, 0, 10);
  send_from(engine_, channel(2, 1), 0);
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  EXPECT_THAT(engine_.wildcards->take_matches(1), ElementsAre(WildcardMatch{10, 0}));
  EXPECT_EQ(unreceived(engine_), 1U);
}

TEST_F(EngineWildcards, AMessageWaitsForAnEarlierOneOfItsSenderThatIsLater) {
  hw::Platform platform = test::star(4);
  hw::MessageRange small = platform.between.ranges.front();
  small.upto = Bytes{100};
  platform.between.ranges.front().latency.value = microseconds(20);  // of up to 1000 bytes
  platform.between.ranges.insert(platform.between.ranges.begin(), small);
  test::LoneEngine lone(four_ranks(), platform);
  Engine& engine = lone.engine;
  let_ranks_receive_from_any(engine);
  receive_any(engine, slot(1, 0), {1, 0, 0}, 1'000, 10);
  receive_any(engine, slot(1, 1), {1, 0, 0}, 1'000, 11);
  send_from(engine, channel(0, 1), 1'000);  // there at 1 + 20 + 7
  send_from(engine, channel(0, 1), 0);      // there at 7
  handle_before(lone, at_us(10));
  EXPECT_EQ(state_of(engine, slot(1, 0)), Request::State::kPending);
  handle_all(lone);
  EXPECT_EQ(bytes_of(engine, slot(1, 0)), 1'000U);
  EXPECT_EQ(bytes_of(engine, slot(1, 1)), 0U);
  EXPECT_EQ(engine.requests[slot(1, 1)].at, at_us(7));
}

TEST_F(EngineWildcards, AReceiveFromANamedRankHasPrecedence) {
  let_ranks_receive_from_any(engine_);
  receive_any(engine_, slot(1, 0), {1, 0, 0}, 0, 10);
  receive(engine_, slot(1, 1), channel(0, 1), 0);
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  EXPECT_EQ(state_of(engine_, slot(1, 0)), Request::State::kPending);
  EXPECT_EQ(state_of(engine_, slot(1, 1)), Request::State::kComplete);
}

TEST_F(EngineWildcards, WhatANamedReceiveHasTakenIsNotThereForThem) {
  let_ranks_receive_from_any(engine_);
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  receive(engine_, slot(1, 0), channel(0, 1), 0);
  receive_any(engine_, slot(1, 1), {1, 0, 0}, 0, 10);
  EXPECT_EQ(state_of(engine_, slot(1, 1)), Request::State::kPending);
  rank(0).clock = at_us(20);
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  EXPECT_EQ(state_of(engine_, slot(1, 1)), Request::State::kComplete) << "the next one of the channel is";
}

TEST_F(EngineWildcards, AnotherTagIsNotTaken) {
  let_ranks_receive_from_any(engine_);
  send_from(engine_, channel(0, 1, 5), 0);
  handle_all(lone_);
  receive_any(engine_, slot(1), {1, 0, 6}, 0, 10);
  EXPECT_EQ(state_of(engine_, slot(1)), Request::State::kPending);
}

TEST_F(EngineWildcards, OneThatMayBeARendezvousCountsAsReactiveUntilItIsAnswered) {
  let_ranks_receive_from_any(engine_);
  receive_any(engine_, slot(1, 0), {1, 0, 0}, 1'000, 10);
  EXPECT_EQ(rank(1).reactive, 0U);
  receive_any(engine_, slot(1, 1), {1, 0, 5}, 1'001, 11);
  EXPECT_EQ(rank(1).reactive, 1U);
  block(engine_, 1);
  send_from(engine_, channel(0, 1, 5), 2'000);
  handle_before(lone_, at_us(7));
  EXPECT_EQ(rank(1).reactive, 0U);
  EXPECT_EQ(rank(1).clock, at_us(6 + 2 + 1));
}

TEST_F(EngineWildcards, ARequestThatTheRankDoesNotKnowOfIsAnsweredWhenItLooks) {
  let_ranks_receive_from_any(engine_);
  send_from(engine_, channel(0, 1), 2'000);
  handle_before(lone_, at_us(20));
  rank(1).clock = at_us(20);
  receive_any(engine_, slot(1), {1, 0, 0}, 2'000, 10);
  EXPECT_EQ(rank(1).clock, at_us(20));
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kRequestArrived);
  look(engine_, 1, at_us(20));
  EXPECT_EQ(rank(1).clock, at_us(23));
}

// Calls.

TEST_F(EngineCalls, ARankThatLooksHasLookedUpToItsClockAndNeverLess) {
  rank(0).clock = at_us(7);
  progress(engine_, 0);
  EXPECT_EQ(rank(0).last_progress, at_us(7));
  rank(0).clock = at_us(5);
  progress(engine_, 0);
  EXPECT_EQ(rank(0).last_progress, at_us(7));
}

TEST_F(EngineCalls, WhoComputesBeforeItLeavesHasNotLookedMeanwhile) {
  for (const bool looking : {true, false}) {
    test::LoneEngine lone(four_ranks(), test::star(4));
    look(lone.engine, 0, at_us(3));
    EXPECT_EQ(lone.engine.rank(0).where, Where::kInCall);
    lone.engine.rank(0).clock = at_us(9);
    leave(lone.engine, 0, looking);
    EXPECT_EQ(lone.engine.rank(0).where, Where::kOutside);
    EXPECT_EQ(lone.engine.rank(0).last_progress, at_us(looking ? 9 : 3));
  }
}

TEST_F(EngineCalls, AStayBeginsWithTheCallAndHoldsToItsObservedEnd) {
  rank(0).clock = at_us(8);
  stay(engine_, 0, at_us(2), at_us(20));
  EXPECT_FALSE(engine_.is_staying(0, at_us(2) - Duration{1}));
  EXPECT_TRUE(engine_.is_staying(0, at_us(2)));
  EXPECT_TRUE(engine_.is_staying(0, at_us(20)));
  EXPECT_FALSE(engine_.is_staying(0, at_us(20) + Duration{1}));
  EXPECT_FALSE(engine_.is_staying(1, at_us(10))) << "another rank";
}

TEST_F(EngineCalls, ACallThatWasNotLongerThanInTheModelIsNoStay) {
  rank(0).clock = at_us(8);
  stay(engine_, 0, at_us(2), at_us(8));
  EXPECT_THAT(engine_.stays, IsEmpty());
}

TEST_F(EngineCalls, RanksGoAheadWhereArrivalsAreKnownAndNoThreadActsForThem) {
  hw::Platform with_threads = loggp();
  with_threads.between.progress = hw::Progress::kThread;
  test::LoneEngine packets(four_ranks(), test::star(4)), known(four_ranks(), loggp()),
      threads(four_ranks(), with_threads);
  for (test::LoneEngine* lone : {&packets, &known, &threads}) let_ranks_go_ahead(lone->engine);
  EXPECT_THAT(packets.engine.ahead, IsEmpty());
  EXPECT_THAT(known.engine.ahead, SizeIs(4));
  EXPECT_THAT(threads.engine.ahead, IsEmpty());
}

}  // namespace
}  // namespace plumbline::replay::mpi
