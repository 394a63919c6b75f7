// Requests and rendezvous of the engine by itself.

#include "tests/replay/engine/parts/engine_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi {
namespace {

using collectives::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Requests.

TEST_F(EngineRequests, APooledRequestIsUsedAgainAndOneOfASlotIsNot) {
  const std::uint32_t one = pooled_request(engine_, 0);
  engine_.requests[one].state = Request::State::kComplete;
  engine_.requests[one].waited = true;
  free_if_pooled(engine_, one);
  free_if_pooled(engine_, slot(0));
  EXPECT_EQ(pooled_request(engine_, 3), one);
  EXPECT_EQ(engine_.requests[one].owner, 3U);
  EXPECT_EQ(state_of(engine_, one), Request::State::kFree);
  EXPECT_FALSE(engine_.requests[one].waited);
  const std::uint32_t other = pooled_request(engine_, 3);
  EXPECT_EQ(other, engine_.requests.size() - 1) << "a new one";
}

TEST_F(EngineRequests, WaitingForWhatIsCompleteTakesTheRankToItsEndAndNoFurther) {
  complete_at(engine_, slot(0), 0, at_us(7));
  wait(engine_, slot(0));
  EXPECT_EQ(rank(0).clock, at_us(7));
  complete_at(engine_, slot(0), 0, at_us(5));
  wait(engine_, slot(0));
  EXPECT_EQ(rank(0).clock, at_us(7));
  EXPECT_EQ(rank(0).pending, 0U);
  EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kFree);
}

TEST_F(EngineRequests, ARankIsReadyWhenTheLastThatItWaitsForIsOver) {
  begin_other(engine_, slot(0, 0), 0);
  begin_other(engine_, slot(0, 1), 0);
  wait(engine_, slot(0, 0));
  wait(engine_, slot(0, 1));
  block(engine_, 0);
  end_other(engine_, slot(0, 1), at_us(9));
  EXPECT_THAT(engine_.ready, IsEmpty());
  end_other(engine_, slot(0, 0), at_us(4));
  EXPECT_THAT(engine_.ready, ElementsAre(0));
  EXPECT_EQ(rank(0).clock, at_us(9));
}

TEST_F(EngineRequests, WhoIsNotBlockedIsNotMadeReady) {
  rank(0).pending = rank(1).pending = 1;
  enter(engine_, 0);
  block(engine_, 1);
  one_less(engine_, 0);
  one_less(engine_, 1);
  EXPECT_THAT(engine_.ready, ElementsAre(1));
}

TEST_F(EngineRequests, WhatIsCompleteBeforeSomebodyWaitsCostsItsTimeThen) {
  receive(engine_, slot(1), channel(0, 1), 0);
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  EXPECT_EQ(engine_.requests[slot(1)].at, at_us(6));
  EXPECT_EQ(rank(1).clock, Time{});
  rank(1).clock = at_us(50);
  wait(engine_, slot(1));
  EXPECT_EQ(rank(1).clock, at_us(52));
  EXPECT_EQ(engine_.free_messages, 0U) << "its record is free";
}

TEST_F(EngineRequests, WhatIsWaitedForTogetherKeepsItsOrderWhereThatDoesNotMatter) {
  std::vector<std::uint32_t> list{slot(0, 1), slot(0, 0)};
  complete_at(engine_, slot(0, 0), 0, at_us(1));
  complete_at(engine_, slot(0, 1), 0, at_us(2));
  sort_by_arrival(engine_, list);
  EXPECT_THAT(list, ElementsAre(slot(0, 1), slot(0, 0)));
}

