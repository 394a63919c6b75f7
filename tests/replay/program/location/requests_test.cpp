// Requests of a location: who started them and who completes them.

#include "replay/program/compile/location/requests.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using testing::ElementsAre;

// Rank 0 has a second thread with calls.
archive::Definitions with_another_thread() {
  archive::Definitions definitions = definitions_by_hand();
  definitions.location_groups.emplace_back();
  archive::Location& thread = definitions.locations.emplace_back();
  thread.events = 2;
  definitions.locations[0].group = thread.group = 0;
  return definitions;
}

class LocationRequests : public testing::Test {
 protected:
  // Operation 0 is of an earlier call and has slot 0; the call in progress has posted operation 1, of slot 1.
  void start(OpKind earlier_kind, OpKind posted_kind) {
    earlier_ = {location_.earlier({.kind = earlier_kind, .call = 2, .site = 3, .extra = 0}), state_.slots.take(),
                earlier_kind};
    location_.in_call("MPI_Startall");
    posted_ = {1, state_.slots.take(), posted_kind};
    state_.posts.push_back({.kind = posted_kind, .extra = 1});
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
  Request earlier_, posted_;
};

TEST_F(LocationRequests, AReceiveThatNeverEndedIsKeptAsItWasPosted) {
  const Operation asked = never_completed({.kind = OpKind::kIrecv, .flags = kAnyTag, .comm = kPair, .peer = 0});
  EXPECT_EQ(asked.flags, kAnyTag | kNotCompleted);
  EXPECT_EQ(asked.comm, kPair);
  EXPECT_EQ(asked.peer, 0);
}

TEST_F(LocationRequests, AReceiveThatNeverEndedMayBeOfAnyMessageWhereTheArchiveDoesNotTellHowItWasPosted) {
  const Operation unknown = never_completed({.kind = OpKind::kIrecv});
  EXPECT_EQ(unknown.flags, kNotCompleted | kAnySource | kAnyTag | kAnyComm);
  EXPECT_EQ(unknown.comm, 0U);
}

TEST_F(LocationRequests, ASendThatNeverEndedIsASend) {
  EXPECT_EQ(never_completed({.kind = OpKind::kIsend, .comm = kPair}).flags, 0);
}

TEST_F(LocationRequests, AnAbandonedCollectiveThatNothingDescribesIsACallThatNeedsNobody) {
  start(OpKind::kNonBlockingCollective, OpKind::kNonBlockingCollective);
  location_.builder.operation(0).extra = kNone;  // of another tool: without what it takes to be played
  abandon(state_, earlier_);
  abandon(state_, posted_);
  EXPECT_EQ(location_.builder.operation(0).kind, OpKind::kLocal);
  EXPECT_EQ(location_.builder.operation(0).call, 2);
  EXPECT_EQ(location_.builder.operation(0).site, 3U);
  EXPECT_EQ(state_.posts[0].kind, OpKind::kNonBlockingCollective) << "others wait for its part";
  EXPECT_EQ(location_.tally.replaced_requests, 2U);
}

TEST_F(LocationRequests, ARequestIsTakenOnce) {
  state_.requests.put(11, {4, 2, OpKind::kIsend});
  const std::optional<Request> taken = take_request(state_, 11);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->operation, 4U);
  EXPECT_EQ(taken->slot, 2U);
  EXPECT_EQ(error_of([&] { take_request(state_, 11); }),
            "OBS: rank 0, event 0: completion of request 11, which was not started");
}

TEST_F(LocationRequests, AnotherThreadMayHaveStartedWhatNobodyDid) {
  LocationByHand location(with_another_thread());
  EXPECT_FALSE(take_request(location.state, 11));
  EXPECT_TRUE(location.state.call.waits_for_other_thread);
}

TEST_F(LocationRequests, WhatStartedARequestIsInTheProgramOrStillToBeAddedToIt) {
  start(OpKind::kIsend, OpKind::kIrecv);
  EXPECT_EQ(&started_by(state_, earlier_), &location_.builder.operation(0));
  EXPECT_EQ(&started_by(state_, posted_), &state_.posts[0]);
}

TEST_F(LocationRequests, ACallWaitsForWhatOthersHaveStarted) {
  start(OpKind::kIsend, OpKind::kIrecv);
  complete(state_, posted_);
  complete(state_, earlier_);
  EXPECT_THAT(state_.completed, ElementsAre(0U));
  ASSERT_EQ(state_.own_completions.size(), 1U);
  EXPECT_EQ(state_.own_completions[0].operation, 1U);
  EXPECT_EQ(state_.own_completions[0].slot, 1U);
}

TEST_F(LocationRequests, WhatACallBothStartsAndEndsIsBlocking) {
  start(OpKind::kIsend, OpKind::kIsend);
  state_.posts.push_back({.kind = OpKind::kIrecv, .extra = 2});
  state_.posts.push_back({.kind = OpKind::kNonBlockingCollective, .extra = 5});  // of its tail
  state_.posts.push_back({.kind = OpKind::kIsend, .extra = 4});                  // goes on
  for (std::uint32_t slot = 2; slot < 5; ++slot) ASSERT_EQ(state_.slots.take(), slot);
  for (std::uint32_t i = 1; i < 4; ++i) state_.own_completions.push_back({i, i});
  convert_own_completions(state_);
  EXPECT_EQ(state_.posts[0].kind, OpKind::kSend);
  EXPECT_EQ(state_.posts[0].extra, kNone);
  EXPECT_EQ(state_.posts[1].kind, OpKind::kRecv);
  EXPECT_EQ(state_.posts[1].extra, kNone);
  EXPECT_EQ(state_.posts[2].kind, OpKind::kCollective);
  EXPECT_EQ(state_.posts[2].extra, 5U);
  EXPECT_EQ(state_.posts[3].kind, OpKind::kIsend);
  EXPECT_TRUE(state_.own_completions.empty());
  EXPECT_EQ(state_.slots.take(), 3U) << "the last one given back";
}

TEST_F(LocationRequests, ACancelledRequestIsACallThatNeedsNobodyAndItsSlotIsFree) {
  start(OpKind::kIrecv, OpKind::kIsend);
  state_.requests.put(11, earlier_);
  request_cancelled(state_, {.kind = archive::EventKind::kMpiRequestCancelled, .request = 11});
  const Operation& cancelled = location_.builder.operation(0);
  EXPECT_EQ(cancelled.kind, OpKind::kLocal);
  EXPECT_EQ(cancelled.call, 2);
  EXPECT_EQ(cancelled.site, 3U);
  EXPECT_EQ(cancelled.extra, kNone);
  EXPECT_EQ(state_.slots.take(), 0U);
  EXPECT_EQ(location_.tally.cancelled, 1U);
}

TEST_F(LocationRequests, AWaitHasItsOneSlotOrAListInTheOrderOfCompletion) {
  for (int i = 0; i < 3; ++i) state_.slots.take();
  state_.completed = {2};
  const Operation one = wait_operation(state_);
  EXPECT_EQ(one.flags, kNoRequestList);
  EXPECT_EQ(one.extra, 2U);
  state_.completed = {1, 0};
  const Operation two = wait_operation(state_);
  EXPECT_EQ(two.flags, 0);
  EXPECT_TRUE(state_.completed.empty());
  EXPECT_EQ(state_.slots.take(), 0U) << "all slots are free again";
  const Program program = location_.finish();
  EXPECT_THAT(program.rank(0).waits_for(two), ElementsAre(1U, 0U));
}

}  // namespace
}  // namespace plumbline::replay::compiling
