// Calls of a location that failed, as the archive says or as their records show.

#include "replay/program/compile/location/failures.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::Event;
using archive::EventKind;

class LocationFailures : public testing::Test {
 protected:
  // The class of the error, or "" where the library does it.
  std::string_view refused(const char* call, const Event& event) {
    location_.in_call(call);
    const bool refused = refuses(location_.state, event);
    EXPECT_EQ(refused, !location_.state.call.error_class.empty());
    return location_.state.call.error_class;
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationFailures, ARankIsRefusedFromTheNumberOfThoseThatCanBeNamedOn) {
  const CommOfRank pair{.index = 1, .size = 2, .peers = 2}, inter{.index = 3, .size = 1, .peers = 3};
  location_.in_call("MPI_Send");
  EXPECT_FALSE(refuses_rank(state_, {.peer = 1}, pair, "MPI_ERR_RANK"));
  EXPECT_FALSE(refuses_rank(state_, {.peer = 2}, inter, "MPI_ERR_RANK"));
  EXPECT_FALSE(refuses_rank(state_, {.peer = archive::kUndefined}, pair, "MPI_ERR_RANK")) << "MPI_PROC_NULL";
  EXPECT_EQ(state_.call.error_class, "");
  EXPECT_TRUE(refuses_rank(state_, {.peer = 2}, pair, "MPI_ERR_ROOT"));
  EXPECT_EQ(state_.call.error_class, "MPI_ERR_ROOT");
}

TEST_F(LocationFailures, TheFirstRefusalIsToldInWordsAndAllAreCounted) {
  state_.events = 5;
  refused("MPI_Send", {.kind = EventKind::kMpiSend, .comm = kPair, .peer = 2});
  state_.events = 9;
  refused("MPI_Ssend", {.kind = EventKind::kMpiSend, .comm = kPair, .peer = 3});
  EXPECT_EQ(location_.tally.refused, 2U);
  EXPECT_EQ(location_.tally.first_refused, "rank 0, event 5: MPI_Send, rank 2 of a communicator of 2");
}

TEST_F(LocationFailures, ATagIsRefusedWhereItIsNegativeAsAnInt) {
  constexpr std::uint32_t kLargest = 0x7fffffff;
  const auto with_tag = [](std::uint32_t tag) {
    return Event{.kind = EventKind::kMpiSend, .comm = kPair, .peer = 0, .tag = tag};
  };
  EXPECT_EQ(refused("MPI_Send", with_tag(kLargest)), "");
  EXPECT_EQ(refused("MPI_Send", with_tag(kLargest + 1)), "MPI_ERR_TAG");
  EXPECT_EQ(location_.tally.first_refused, "rank 0, event 0: MPI_Send, tag -2147483648");
}

TEST_F(LocationFailures, ARefusedPostIsAnOperationOfItsCallAndARefusedSendIsTheCall) {
  refused("MPI_Startall", {.kind = EventKind::kMpiIsend, .comm = kPair, .peer = 2});
  ASSERT_EQ(state_.posts.size(), 1U);
  EXPECT_EQ(state_.posts[0].kind, OpKind::kUnmodelled);
  refused("MPI_Send", {.kind = EventKind::kMpiSend, .comm = kPair, .peer = 2});
  EXPECT_EQ(state_.posts.size(), 1U);
}

TEST_F(LocationFailures, TheRootIsRefusedInACommunicatorOfOneGroup) {
  const auto with_root = [](std::uint32_t comm, std::uint32_t root) {
    return Event{
        .kind = EventKind::kMpiCollectiveEnd, .collective = archive::CollectiveOp::kBcast, .comm = comm, .peer = root};
  };
  EXPECT_EQ(refused("MPI_Bcast", with_root(kPair, 1)), "");
  EXPECT_EQ(refused("MPI_Bcast", with_root(kPair, 2)), "MPI_ERR_ROOT");
  EXPECT_EQ(refused("MPI_Bcast", with_root(kInter, archive::kRootSelf)), "");
}

TEST_F(LocationFailures, ATargetIsRefusedWhereTheWindowIsKnown) {
  for (const EventKind kind :
       {EventKind::kRmaPut, EventKind::kRmaGet, EventKind::kRmaAtomic, EventKind::kRmaRequestLock}) {
    EXPECT_EQ(refused("MPI_Put", {.kind = kind, .peer = 1, .window = kPair}), "");
    EXPECT_EQ(refused("MPI_Put", {.kind = kind, .peer = 2, .window = kPair}), "MPI_ERR_RANK");
    EXPECT_EQ(refused("MPI_Put", {.kind = kind, .peer = 9, .window = kOthers}), "") << "a window of other ranks";
  }
}

// Of archives that do not say which calls failed: MPI_Win_lock and MPI_Win_unlock of a rank that is not there.
TEST_F(LocationFailures, TheEndOfALockIsRefusedAsItsBegin) {
  EXPECT_EQ(refused("MPI_Win_unlock", {.kind = EventKind::kRmaReleaseLock, .peer = 1, .window = kPair}), "");
  EXPECT_EQ(refused("MPI_Win_unlock", {.kind = EventKind::kRmaReleaseLock, .peer = 2, .window = kPair}),
            "MPI_ERR_RANK");
}

TEST_F(LocationFailures, AReceiveIsRefusedByTheRankThatItWasPostedFor) {
  const auto posted = [&](std::int64_t source) {
    return refused("MPI_Irecv", Record({.kind = EventKind::kMpiIrecvRequest, .request = 11},
                                       {number(location_.ids.comm, kPair), integer(location_.ids.posted_source, source),
                                        integer(location_.ids.posted_tag, 0)}));
  };
  EXPECT_EQ(posted(1), "");
  EXPECT_EQ(posted(-1), "") << "any rank";
  EXPECT_TRUE(state_.posts.empty());
  EXPECT_EQ(posted(2), "MPI_ERR_RANK");
  EXPECT_EQ(posted(std::int64_t{1} << 32), "MPI_ERR_RANK");
  EXPECT_EQ(state_.posts.size(), 2U);
  EXPECT_EQ(location_.tally.first_refused, "rank 0, event 0: MPI_Irecv, rank 2 of a communicator of 2");
}

TEST_F(LocationFailures, ACollectiveIsRefusedByTheRootThatItWasStartedWith) {
  const AttributeIds& ids = location_.ids;
  const auto started = [&](std::uint32_t comm, std::uint64_t root) {
    return refused("MPI_Ibcast", Record({.kind = EventKind::kNonBlockingCollectiveRequest, .request = 11},
                                        {number(ids.collective, archive::to_otf2(archive::CollectiveOp::kBcast)),
                                         number(ids.comm, comm), number(ids.root, root)}));
  };
  EXPECT_EQ(started(kPair, 1), "");
  EXPECT_EQ(started(kInter, archive::kRootSelf), "");
  EXPECT_TRUE(state_.posts.empty());
  EXPECT_EQ(started(kPair, 2), "MPI_ERR_ROOT");
  EXPECT_EQ(state_.posts.size(), 1U);
}

TEST_F(LocationFailures, WhatAFailedCallHasDoneHasAnEffect) {
  const auto without_effect = [&](const char* call, const char* error_class) {
    location_.in_call(call);
    state_.call.error_class = error_class;
    return has_no_effect(state_);
  };
  EXPECT_TRUE(without_effect("MPI_Recv", "MPI_ERR_COMM"));
  EXPECT_FALSE(without_effect("MPI_Recv", "")) << "it succeeded";
  EXPECT_FALSE(without_effect("MPI_Finalize", "MPI_ERR_OTHER"));
  without_effect("MPI_Recv", "MPI_ERR_TRUNCATE");
  state_.call.receive.emplace();  // it took its message
  EXPECT_FALSE(has_no_effect(state_));
  without_effect("MPI_Waitall", "MPI_ERR_IN_STATUS");
  state_.completed = {3};  // one of its requests is over
  EXPECT_FALSE(has_no_effect(state_));
}

TEST_F(LocationFailures, TheEndOfACallTellsItsFailureOrLeavesWhatIsKnown) {
  state_.call.error_class = "MPI_ERR_RANK";
  note_failure(state_, nullptr);
  const Event without;
  note_failure(state_, &without);
  EXPECT_EQ(state_.call.error_class, "MPI_ERR_RANK");
  const Record leave({.kind = EventKind::kLeave}, {location_.text(location_.ids.error_class, "MPI_ERR_TAG")});
  note_failure(state_, &leave.event());
  EXPECT_EQ(state_.call.error_class, "MPI_ERR_TAG");
}

}  // namespace
}  // namespace plumbline::replay::compiling
