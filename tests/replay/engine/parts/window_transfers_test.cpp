// Control messages and transfers of windows by themselves.

#include "tests/replay/engine/parts/window_world.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay::mpi::rma {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Control messages.

ControlMessage post_to(std::uint32_t to) { return {.what = What::kPost, .window = 0, .from = 1, .to = to}; }

TEST(WindowControl, WhatARankTellsItselfIsThereAtOnce) {
  LoneWindows lone = by_messages();
  tell(lone.windows, post_to(1), {});
  EXPECT_EQ(peer_between(lone, 1, 1).posts, 1U);
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  EXPECT_EQ(lone.engine.rank(1).clock, Time{});
}

TEST(WindowControl, AMessageIsTakenByTheCpuOfARankInMpi) {
  LoneWindows lone = by_messages();
  block(lone.engine, 0);
  tell(lone.windows, post_to(0), {});
  tell(lone.windows, post_to(2), {});  // which computes
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(2));
  handle_all(lone);
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1 + 5 + 2));
  EXPECT_EQ(peer_between(lone, 2, 1).posts, 0U);
  lone.engine.rank(2).clock = at_us(50);
  enter(lone.engine, 2);
  progress(lone.engine, 2);
  EXPECT_EQ(peer_between(lone, 2, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(2).clock, at_us(52));
}

TEST(WindowControl, InSharedMemoryOnlyWhoTellsSpendsTime) {
  LoneWindows lone = in_shared_memory();
  tell(lone.windows, post_to(0), at_us(5));
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(6));
  handle_all(lone);
  EXPECT_EQ(lone.queue.now(), at_us(6));
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  EXPECT_EQ(lone.engine.rank(0).clock, Time{});
}

TEST(WindowControl, InterfacesTellAndAnswerWithoutTheOther) {
  LoneWindows lone = by_interfaces();
  tell(lone.windows, post_to(0), {});
  handle_all(lone);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1));
  EXPECT_EQ(lone.queue.now(), at_us(6));
  EXPECT_EQ(peer_between(lone, 0, 1).posts, 1U);
  side_of(lone, 1).unanswered = 1;
  answer(lone.windows, What::kAnswer, post_to(0), at_us(6));
  handle_all(lone);
  EXPECT_EQ(lone.queue.now(), at_us(11));
  EXPECT_EQ(side_of(lone, 1).unanswered, 0U);
  EXPECT_EQ(lone.engine.rank(0).clock, Time{});
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(1));
}

TEST(WindowControl, WhatHasOvertakenTransfersWaitsForTheLastOfThem) {
  LoneWindows lone = queued();
  peer_between(lone, 0, 1).carried_out = 1;
  peer_between(lone, 0, 2).carried_out = 3;
  deliver(lone, complete_of(1, 2));
  EXPECT_EQ(side_of(lone, 0).completes, 0U);
  deliver(lone, complete_of(2, 3));
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
  act_on_early(lone.windows, 0, 0, {});
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
  peer_between(lone, 0, 1).carried_out = 2;
  act_on_early(lone.windows, 0, 0, {});
  EXPECT_EQ(side_of(lone, 0).completes, 2U);
  EXPECT_EQ(peer_between(lone, 0, 1).completes, 1U);
  EXPECT_THAT(side_of(lone, 0).early, IsEmpty());
}

TEST(WindowControl, WhatIsStillEarlyStaysBehindWhatIsNot) {
  LoneWindows lone = queued();
  for (const std::uint32_t from : {1U, 2U, 3U}) deliver(lone, complete_of(from, 1));
  EXPECT_THAT(side_of(lone, 0).early, SizeIs(3));
  for (const std::uint32_t from : {1U, 3U}) peer_between(lone, 0, from).carried_out = 1;
  act_on_early(lone.windows, 0, 0, {});
  ASSERT_THAT(side_of(lone, 0).early, SizeIs(1));
  EXPECT_EQ(side_of(lone, 0).early[0].from, 2U);
}

