// The parts of the engine of messages, each by itself on a state made by hand. Numbers of support.hpp: 1 µs to send,
// 2 µs to receive; a message without bytes is there 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs
// after; what is larger than 1000 bytes is a rendezvous. Over LogGP every message is there 3 µs after it has been sent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "parts.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_rendezvous.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/engine_wildcards.hpp"
#include "support.hpp"

namespace plumbline::replay::mpi {
namespace {

using collectives::Shape;

using test::at_us;
using test::block;
using test::handle_all;
using test::handle_before;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Each on a node of its own, with two request slots.
std::string four_ranks() {
  std::string body;
  for (const char* rank : {"0", "1", "2", "3"})
    body += std::string("rank ") + rank + "\n irecv 0 tag 0 0B -> a\n irecv 0 tag 0 0B -> b\n wait a b\n";
  return test::one_rank_per_node(4, body);
}

hw::Platform progressing(hw::Progress progress) {
  hw::Platform platform = test::star(4);
  platform.between.progress = progress;
  return platform;
}

hw::Platform copying() {
  hw::Platform platform = test::star(4);
  platform.between.sender_free = hw::SenderFree::kCopied;
  return platform;
}

hw::Platform loggp() {
  hw::Platform platform = test::star(4);
  platform.network = hw::NetworkKind::kLogGP;
  return platform;
}

Channel channel(std::uint32_t source, std::uint32_t receiver, std::int32_t tag = 0) {
  return {receiver, source, 0, tag};
}

std::uint64_t bytes_of(const Engine& engine, std::uint32_t request) {
  return engine.messages[engine.requests[request].message].bytes;
}

Request::State state_of(const Engine& engine, std::uint32_t request) { return engine.requests[request].state; }

// Nobody waits for its end.
void send_from(Engine& engine, const Channel& channel, std::uint64_t bytes) {
  send(engine, pooled_request(engine, channel.source), channel, bytes, false);
}

void look(Engine& engine, std::uint32_t rank, Time at) {
  engine.rank(rank).clock = at;
  enter(engine, rank);
  progress(engine, rank);
}

class EngineParts : public testing::Test {
 protected:
  std::uint32_t slot(std::uint32_t rank, std::uint32_t number = 0) const {
    return engine_.request_of_slot(rank, number);
  }
  RankState& rank(std::uint32_t rank) { return engine_.rank(rank); }

  test::LoneEngine lone_{four_ranks(), test::star(4)};
  Engine& engine_ = lone_.engine;
};

using EngineMessages = EngineParts;
using EngineRequests = EngineParts;
using EngineRendezvous = EngineParts;
using EngineCollectives = EngineParts;
using EngineWildcards = EngineParts;
using EngineCalls = EngineParts;

// Messages.

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
