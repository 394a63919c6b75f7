// Messages, and ranks that run ahead of the clock, of the engine by itself.

#include "tests/replay/engine/parts/engine_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi {
namespace {

using collectives::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(EngineMessages, ReceivesTakeTheSendsOfTheirChannelInOrder) {
  send_from(engine_, channel(0, 1, 5), 8);
  send_from(engine_, channel(0, 1, 5), 16);
  send_from(engine_, channel(0, 1, 6), 32);
  receive(engine_, slot(1, 0), channel(0, 1, 6), 32);
  receive(engine_, slot(1, 1), channel(0, 1, 5), 8);
  receive(engine_, engine_.blocking_receive(1), channel(0, 1, 5), 16);
  EXPECT_EQ(bytes_of(engine_, slot(1, 0)), 32U);
  EXPECT_EQ(bytes_of(engine_, slot(1, 1)), 8U);
  EXPECT_EQ(bytes_of(engine_, engine_.blocking_receive(1)), 16U);
}

TEST_F(EngineMessages, SendsMeetThePostedReceivesOfTheirChannelInOrder) {
  receive(engine_, slot(1, 1), channel(0, 1, 5), 8);
  receive(engine_, engine_.blocking_receive(1), channel(0, 1, 5), 16);
  receive(engine_, slot(1, 0), channel(0, 1, 6), 32);
  send_from(engine_, channel(0, 1, 6), 32);
  send_from(engine_, channel(0, 1, 5), 8);
  send_from(engine_, channel(0, 1, 5), 16);
  EXPECT_EQ(bytes_of(engine_, slot(1, 0)), 32U);
  EXPECT_EQ(bytes_of(engine_, slot(1, 1)), 8U);
  EXPECT_EQ(bytes_of(engine_, engine_.blocking_receive(1)), 16U);
}

TEST_F(EngineMessages, AnEagerSendIsOverWhenItIsSentAndItsReceiveWhenItIsTaken) {
  receive(engine_, slot(1), channel(0, 1), 1'000);
  wait(engine_, slot(1));
  block(engine_, 1);
  send(engine_, slot(0), channel(0, 1), 1'000, false);
  EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kComplete);
  EXPECT_EQ(rank(0).clock, at_us(1));
  handle_all(lone_);
  EXPECT_EQ(rank(1).clock, at_us(1 + 10 + 2));
  EXPECT_THAT(engine_.ready, ElementsAre(1));
}

TEST_F(EngineMessages, ASynchronousSendOfAnySizeWaitsForItsReceive) {
  engine_.synchronous_sends = true;
  send(engine_, slot(0), channel(0, 1), 0, true);
  handle_before(lone_, at_us(100));
  EXPECT_EQ(state_of(engine_, slot(0)), Request::State::kPending);
  look(engine_, 0, at_us(100));
  look(engine_, 1, at_us(100));
  receive(engine_, slot(1), channel(0, 1), 0);
  block(engine_, 0);
  handle_all(lone_);
  // The request is known and answered until 103, the answer there at 108; the data is sent until 111, there at 116.
  EXPECT_EQ(engine_.requests[slot(0)].at, at_us(116));
}

TEST_F(EngineMessages, AProbeWaitsForTheFirstMessageOfItsChannelAndTakesNothing) {
  probe(engine_, 1, channel(0, 1, 6));
  block(engine_, 1);
  send_from(engine_, channel(0, 1, 5), 0);
  handle_before(lone_, at_us(20));
  EXPECT_EQ(rank(1).pending, 1U) << "the message of the other tag is there";
  rank(0).clock = at_us(30);
  send_from(engine_, channel(0, 1, 6), 0);
  handle_all(lone_);
  EXPECT_EQ(rank(1).clock, at_us(36));
  EXPECT_THAT(engine_.ready, ElementsAre(1));
  EXPECT_EQ(unreceived(engine_), 2U);
}

TEST_F(EngineMessages, AProbeOfWhatIsThereWaitsForNothing) {
  send_from(engine_, channel(0, 1), 0);
  handle_all(lone_);
  rank(1).clock = at_us(20);
  probe(engine_, 1, channel(0, 1));
  EXPECT_EQ(rank(1).pending, 0U);
  EXPECT_EQ(rank(1).clock, at_us(20));
}

TEST_F(EngineMessages, UnreceivedIsWhatWasSentAndNotWhatIsWaitedFor) {
  receive(engine_, slot(1), channel(2, 1), 2'000);  // nobody sends it
  send_from(engine_, channel(0, 1, 5), 0);
  send_from(engine_, channel(0, 1, 5), 0);
  send_from(engine_, channel(0, 3, 5), 0);
  EXPECT_EQ(unreceived(engine_), 3U);
  receive(engine_, slot(1, 1), channel(0, 1, 5), 0);
  EXPECT_EQ(unreceived(engine_), 2U);
}

TEST_F(EngineMessages, AFreeRecordIsUsedAgainWithNothingOfWhatItWas) {
  const std::uint32_t one = new_message(engine_, channel(0, 1)), other = new_message(engine_, channel(0, 1));
  EXPECT_NE(one, other);
  engine_.messages[one].bytes = 1'000;
  engine_.messages[one].stage = Message::Stage::kDone;
  engine_.messages[one].receive_request = slot(1);
  free_message(engine_, one);
  EXPECT_EQ(new_message(engine_, channel(2, 3)), one);
  EXPECT_EQ(engine_.messages[one].channel, channel(2, 3));
  EXPECT_EQ(engine_.messages[one].bytes, 0U);
  EXPECT_EQ(engine_.messages[one].stage, Message::Stage::kNotSent);
  EXPECT_EQ(engine_.messages[one].receive_request, kNone);
}

TEST_F(EngineMessages, WhatMayAskForAReactionIsCountedOnce) {
  Message& message = engine_.messages[new_message(engine_, channel(0, 1))];
  expect_to_ask(engine_, message, true);
  expect_to_ask(engine_, message, true);
  EXPECT_EQ(rank(1).reactive, 1U);
  expect_to_ask(engine_, message, false);
  expect_to_ask(engine_, message, false);
  EXPECT_EQ(rank(1).reactive, 0U);
}

TEST_F(EngineMessages, ARankSpendsItsCpuOnWhatItSendsItselfAndNoneOnWhatItsInterfaceDoes) {
  const std::uint32_t own = new_message(engine_, channel(0, 1)), of_interface = new_message(engine_, channel(0, 1));
  engine_.messages[own].stage = engine_.messages[of_interface].stage = Message::Stage::kEager;
  const MessageCost& cost = engine_.costs.of(engine_.messages[own].transport, 0);
  rank(0).clock = at_us(10);
  inject(engine_, own, 0, 1, 0, cost);
  inject_by_interface(engine_, of_interface, 0, 1, 0, cost, at_us(20));
  EXPECT_EQ(rank(0).clock, at_us(11));
  handle_before(lone_, at_us(17));
  EXPECT_EQ(engine_.messages[own].arrived, at_us(16));
  EXPECT_EQ(engine_.messages[of_interface].stage, Message::Stage::kEager);
  handle_all(lone_);
  EXPECT_EQ(engine_.messages[of_interface].arrived, at_us(25));
}

TEST_F(EngineMessages, NothingIsDeliveredThatIsNotUnderWay) {
  const std::uint32_t done = new_message(engine_, channel(0, 1));
  engine_.messages[done].stage = Message::Stage::kDone;
  sim::Event event{.at = at_us(1), .component = engine_.components() - 1, .payload = done};
  EXPECT_DEATH(handle(engine_, event), "delivered that was not under way");
}

TEST_F(EngineMessages, CpuTimeIsThatOfBothEndsForTheSize) {
  hw::Platform platform = test::star(4);
  platform.between.ranges.front().send.value = microseconds(7);  // eager: 9 in all
  test::LoneEngine lone(four_ranks(), platform);
  EXPECT_EQ(cpu_time(lone.engine, 0, 1, 1'000), microseconds(9));
  EXPECT_EQ(cpu_time(lone.engine, 0, 1, 1'001), microseconds(3));
  EXPECT_EQ(cpu_time(lone.engine, 0, 0, 1'000), microseconds(3)) << "inside a node";
}

// Over LogGP, where ranks go ahead.

class EngineAhead : public testing::Test {
 protected:
  EngineAhead() { let_ranks_go_ahead(engine_); }
  // Rank 1 waits in a blocking receive for a message of rank 0.
  void wait_for_one() {
    rank(1).only_messages = true;
    receive(engine_, engine_.blocking_receive(1), channel(0, 1), 0);
    wait(engine_, engine_.blocking_receive(1));
    block(engine_, 1);
  }
  RankState& rank(std::uint32_t rank) { return engine_.rank(rank); }

  test::LoneEngine lone_{four_ranks(), loggp()};
  Engine& engine_ = lone_.engine;
};

TEST_F(EngineAhead, AMessageThatNobodyWaitsForIsHeldWithoutAnEvent) {
  send_from(engine_, channel(0, 1), 0);
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kHeld);
  EXPECT_EQ(engine_.messages[0].arrived, at_us(4));
  EXPECT_TRUE(lone_.queue.empty());
}

TEST_F(EngineAhead, WhatIsReleasedIsThereAtItsArrivalAndHasAnEventBefore) {
  send_from(engine_, channel(0, 1), 0);  // there at 4
  send_from(engine_, channel(0, 1), 0);  // there at 5
  handle_before(lone_, at_us(4));
  release(engine_, 0);
  EXPECT_EQ(engine_.messages[0].stage, Message::Stage::kEagerArrived);
  EXPECT_TRUE(lone_.queue.empty());
  release(engine_, 1);
  EXPECT_EQ(engine_.messages[1].stage, Message::Stage::kEager);
  EXPECT_EQ(lone_.queue.size(), 1U);
}

TEST_F(EngineAhead, WhoWaitsForOneMessageAloneHasItWhenItIsSent) {
  wait_for_one();
  send_from(engine_, channel(0, 1), 0);
  EXPECT_TRUE(lone_.queue.empty());
  EXPECT_EQ(rank(1).clock, at_us(6));
  EXPECT_THAT(engine_.ready, ElementsAre(1));
  EXPECT_EQ(engine_.ahead[1].at, at_us(4));
  EXPECT_TRUE(engine_.is_ahead(1));
  handle_before(lone_, at_us(4));
  EXPECT_FALSE(engine_.is_ahead(1)) << "the clock is where the message is there";
}

TEST_F(EngineAhead, WhoWaitsForMoreOrMayHaveToReactWaitsForTheEvent) {
  const std::vector<std::function<void(RankState&)>> disturbances = {
      [](RankState& state) { ++state.pending; }, [](RankState& state) { ++state.reactive; },
      [](RankState& state) { state.only_messages = false; }, [](RankState& state) { state.where = Where::kInCall; }};
  for (std::size_t i = 0; i < disturbances.size(); ++i) {
    test::LoneEngine lone(four_ranks(), loggp());
    let_ranks_go_ahead(lone.engine);
    lone.engine.rank(1).only_messages = true;
    receive(lone.engine, lone.engine.blocking_receive(1), channel(0, 1), 0);
    wait(lone.engine, lone.engine.blocking_receive(1));
    block(lone.engine, 1);
    disturbances[i](lone.engine.rank(1));
    send_from(lone.engine, channel(0, 1), 0);
    EXPECT_EQ(lone.queue.size(), 1U) << i;
    EXPECT_EQ(lone.engine.rank(1).clock, Time{}) << i;
  }
}

TEST_F(EngineAhead, ABlockingReceiveTakesAHeldMessageUnlessTheRankMayHaveToReact) {
  for (const bool may_react : {false, true}) {
    test::LoneEngine lone(four_ranks(), loggp());
    let_ranks_go_ahead(lone.engine);
    send_from(lone.engine, channel(0, 1), 0);
    lone.engine.rank(1).reactive = may_react ? 1 : 0;
    receive(lone.engine, lone.engine.blocking_receive(1), channel(0, 1), 0);
    EXPECT_EQ(lone.engine.messages[0].stage, Message::Stage::kHeld);
    wait(lone.engine, lone.engine.blocking_receive(1));
    EXPECT_EQ(lone.engine.rank(1).pending, may_react ? 1U : 0U);
    EXPECT_EQ(lone.engine.rank(1).clock, may_react ? Time{} : at_us(6));
    EXPECT_EQ(lone.queue.size(), may_react ? 1U : 0U);
  }
}

TEST_F(EngineAhead, RanksThatAreAheadCatchUpInTheOrderOfTheEventsThatTheyDidNotWaitFor) {
  engine_.ahead[1] = {at_us(4), 3, 0};
  engine_.ahead[2] = {at_us(4), 0, 7};
  engine_.ahead[3] = {at_us(4), 0, 6};
  for (const std::uint32_t rank : {1U, 2U, 3U}) catch_up(engine_, rank);
  EXPECT_THAT(engine_.ready, IsEmpty());
  handle_all(lone_);
  EXPECT_EQ(lone_.queue.now(), at_us(4));
  EXPECT_THAT(engine_.ready, ElementsAre(3, 2, 1));
}

TEST_F(EngineAhead, WhatIsThereIsTakenByTimeThenByRankThenBySequenceBehindTheRest) {
  const auto there = [&](Time at, std::uint32_t source, std::uint32_t sequence) {
    const std::uint32_t request = pooled_request(engine_, 1), message = new_message(engine_, channel(source, 1));
    engine_.requests[request].state = Request::State::kComplete;
    engine_.requests[request].at = at;
    engine_.requests[request].message = message;
    engine_.messages[message].send_request = sequence;
    return request;
  };
  const std::uint32_t late = there(at_us(9), 0, 0), second = there(at_us(5), 2, 4), first = there(at_us(5), 2, 3),
                      lowest = there(at_us(5), 0, 9), pending = pooled_request(engine_, 1);
  engine_.requests[pending].state = Request::State::kPending;
  std::vector<std::uint32_t> list{late, second, pending, first, lowest};
  sort_by_arrival(engine_, list);
  EXPECT_THAT(list, ElementsAre(pending, lowest, first, second, late));
}

}  // namespace
}  // namespace plumbline::replay::mpi
