// One-sided communication of a location.

#include "replay/program/compile/location/windows.hpp"
#include "replay/program/compile/location/references.hpp"

#include <gmock/gmock.h>

#include <array>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;
using testing::ElementsAre;

class LocationWindows : public testing::Test {
 protected:
  const Operation& made() const { return location_.state.call.one_sided->operation; }
  // The group of a call that synchronises with it, in ranks of the window.
  std::vector<std::uint32_t> group(std::uint32_t window, std::uint32_t of_archive) {
    LocationByHand location;
    location.in_call("MPI_Win_post");
    window_event(location.state, {.kind = EventKind::kRmaGroupSync, .tag = of_archive, .window = window});
    const Operation post = location.state.call.one_sided->operation;
    const Program program = location.finish();
    const auto ranks = program.rank(0).group_of(post);
    return {ranks.begin(), ranks.end()};
  }
  std::optional<Operation> flush(const char* call, std::uint32_t window, std::uint32_t target) {
    location_.in_call(call);
    state_.call.window = window;
    state_.call.target = target;
    return flush_operation(state_);
  }
  void transfer(const char* call, const Event& event) {
    location_.in_call(call);
    window_event(state_, event);
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationWindows, TheEnterTellsTheWindowTheTargetAndThatNobodyHasToWait) {
  const AttributeIds& ids = location_.ids;
  window_attribute(state_, number(ids.window, 2));
  window_attribute(state_, number(ids.target, 3));
  window_attribute(state_, location_.text(ids.assertion, "nostore,noprecede"));
  EXPECT_EQ(state_.call.window, 2U);
  EXPECT_EQ(state_.call.target, 3U);
  EXPECT_FALSE(state_.call.is_nocheck);
  window_attribute(state_, location_.text(ids.assertion, "nocheck"));
  EXPECT_TRUE(state_.call.is_nocheck);
}

TEST_F(LocationWindows, AWindowOrTargetOfMoreThan32BitsIsNotTheOneOfItsLowerBits) {
  location_.in_call("MPI_Win_flush");
  window_attribute(state_, number(location_.ids.window, kPair));
  window_attribute(state_, number(location_.ids.target, (std::uint64_t{1} << 32) + 1));
  flush_operation(state_);
  EXPECT_EQ(state_.call.error_class, "MPI_ERR_RANK");
  window_attribute(state_, number(location_.ids.window, (std::uint64_t{1} << 32) + kPair));
  EXPECT_EQ(error_of([&] { flush_operation(state_); }),
            "OBS: rank 0, event 0: a window that the archive does not define");
}

TEST_F(LocationWindows, AWindowHasAnIndexWhereThisRankIsOneOfItsOneGroup) {
  EXPECT_EQ(window_of(state_, {.window = kPair}).index, 0U) << "the first one that was asked for";
  EXPECT_EQ(window_of(state_, {.window = kWorld}).index, 1U);
  EXPECT_EQ(window_of(state_, {.window = kPair}).index, 0U);
  EXPECT_EQ(window_of(state_, {.window = kOthers}).index, kNone);
  EXPECT_EQ(window_of(state_, {.window = kInter}).index, kNone);
  location_.definitions.windows.push_back({.name = 0});  // of no communicator
  EXPECT_EQ(window_of(state_, {.window = 4}).index, kNone);
  EXPECT_EQ(error_of([&] { window_of(state_, {.window = 5}); }),
            "OBS: rank 0, event 0: a window that the archive does not define");
}

TEST_F(LocationWindows, TheKindOfAWindowIsKnownFromItsMaking) {
  const auto make = [&](std::uint32_t window, const char* kind) {
    window_event(state_, Record({.kind = EventKind::kRmaWinCreate, .window = window},
                                {location_.text(location_.ids.window_kind, kind)}));
  };
  make(kWorld, "shared");
  make(kPair, "a kind of a later version");
  make(kOthers, "create");
  const Program program = location_.finish();
  ASSERT_EQ(program.windows().size(), 2U);
  EXPECT_EQ(program.windows()[0].kind, WindowKind::kShared);
  EXPECT_EQ(program.windows()[1].kind, WindowKind::kUnknown);
}

TEST_F(LocationWindows, CollectivesOfAWindowMakeFreeOrFenceIt) {
  const auto kind_of = [&](CollectiveOp op) {
    location_.in_call("MPI_Win_create");
    window_event(state_, {.kind = EventKind::kRmaCollectiveEnd, .collective = op, .window = kWorld});
    return state_.call.one_sided ? made().kind : OpKind::kUnmodelled;
  };
  EXPECT_EQ(kind_of(CollectiveOp::kCreateHandle), OpKind::kWinCreate);
  EXPECT_EQ(kind_of(CollectiveOp::kCreateHandleAndAllocate), OpKind::kWinCreate);
  EXPECT_EQ(kind_of(CollectiveOp::kDestroyHandle), OpKind::kWinFree);
  EXPECT_EQ(kind_of(CollectiveOp::kDestroyHandleAndDeallocate), OpKind::kWinFree);
  EXPECT_EQ(kind_of(CollectiveOp::kBarrier), OpKind::kWinFence);
  EXPECT_EQ(kind_of(CollectiveOp::kBcast), OpKind::kUnmodelled);
}

TEST_F(LocationWindows, TheRanksOfAGroupAreThoseOfTheWindowInTheOrderOfTheGroup) {
  EXPECT_THAT(group(kWorld, kZeroAndTwo), ElementsAre(0U, 2U));
  EXPECT_THAT(group(kPair, kZeroAndTwo), ElementsAre(1U, 0U));
  EXPECT_THAT(group(kPair, kOneAndTwo), ElementsAre(0U)) << "rank 1 is none of the window's";
  EXPECT_EQ(error_of([&] { group(kPair, kGroups); }),
            "OBS: rank 0, event 0: a group of ranks that the archive does not define");
}

TEST_F(LocationWindows, WhoCompletesOrWaitsMeansTheGroupBefore) {
  location_.in_call("MPI_Win_complete");
  state_.call.is_nocheck = true;
  window_event(state_, {.kind = EventKind::kRmaGroupSync, .tag = kGroups, .window = kWorld});
  EXPECT_EQ(made().kind, OpKind::kWinComplete);
  EXPECT_EQ(made().extra, kNone);
  EXPECT_EQ(made().flags, kWinNoCheck);
}

TEST_F(LocationWindows, ALockIsOfOneRankOrOfAllAndSharedUnlessExclusive) {
  const auto lock = [&](std::uint32_t rank, archive::RmaLock type) -> const Operation& {
    location_.in_call("MPI_Win_lock");
    window_event(
        state_,
        {.kind = EventKind::kRmaRequestLock, .rma = static_cast<std::uint8_t>(type), .peer = rank, .window = kPair});
    return made();
  };
  EXPECT_EQ(lock(1, archive::RmaLock::kExclusive).kind, OpKind::kWinLock);
  EXPECT_EQ(made().peer, 1);
  EXPECT_EQ(made().flags, kWinExclusive);
  EXPECT_EQ(lock(0, archive::RmaLock::kShared).flags, 0);
  EXPECT_EQ(lock(archive::kUndefined, archive::RmaLock::kShared).flags, kWinAll);
  window_event(state_, {.kind = EventKind::kRmaReleaseLock, .peer = 1, .window = kPair});
  EXPECT_EQ(made().kind, OpKind::kWinUnlock);
  EXPECT_EQ(made().flags, 0) << "the type of a lock is that of its request";
}

TEST_F(LocationWindows, BytesToTheTargetAreSentAndThoseFromItReceived) {
  const auto [put, get, accumulate, fetch] =
      std::array{Event{.kind = EventKind::kRmaPut, .peer = 1, .window = kPair, .bytes = 8},
                 Event{.kind = EventKind::kRmaGet, .peer = 1, .window = kPair, .bytes = 8},
                 Event{.kind = EventKind::kRmaAtomic, .peer = 1, .window = kPair, .bytes = 8},
                 Event{.kind = EventKind::kRmaAtomic, .peer = 1, .window = kPair, .bytes = 8, .received = 16}};
  const auto expect = [&](const Event& event, OpKind kind, std::uint64_t sent, std::uint64_t received) {
    transfer("MPI_Put", event);
    EXPECT_EQ(made().kind, kind);
    EXPECT_EQ(made().peer, 1);
    EXPECT_EQ(made().bytes, sent);
    EXPECT_EQ(state_.call.one_sided->tail->received, received);
  };
  expect(put, OpKind::kRmaPut, 8, 0);
  expect(get, OpKind::kRmaGet, 0, 8);
  expect(accumulate, OpKind::kRmaAccumulate, 8, 0);
  expect(fetch, OpKind::kRmaFetch, 8, 16);
  EXPECT_EQ(error_of([&] { transfer("MPI_Put", {.kind = EventKind::kRmaPut, .window = kPair}); }),
            "OBS: rank 0, event 0: one-sided communication with no rank of its window");
}

TEST_F(LocationWindows, ATransferWithARequestEndsInTheWaitThatCompletesIt) {
  for (int i = 0; i < 2; ++i) location_.earlier({});
  transfer("MPI_Rput", {.kind = EventKind::kRmaPut, .peer = 1, .window = kPair, .bytes = 8, .request = 11});
  const Operation put = one_sided_operation(state_);
  location_.earlier(put);
  location_.in_call("MPI_Wait");
  const Event over{.kind = EventKind::kRmaOpCompleteNonBlocking, .window = kPair, .request = 11};
  window_event(state_, over);
  EXPECT_THAT(state_.completed, ElementsAre(0U));
  EXPECT_FALSE(state_.call.waits_for_one_sided);
  window_event(state_, over);
  EXPECT_TRUE(state_.call.waits_for_one_sided) << "it was over before";
  EXPECT_EQ(location_.finish().rank(0).rma[put.extra].request, 0U);
}

TEST_F(LocationWindows, OneWithoutARequestHasNoSlotWhateverItsRecordSays) {
  transfer("MPI_Put", {.kind = EventKind::kRmaPut, .peer = 1, .window = kPair, .bytes = 8, .request = 11});
  const Operation put = one_sided_operation(state_);
  EXPECT_EQ(state_.slots.count(), 0U);
  EXPECT_EQ(location_.finish().rank(0).rma[put.extra].request, kNone);
}

TEST_F(LocationWindows, WhatIsNotKnownOfATransferKeepsItFromBeingJudged) {
  transfer("MPI_Put", {.kind = EventKind::kRmaPut, .peer = 1, .window = kPair, .bytes = archive::kUnknownSize});
  const Operation unknown_size = one_sided_operation(state_);
  EXPECT_EQ(unknown_size.kind, OpKind::kRmaPut);
  EXPECT_EQ(unknown_size.bytes, 0U);
  EXPECT_EQ(state_.reason, "one-sided communication of unknown size");
  transfer("MPI_Put", {.kind = EventKind::kRmaPut, .peer = 1, .window = kOthers, .bytes = 8});
  EXPECT_EQ(one_sided_operation(state_).kind, OpKind::kUnmodelled);
  EXPECT_EQ(state_.reason, "a window of ranks that the archive does not tell");
}

TEST_F(LocationWindows, AFlushIsOfOneRankOrOfAllAndAtTheOriginWhereItsNameSaysSo) {
  const std::optional<Operation> of_one = flush("MPI_Win_flush", kPair, 1);
  ASSERT_TRUE(of_one);
  EXPECT_EQ(of_one->kind, OpKind::kWinFlush);
  EXPECT_EQ(of_one->peer, 1);
  EXPECT_EQ(of_one->flags, 0);
  EXPECT_EQ(flush("MPI_Win_flush_local", kPair, 0)->flags, kWinLocal);
  EXPECT_EQ(flush("MPI_Win_flush_all", kPair, kNone)->flags, kWinAll);
  EXPECT_FALSE(flush("MPI_Win_flush", kNone, 1)) << "of which window?";
  EXPECT_FALSE(flush("MPI_Win_unlock", kPair, 1));
}

TEST_F(LocationWindows, AFlushOfARankThatIsNotThereHasFailed) {
  EXPECT_EQ(flush("MPI_Win_flush", kPair, 2)->kind, OpKind::kUnmodelled);
  EXPECT_EQ(state_.call.error_class, "MPI_ERR_RANK");
  EXPECT_EQ(location_.tally.refused, 1U);
}

TEST_F(LocationWindows, ACompletionTellsTheWindowWhereTheEnterDidNot) {
  location_.in_call("MPI_Win_flush");
  window_event(state_, {.kind = EventKind::kRmaOpCompleteBlocking, .window = kPair});
  EXPECT_EQ(state_.call.window, kPair);
  window_event(state_, {.kind = EventKind::kRmaOpCompleteRemote, .window = kWorld});
  EXPECT_EQ(state_.call.window, kPair);
}

}  // namespace
}  // namespace plumbline::replay::compiling
