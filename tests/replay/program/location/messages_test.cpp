// Messages of a location, and what its calls post.

#include "replay/program/compile/location/messages.hpp"
#include "replay/program/compile/location/references.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::EventKind;

class LocationMessages : public testing::Test {
 protected:
  CommOfRank comm(std::uint32_t index) { return comm_of(location_.state, {.comm = index}); }
  void post_irecv(std::uint64_t request, std::vector<archive::AttributeValue> asked = {}) {
    post(location_.state, Record({.kind = EventKind::kMpiIrecvRequest, .request = request}, std::move(asked)),
         OpKind::kIrecv);
  }
  void post_isend(std::uint64_t request) {
    post(location_.state,
         {.kind = EventKind::kMpiIsend, .comm = kWorld, .peer = 1, .tag = 5, .bytes = 8, .request = request},
         OpKind::kIsend);
  }
  std::uint8_t flags(std::int64_t posted_source, std::int64_t posted_tag) {
    const AttributeIds& ids = location_.ids;
    return posted_flags(location_.state,
                        Record({.kind = EventKind::kMpiRecv},
                               {integer(ids.posted_source, posted_source), integer(ids.posted_tag, posted_tag)}));
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationMessages, ACommunicatorIsAsTheRankSeesIt) {
  EXPECT_EQ(comm(kPair).size, 2U);
  EXPECT_EQ(comm(kPair).own, 1U);
  EXPECT_EQ(comm(kOthers).own, kNone);
  EXPECT_EQ(comm(kInter).size, 1U);
  EXPECT_EQ(comm(kInter).peers, 3U);
  EXPECT_TRUE(comm(kInter).is_inter);
}

TEST_F(LocationMessages, ACommunicatorThatTheArchiveDoesNotDefineIsAFault) {
  state_.events = 3;
  EXPECT_EQ(error_of([&] { comm(4); }), "OBS: rank 0, event 3: a communicator that the archive does not define");
}

TEST_F(LocationMessages, APeerIsLessThanTheRanksThatAMessageCanName) {
  EXPECT_EQ(peer_of(state_, {.peer = 1}, comm(kPair)), 1);
  EXPECT_EQ(error_of([&] { peer_of(state_, {.peer = 2}, comm(kPair)); }),
            "OBS: rank 0, event 0: rank 2 of a communicator of 2");
  EXPECT_EQ(peer_of(state_, {.peer = 2}, comm(kInter)), 2) << "of the other group, which has three";
  EXPECT_EQ(peer_of(state_, {.peer = archive::kUndefined}, comm(kPair)), kNoPeer);
}

TEST_F(LocationMessages, TheModeOfASendIsThatOfItsCallOrAsTheRecordSays) {
  const archive::Event sent{.kind = EventKind::kMpiSend, .comm = kWorld, .peer = 3, .tag = 7, .bytes = 100};
  const auto mode = [&](const char* call, const char* said) {
    location_.in_call(call);
    return message_of(state_, Record(sent, {location_.text(location_.ids.send_mode, said)})).flags;
  };
  EXPECT_EQ(mode("MPI_Send", "standard"), 0);
  EXPECT_EQ(mode("MPI_Ssend", ""), kSynchronous);
  EXPECT_EQ(mode("MPI_Bsend", ""), kBuffered);
  EXPECT_EQ(mode("MPI_Startall", "synchronous"), kSynchronous);
  EXPECT_EQ(mode("MPI_Startall", "buffered"), kBuffered);
}

TEST_F(LocationMessages, AReceiveIsOfAnyRankOrTagWhereItWasPostedWithANegativeOne) {
  EXPECT_EQ(flags(0, 0), 0);
  EXPECT_EQ(flags(-1, 0), kAnySource);
  EXPECT_EQ(flags(3, -1), kAnyTag);
  EXPECT_EQ(flags(-1, -1), kAnySource | kAnyTag);
}

TEST_F(LocationMessages, ACallThatSendsOrReceivesIsThatAlone) {
  location_.in_call("MPI_Send");
  state_.call.send = Message{.comm = kPair, .peer = 0, .tag = 7, .bytes = 100, .flags = kSynchronous};
  const Operation send = message_operation(state_);
  EXPECT_EQ(send.kind, OpKind::kSend);
  EXPECT_EQ(send.comm, kPair);
  EXPECT_EQ(send.peer, 0);
  EXPECT_EQ(send.tag, 7);
  EXPECT_EQ(send.bytes, 100U);
  EXPECT_EQ(send.flags, kSynchronous);
  location_.in_call("MPI_Recv");
  state_.call.receive = Message{.comm = kWorld, .peer = 3};
  EXPECT_EQ(message_operation(state_).kind, OpKind::kRecv);
  EXPECT_EQ(location_.tally.messages, 1U);
  EXPECT_EQ(location_.tally.receives, 1U);
}

// The other half was sent to MPI_PROC_NULL, or received from it.
TEST_F(LocationMessages, ASendrecvMayHaveOneHalf) {
  location_.in_call("MPI_Sendrecv");
  state_.call.receive = Message{.comm = kPair, .peer = 0, .tag = 9, .bytes = 64, .flags = kAnyTag};
  const Operation receives = message_operation(state_);
  location_.in_call("MPI_Sendrecv");
  state_.call.send = Message{.comm = kPair, .peer = 0, .tag = 9, .bytes = 32};
  const Operation sends = message_operation(state_);
  for (const Operation& operation : {receives, sends}) {
    EXPECT_EQ(operation.kind, OpKind::kSendrecv);
    EXPECT_EQ(operation.comm, kPair);
  }
  EXPECT_EQ(receives.peer, kNoPeer);
  EXPECT_EQ(receives.bytes, 0U);
  EXPECT_EQ(receives.flags, kAnyTag);
  const Program program = location_.finish();
  const auto& tails = program.rank(0).sendrecvs;
  EXPECT_EQ(tails[receives.extra].source, 0);
  EXPECT_EQ(tails[receives.extra].bytes, 64U);
  EXPECT_EQ(tails[sends.extra].source, kNoPeer);
}

TEST_F(LocationMessages, EachPostOfACallIsAnOperationWithASlot) {
  for (int i = 0; i < 3; ++i) location_.earlier({});
  location_.in_call("MPI_Startall");
  post_isend(11), post_irecv(12);
  ASSERT_EQ(state_.posts.size(), 2U);
  EXPECT_EQ(state_.posts[0].kind, OpKind::kIsend);
  EXPECT_EQ(state_.posts[0].extra, 0U);
  EXPECT_EQ(state_.posts[1].kind, OpKind::kIrecv);
  EXPECT_EQ(state_.posts[1].extra, 1U);
  EXPECT_EQ(state_.requests.find(11)->operation, 3U);
  EXPECT_EQ(state_.requests.find(12)->operation, 4U);
  EXPECT_EQ(location_.tally.messages, 1U);
  EXPECT_EQ(location_.tally.receives, 1U);
}

TEST_F(LocationMessages, APostedReceiveIsAsItWasAskedForOnlyWhereAllOfThatIsRecorded) {
  const AttributeIds& ids = location_.ids;
  location_.in_call("MPI_Irecv");
  post_irecv(11, {number(ids.comm, kPair), integer(ids.posted_source, 0), integer(ids.posted_tag, -1),
                  number(ids.buffer_bytes, 64)});
  const Operation& asked = state_.posts[0];
  EXPECT_EQ(asked.comm, kPair);
  EXPECT_EQ(asked.peer, 0);
  EXPECT_EQ(asked.tag, 0) << "any";
  EXPECT_EQ(asked.flags, kAnyTag);
  EXPECT_EQ(asked.bytes, 64U);
  post_irecv(12, {number(ids.comm, kPair), integer(ids.posted_source, -1)});  // and no tag
  EXPECT_EQ(state_.posts[1].comm, kNone);
  EXPECT_EQ(state_.posts[1].flags, kAnySource);
}

TEST_F(LocationMessages, ACommunicatorOfMoreThan32BitsIsNotTheOneOfItsLowerBits) {
  const AttributeIds& ids = location_.ids;
  EXPECT_EQ(error_of([&] {
              post_irecv(11, {number(ids.comm, (std::uint64_t{1} << 32) + kPair), integer(ids.posted_source, -1),
                              integer(ids.posted_tag, -1)});
            }),
            "OBS: rank 0, event 0: a communicator that the archive does not define");
}

TEST_F(LocationMessages, TheIdOfARequestThatNeverEndedMayBeGivenToAnother) {
  location_.in_call("MPI_Startall");
  post_irecv(11), post_isend(11);
  EXPECT_EQ(location_.tally.replaced_requests, 1U);
  EXPECT_NE(state_.posts[0].flags & kNotCompleted, 0);
  EXPECT_EQ(state_.requests.find(11)->operation, 1U);
  EXPECT_EQ(state_.posts[1].extra, 1U) << "the slot of the first one stays its own";
}

TEST_F(LocationMessages, TheEndOfAReceiveTellsWhichMessageItTook) {
  location_.in_call("MPI_Irecv");
  post_irecv(11);
  location_.end_posts();
  location_.in_call("MPI_Wait");
  receive_completed(state_, {.comm = kPair, .peer = 0, .tag = 9, .bytes = 64, .request = 11});
  const Operation& receive = location_.builder.operation(0);
  EXPECT_EQ(receive.comm, kPair);
  EXPECT_EQ(receive.peer, 0);
  EXPECT_EQ(receive.tag, 9);
  EXPECT_EQ(receive.bytes, 64U);
  EXPECT_THAT(state_.completed, testing::ElementsAre(0U));
  EXPECT_EQ(state_.requests.find(11), nullptr);
}

// Two calls of MPI_Irecv without a record, then an MPI_Isend that is over, whose slot is free again.
TEST_F(LocationMessages, AReceiveWithoutARecordOfItsPostIsTheOldestSuchCall) {
  for (int i = 0; i < 2; ++i) state_.unrecorded_posts.push_back(location_.earlier({}));
  state_.slots.give_back(state_.slots.take());
  location_.in_call("MPI_Wait");
  receive_completed(state_, {.comm = kWorld, .peer = 3, .tag = 9, .bytes = 64, .request = 11});
  EXPECT_EQ(location_.builder.operation(0).kind, OpKind::kIrecv);
  EXPECT_EQ(location_.builder.operation(0).peer, 3);
  EXPECT_EQ(location_.builder.operation(0).extra, 1U) << "a slot that nobody had while the receive was under way";
  EXPECT_EQ(location_.builder.operation(1).kind, OpKind::kLocal);
  EXPECT_EQ(location_.tally.receives_without_post, 1U);
}

TEST_F(LocationMessages, TheEndOfAReceiveThatNobodyPostedIsAFault) {
  location_.in_call("MPI_Wait");
  EXPECT_EQ(error_of([&] { receive_completed(state_, {.comm = kWorld, .peer = 3, .request = 11}); }),
            "OBS: rank 0, event 0: completion of request 11, which was not started");
}

}  // namespace
}  // namespace plumbline::replay::compiling