TEST(WindowControl, WhereTransfersAreAnsweredNothingIsEarly) {
  LoneWindows lone = by_messages();
  deliver(lone, complete_of(1, 2));
  EXPECT_EQ(side_of(lone, 0).completes, 1U);
}

TEST(WindowControl, ItsRequestBelongsToItsReaderAndItsNumberIsFreeWhenItIsTaken) {
  LoneWindows lone = by_messages();
  const std::uint32_t request = request_for(lone.windows, 2, post_to(2));
  EXPECT_EQ(rank_of(lone.engine, lone.engine.requests[request]), 2U);
  taken(lone.windows, 0, {});
  const std::uint32_t other = request_for(lone.windows, 3, post_to(3));
  EXPECT_NE(other, request);
  EXPECT_THAT(lone.windows.control_messages, SizeIs(1));
  EXPECT_EQ(rank_of(lone.engine, lone.engine.requests[other]), 3U);
}

// Transfers.

TEST(WindowTransfers, ByMessagesTheTargetTakesThemInMpiAndAnswers) {
  LoneWindows lone = by_messages("rank 0\n put 0 1 1000B\n accumulate 0 1 1000B\n");
  block_all(lone);
  issue(lone.windows, 0, operation(lone, 0, 0));
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1));
  EXPECT_EQ(side_of(lone, 0).outstanding, 1U);
  EXPECT_EQ(peer_between(lone, 0, 1).issued, 1U);
  EXPECT_EQ(side_of(lone, 1).to_come, 1U);
  handle_all(lone);
  EXPECT_EQ(side_of(lone, 1).carried_out, 1U);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(11 + 2 + 1));  // takes and answers
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(14 + 5 + 2));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
  issue(lone.windows, 0, operation(lone, 0, 1));  // there at 22 + 10
  handle_all(lone);
  EXPECT_EQ(lone.engine.rank(1).clock, at_us(32 + 2 + 1 + 1)) << "combines too";
}

TEST(WindowTransfers, ToItselfARankPassesOverItsMemoryAtOnce) {
  LoneWindows lone = by_messages("rank 0\n put 0 0 1000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
  EXPECT_EQ(lone.engine.messages_sent, 0U);
}

TEST(WindowTransfers, InSharedMemoryTheCallCopies) {
  LoneWindows lone = in_shared_memory("rank 0\n put 0 1 2000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.windows.calls[0].transfer, 0U);
  handle_all(lone);
  EXPECT_EQ(lone.windows.calls[0].transfer, kNone);
  EXPECT_EQ(lone.engine.rank(0).clock, at_us(1 + 2));
  EXPECT_EQ(lone.engine.rank(1).clock, Time{});
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
}

TEST(WindowTransfers, QueuedOnesAreKeptUntilTheTargetHasLetTheOriginIn) {
  LoneWindows lone = queued("rank 0\n put 0 1 0B\n put 0 1 0B\n put 0 2 0B\n");
  ask_peer(lone.windows, 0, 0, 1, false, true);
  const std::uint64_t asked = lone.engine.messages_sent;
  issue(lone.windows, 0, operation(lone, 0, 0));
  issue(lone.windows, 0, operation(lone, 0, 1));
  EXPECT_EQ(lone.engine.messages_sent, asked);
  issue(lone.windows, 0, operation(lone, 0, 2));
  EXPECT_EQ(lone.engine.messages_sent, asked + 1) << "nobody was asked for rank 2";
  granted(lone.windows, of_lock(What::kGrant, false, 1, 0));
  EXPECT_EQ(lone.engine.messages_sent, asked + 3);
  std::vector<std::uint32_t> order;
  for (const ControlMessage& control : lone.windows.control_messages)
    if (control.what == What::kThere) order.push_back(control.transfer);
  EXPECT_THAT(order, ElementsAre(2, 0, 1));
}

TEST(WindowTransfers, AllAreKeptWhileOnePostIsMissing) {
  LoneWindows lone = queued("rank 0\n put 0 1 0B\n");
  side_of(lone, 0).awaited_posts = 1;  // of rank 2
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.messages_sent, 0U);
  EXPECT_EQ(side_of(lone, 0).outstanding, 1U);
}

TEST(WindowTransfers, TheNumberOfAnUnansweredOneIsFreeWhenBothAreDone) {
  LoneWindows lone = queued("rank 0\n put 0 1 1000B\n");
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(side_of(lone, 0).outstanding, 0U) << "its origin is done when it is sent";
  EXPECT_EQ(lone.windows.free_transfers, kNone);
  block(lone.engine, 1);
  handle_all(lone);
  EXPECT_EQ(side_of(lone, 1).carried_out, 1U);
  EXPECT_EQ(lone.windows.free_transfers, 0U);
}

TEST(WindowTransfers, OnlyPt2ptDoesNotAnswerWhatGivesNothing) {
  const LoneWindows kept = queued(), messages = by_messages();
  const auto transfer = [](OpKind kind, Means means = Means::kAnswered) {
    Transfer t;
    t.kind = kind;
    t.means = means;
    return t;
  };
  EXPECT_FALSE(is_answered(kept.windows, transfer(OpKind::kRmaPut)));
  EXPECT_FALSE(is_answered(kept.windows, transfer(OpKind::kRmaAccumulate)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaGet)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaFetch)));
  EXPECT_TRUE(is_answered(kept.windows, transfer(OpKind::kRmaPut, Means::kOwn)));
  EXPECT_TRUE(is_answered(messages.windows, transfer(OpKind::kRmaPut)));
}