TEST_F(EngineRequests, WhatWaitsForTheRankToBeInMpiIsDoneInTheOrderInWhichItCame) {
  receive(engine_, slot(1, 0), channel(0, 1), 2'000);
  receive(engine_, slot(1, 1), channel(2, 1), 2'000);
  rank(0).clock = at_us(3);
  send_from(engine_, channel(0, 1), 2'000);  // the request is there at 9
  send_from(engine_, channel(2, 1), 2'000);  // there at 6
  handle_before(lone_, at_us(20));
  look(engine_, 1, at_us(20));
  EXPECT_EQ(rank(1).clock, at_us(26));
  block(engine_, 0);
  block(engine_, 2);
  handle_before(lone_, at_us(33));
  // Answered until 23, there at 28, taken until 30, sent until 31; and until 26, there at 31, until 34.
  EXPECT_EQ(rank(2).clock, at_us(31));
  EXPECT_EQ(rank(0).clock, at_us(34));
}

// Rendezvous.

TEST_F(EngineRendezvous, BothInMpiTakeItsStepsWhenTheyCome) {
  receive(engine_, slot(1), channel(0, 1), 2'000);
  send(engine_, slot(0), channel(0, 1), 2'000, false);
  for (const std::uint32_t rank : {0U, 1U}) {
    wait(engine_, slot(rank));
    block(engine_, rank);
  }
  handle_before(lone_, at_us(7));
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kClear);
  EXPECT_EQ(rank(1).clock, at_us(6 + 2 + 1));
  handle_before(lone_, at_us(15));
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kData);
  EXPECT_EQ(rank(0).clock, at_us(14 + 2 + 1));
  handle_all(lone_);
  EXPECT_EQ(rank(0).clock, at_us(17 + 15));
  EXPECT_EQ(rank(1).clock, at_us(17 + 15 + 2));
  EXPECT_THAT(engine_.ready, ElementsAre(0, 1));
}

TEST_F(EngineRendezvous, EachStepWaitsForItsRankToBeInMpi) {
  receive(engine_, slot(1), channel(0, 1), 2'000);
  send(engine_, slot(0), channel(0, 1), 2'000, false);
  handle_before(lone_, at_us(50));
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kRequestArrived);
  look(engine_, 1, at_us(50));
  EXPECT_EQ(rank(1).clock, at_us(53));
  handle_before(lone_, at_us(80));
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kClearArrived);
  look(engine_, 0, at_us(80));
  EXPECT_EQ(rank(0).clock, at_us(83));
  handle_all(lone_);
  EXPECT_EQ(engine_.requests[slot(0)].at, at_us(83 + 15));
  EXPECT_EQ(engine_.requests[slot(1)].at, at_us(83 + 15));
}

TEST_F(EngineRendezvous, TheSenderMayHaveToReactUntilItSendsTheDataAndTheReceiverUntilItAnswers) {
  receive(engine_, slot(1), channel(0, 1), 2'000);
  EXPECT_EQ(rank(1).reactive, 1U);
  send(engine_, slot(0), channel(0, 1), 2'000, false);
  EXPECT_EQ(rank(0).reactive, 1U);
  block(engine_, 1);
  handle_before(lone_, at_us(50));
  EXPECT_EQ(rank(1).reactive, 0U);
  EXPECT_EQ(rank(0).reactive, 1U);
  look(engine_, 0, at_us(50));
  EXPECT_EQ(rank(0).reactive, 0U);
}

TEST_F(EngineRendezvous, ARankKnowsOfWhatWasThereWhenItLookedLast) {
  Message message;
  message.channel = channel(0, 1);
  message.transport = engine_.costs.transport(0, 1);
  message.arrived = at_us(6);
  rank(1).last_progress = at_us(6);
  EXPECT_TRUE(knows_of(engine_, message));
  rank(1).last_progress = at_us(6) - Duration{1};
  EXPECT_FALSE(knows_of(engine_, message));
  message.taken = true;
  EXPECT_TRUE(knows_of(engine_, message));
}

TEST_F(EngineRendezvous, AReceiveAnswersARequestThatIsKnownAtOnceAndAnotherWhenTheRankLooks) {
  for (const bool looked : {true, false}) {
    test::LoneEngine lone(four_ranks(), test::star(4));
    Engine& engine = lone.engine;
    send_from(engine, channel(0, 1), 2'000);
    handle_before(lone, at_us(20));
    engine.rank(1).clock = at_us(20);
    if (looked) engine.rank(1).last_progress = at_us(10);
    receive(engine, slot(1), channel(0, 1), 2'000);
    EXPECT_EQ(engine.rank(1).clock, looked ? at_us(23) : at_us(20));
    look(engine, 1, engine.rank(1).clock);
    EXPECT_EQ(engine.rank(1).clock, at_us(23));
  }
}

TEST_F(EngineRendezvous, InterfacesGoOnWhereverTheRanksAre) {
  test::LoneEngine lone(four_ranks(), progressing(hw::Progress::kHardware));
  receive(lone.engine, slot(1), channel(0, 1), 2'000);
  send(lone.engine, slot(0), channel(0, 1), 2'000, false);
  handle_all(lone);
  // The request is there at 6, the answer at 11, the data at 26.
  EXPECT_EQ(lone.engine.requests[slot(0)].at, at_us(26));
  EXPECT_EQ(lone.engine.requests[slot(1)].at, at_us(26));
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1));
  EXPECT_EQ(lone.engine.rank(1).clock, Time{});
}

TEST_F(EngineRendezvous, AThreadAnswersOneRequestAfterTheOtherAndTakesTheTimeFromTheRank) {
  test::LoneEngine lone(four_ranks(), progressing(hw::Progress::kThread));
  Engine& engine = lone.engine;
  receive(engine, slot(1, 0), channel(0, 1), 2'000);
  receive(engine, slot(1, 1), channel(2, 1), 2'000);
  send_from(engine, channel(0, 1), 2'000);
  send_from(engine, channel(2, 1), 2'000);
  handle_before(lone, at_us(10));  // both are there at 6
  EXPECT_EQ(engine.threads[1].clock, at_us(6 + 3 + 3));
  EXPECT_EQ(engine.rank(1).clock, Time{});
  EXPECT_EQ(stolen(engine, 1), microseconds(6));
  EXPECT_EQ(stolen(engine, 1), Duration{}) << "since the last question";
}

TEST_F(EngineRendezvous, AThreadBeginsWhenTheLastCallOfItsRankIsOver) {
  test::LoneEngine lone(four_ranks(), progressing(hw::Progress::kThread));
  receive(lone.engine, slot(1), channel(0, 1), 2'000);
  lone.engine.rank(1).clock = at_us(8);
  send_from(lone.engine, channel(0, 1), 2'000);
  handle_before(lone, at_us(10));
  EXPECT_EQ(lone.engine.threads[1].clock, at_us(8 + 3));
}

TEST_F(EngineRendezvous, InAStayRequestsAreAnsweredOneAfterTheOtherBehindTheCall) {
  receive(engine_, slot(1, 0), channel(0, 1), 2'000);
  receive(engine_, slot(1, 1), channel(2, 1), 2'000);
  rank(1).clock = at_us(8);
  stay(engine_, 1, at_us(0), at_us(20));
  send_from(engine_, channel(0, 1), 2'000);
  send_from(engine_, channel(2, 1), 2'000);
  handle_before(lone_, at_us(10));  // both are there at 6
  EXPECT_EQ(engine_.stays[1].busy, at_us(8 + 3 + 3));
  EXPECT_EQ(rank(1).clock, at_us(8)) << "the next operation begins when it was observed to";
}

TEST_F(EngineRendezvous, WhoseReceiverCopiesIsOverForItsSenderWhenThatIsDone) {
  test::LoneEngine lone(four_ranks(), copying());
  Engine& engine = lone.engine;
  receive(engine, slot(1), channel(0, 1), 2'000);
  send(engine, slot(0), channel(0, 1), 2'000, false);
  block(engine, 0);
  block(engine, 1);
  handle_before(lone, at_us(20));  // the data is on its way, until 32
  EXPECT_EQ(engine.rank(1).reactive, 1U) << "it has to copy";
  leave(engine, 1, false);
  handle_before(lone, at_us(50));
  EXPECT_EQ(state_of(engine, slot(0)), Request::State::kPending);
  look(engine, 1, at_us(50));
  EXPECT_EQ(engine.requests[slot(1)].at, at_us(52));
  EXPECT_EQ(engine.rank(1).reactive, 0U);
  handle_all(lone);
  EXPECT_EQ(engine.requests[slot(0)].at, at_us(52));
  EXPECT_EQ(engine.free_messages, 0U) << "the record is free when both are done";
}

TEST_F(EngineRendezvous, WhoseRestIsBufferedIsOverForItsSenderOnceOnly) {
  const std::uint32_t id = new_message(engine_, channel(0, 1));
  Message& message = engine_.messages[id];
  message.stage = Message::Stage::kData;
  message.send_request = slot(0);
  message.receive_request = slot(1);
  begin(engine_, slot(0), id);
  begin(engine_, slot(1), id);
  free_sender(engine_, id, at_us(20));
  EXPECT_EQ(engine_.requests[slot(0)].at, at_us(20));
  wait(engine_, slot(0));  // the slot is free for another operation
  data_arrived(engine_, id, at_us(32), 0);
  EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kFree);
  EXPECT_EQ(state_of(engine_, slot(1)), Request::State::kComplete);
  EXPECT_EQ(engine_.requests[slot(1)].at, at_us(32));
}

}  // namespace
}  // namespace plumbline::replay::mpi