TEST(WindowTransfers, ByInterfacesAnAccumulateLocksUnlessItsRankHasAnExclusiveLock) {
  const auto messages_of = [](const std::string& accumulate, Lock held) {
    LoneWindows lone = by_interfaces("rank 0\n " + accumulate + "\n");
    peer_between(lone, 0, 1).lock = held;
    issue(lone.windows, 0, operation(lone, 0));
    handle_all(lone);
    EXPECT_EQ(side_of(lone, 0).outstanding, 0U);
    return lone.engine.messages_sent;
  };
  EXPECT_EQ(messages_of("accumulate 0 1 1000B", Lock::kShared), 6U);  // lock, get, put: there and back
  EXPECT_EQ(messages_of("accumulate 0 1 1000B", Lock::kExclusive), 4U);
  EXPECT_EQ(messages_of("accumulate 0 1 256B", Lock::kShared), 4U);  // lock, atomics
  EXPECT_EQ(messages_of("accumulate 0 1 256B", Lock::kExclusive), 2U);
}

TEST(WindowTransfers, TheRequestOfOneIsCompleteWhenItsOriginIsDone) {
  LoneWindows lone = by_messages("rank 0\n rput 0 1 0B -> a\n wait a\n");
  block_all(lone);
  issue(lone.windows, 0, operation(lone, 0));
  const auto request = [&] { return lone.engine.requests[lone.engine.request_of_slot(0, 0)]; };
  EXPECT_EQ(request().state, Request::State::kPending);
  handle_all(lone);
  EXPECT_EQ(request().state, Request::State::kComplete);
  EXPECT_EQ(request().at, at_us(6 + 2 + 1 + 5 + 2));
}

TEST(WindowTransfers, ALargeOneAsksFirst) {
  LoneWindows lone = by_messages("rank 0\n put 0 1 1001B\n");
  const std::uint32_t origin = lone.engine.rank(0).reactive, target = lone.engine.rank(1).reactive;
  issue(lone.windows, 0, operation(lone, 0));
  EXPECT_EQ(lone.engine.messages[0].stage, Message::Stage::kRequest);
  EXPECT_EQ(lone.engine.rank(0).reactive, origin + 1);
  EXPECT_EQ(lone.engine.rank(1).reactive, target + 1);
}

}  // namespace
}  // namespace plumbline::replay::mpi::rma
