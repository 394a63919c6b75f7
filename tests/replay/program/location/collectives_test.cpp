// Collectives of a location, and the communicators that its calls make.

#include "replay/program/compile/location/collectives.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::CollectiveOp;
using archive::EventKind;
using testing::ElementsAre;

class LocationCollectives : public testing::Test {
 protected:
  std::vector<std::uint64_t> numbers_of(const char* text, const char* separators = ",") {
    return numbers(location_.state, location_.definitions.strings.intern(text), separators);
  }
  // Operation 0, of an earlier call, has started a collective with slot 0, as request 11.
  void started(std::uint32_t extra) {
    const std::uint32_t operation = location_.earlier({.kind = OpKind::kNonBlockingCollective,
                                                       .call = location_.context.call(location_.region("MPI_Ibcast")),
                                                       .site = 3,
                                                       .extra = extra});
    state_.requests.put(11, {operation, state_.slots.take(), OpKind::kNonBlockingCollective});
    location_.in_call("MPI_Wait");
  }
  void completed(CollectiveOp op) {
    collective_completed(state_, {.kind = EventKind::kNonBlockingCollectiveComplete,
                                  .collective = op,
                                  .comm = kPair,
                                  .bytes = 8,
                                  .received = 16,
                                  .request = 11});
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationCollectives, NumbersStandBetweenTheSeparatorsInTurn) {
  EXPECT_THAT(numbers_of("8,16,8"), ElementsAre(8U, 16U, 8U));
  EXPECT_THAT(numbers_of("3:16,5:32", ":,"), ElementsAre(3U, 16U, 5U, 32U));
  EXPECT_THAT(numbers_of("18446744073709551615"), ElementsAre(~std::uint64_t{0}));
  EXPECT_THAT(numbers_of(""), ElementsAre());
}

TEST_F(LocationCollectives, ATextWithAnythingElseIsAFault) {
  for (const std::string text : {"8;16", "8,,16", "-8", "8, 16", "18446744073709551616", "8:16"})
    EXPECT_EQ(error_of([&] { numbers_of(text.c_str()); }),
              "OBS: rank 0, event 0: '" + text + "' is no list of numbers");
  EXPECT_EQ(error_of([&] { numbers_of("3,16", ":,"); }), "OBS: rank 0, event 0: '3,16' is no list of numbers");
}

TEST_F(LocationCollectives, ABlockingCollectiveHasABytesCountForEachRank) {
  location_.in_call("MPI_Alltoallv");
  collective_ended(state_, Record({.kind = EventKind::kMpiCollectiveEnd,
                                   .collective = CollectiveOp::kAlltoallv,
                                   .comm = kPair,
                                   .bytes = 24,
                                   .received = 32},
                                  {location_.text(location_.ids.counts_sent, "8,16")}));
  EXPECT_TRUE(state_.call.has_collective);
  const Operation made = state_.call.collective;
  EXPECT_EQ(made.kind, OpKind::kCollective);
  EXPECT_EQ(made.comm, kPair);
  EXPECT_EQ(made.peer, kNoPeer);
  EXPECT_EQ(made.tag, static_cast<std::int32_t>(Collective::kAlltoall));
  EXPECT_EQ(made.bytes, 24U);
  const Program program = location_.finish();
  const CollectiveTail& tail = program.rank(0).collectives[made.extra];
  EXPECT_EQ(tail.received, 32U);
  EXPECT_EQ(tail.request, kNone);
  EXPECT_THAT(program.rank(0).counts.subspan(tail.sent_counts, 2), ElementsAre(8U, 16U));
  EXPECT_EQ(tail.received_counts, kNone);
}

TEST_F(LocationCollectives, FewerCountsThanRanksAreAFault) {
  const Record end({.kind = EventKind::kMpiCollectiveEnd, .collective = CollectiveOp::kAlltoallv, .comm = kWorld},
                   {location_.text(location_.ids.counts_received, "8,16,8")});
  EXPECT_EQ(error_of([&] { collective_ended(state_, end); }), "OBS: rank 0, event 0: 3 numbers of bytes for 4 ranks");
}

TEST_F(LocationCollectives, TheRootOfTheOtherGroupHasNoNumber) {
  location_.in_call("MPI_Bcast");
  const auto root = [&](std::uint32_t comm, std::uint32_t peer) {
    collective_ended(
        state_, {.kind = EventKind::kMpiCollectiveEnd, .collective = CollectiveOp::kBcast, .comm = comm, .peer = peer});
    return state_.call.collective.peer;
  };
  EXPECT_EQ(root(kPair, 1), 1);
  EXPECT_EQ(root(kInter, 2), 2);
  EXPECT_EQ(root(kInter, archive::kRootSelf), kNoPeer);
  EXPECT_EQ(root(kInter, archive::kRootThisGroup), kNoPeer);
}

TEST_F(LocationCollectives, AStartedCollectiveIsAsItsAttributesSay) {
  const AttributeIds& ids = location_.ids;
  const Record start({.kind = EventKind::kNonBlockingCollectiveRequest, .request = 11},
                     {number(ids.collective, archive::to_otf2(CollectiveOp::kAllreduce)), number(ids.comm, kPair),
                      number(ids.bytes_sent, 8), number(ids.bytes_received, 16)});
  const Operation made = posted_collective(state_, start, 5);
  EXPECT_EQ(made.kind, OpKind::kNonBlockingCollective);
  EXPECT_EQ(made.comm, kPair);
  EXPECT_EQ(made.peer, kNoPeer);
  EXPECT_EQ(made.tag, static_cast<std::int32_t>(Collective::kAllreduce));
  EXPECT_EQ(made.bytes, 8U);
  const Program program = location_.finish();
  EXPECT_EQ(program.rank(0).collectives[made.extra].request, 5U);
  EXPECT_EQ(program.rank(0).collectives[made.extra].received, 16U);
}

TEST_F(LocationCollectives, AStartedCollectiveHasNoTailWithoutItsOperationOrItsCommunicator) {
  const AttributeIds& ids = location_.ids;
  for (const archive::AttributeValue& only :
       {number(ids.collective, archive::to_otf2(CollectiveOp::kAllreduce)), number(ids.comm, kPair)}) {
    const Operation made =
        posted_collective(state_, Record({.kind = EventKind::kNonBlockingCollectiveRequest}, {only}), 5);
    EXPECT_EQ(made.kind, OpKind::kNonBlockingCollective);
    EXPECT_EQ(made.extra, kNone);
  }
}

TEST_F(LocationCollectives, ACommunicatorOfMoreThan32BitsIsNotTheOneOfItsLowerBits) {
  const AttributeIds& ids = location_.ids;
  const Record start({.kind = EventKind::kNonBlockingCollectiveRequest},
                     {number(ids.collective, archive::to_otf2(CollectiveOp::kAllreduce)),
                      number(ids.comm, (std::uint64_t{1} << 32) + kPair)});
  EXPECT_EQ(error_of([&] { posted_collective(state_, start, 5); }),
            "OBS: rank 0, event 0: a communicator that the archive does not define");
}

TEST_F(LocationCollectives, TheEndDescribesWhatTheStartDidNot) {
  started(kNone);
  completed(CollectiveOp::kAllgather);
  const Operation made = location_.builder.operation(0);
  EXPECT_EQ(made.kind, OpKind::kNonBlockingCollective);
  EXPECT_EQ(made.comm, kPair);
  EXPECT_EQ(made.tag, static_cast<std::int32_t>(Collective::kAllgather));
  EXPECT_EQ(made.bytes, 8U);
  EXPECT_THAT(state_.completed, ElementsAre(0U));
  const Program program = location_.finish();
  EXPECT_EQ(program.rank(0).collectives[made.extra].received, 16U);
  EXPECT_EQ(program.rank(0).collectives[made.extra].request, 0U);
}

TEST_F(LocationCollectives, WhatTheStartHasDescribedStays) {
  started(7);  // its tail
  completed(CollectiveOp::kAllgather);
  EXPECT_EQ(location_.builder.operation(0).extra, 7U);
  EXPECT_EQ(location_.builder.operation(0).bytes, 0U);
  EXPECT_THAT(state_.completed, ElementsAre(0U));
}

TEST_F(LocationCollectives, NobodyWaitsForOneThatIsNotModelled) {
  started(kNone);
  completed(CollectiveOp::kOther);
  const Operation& made = location_.builder.operation(0);
  EXPECT_EQ(made.kind, OpKind::kUnmodelled);
  EXPECT_EQ(made.call, location_.context.call(location_.region("MPI_Ibcast")));
  EXPECT_EQ(made.site, 3U);
  EXPECT_TRUE(state_.completed.empty());
  EXPECT_EQ(state_.slots.take(), 0U) << "its slot is free";
  const Program program = location_.finish();
  ASSERT_EQ(program.rank(0).reasons.size(), 1U);
  EXPECT_EQ(program.reason(program.rank(0).reasons[0].text), "non-blocking collective of a kind that is not modelled");
}

TEST_F(LocationCollectives, TheMembersOfANewCommunicatorHaveMetWhereThisRankIsOne) {
  const auto created = [&](std::uint32_t comm) {
    location_.in_call("MPI_Comm_dup");
    comm_created(state_, {.kind = EventKind::kCommCreate, .comm = comm});
    return state_.call.created_comm;
  };
  EXPECT_EQ(created(kPair), kPair);
  EXPECT_EQ(created(kOthers), kNone) << "of other ranks";
  EXPECT_EQ(created(kInter), kNone) << "of two groups";
}

TEST_F(LocationCollectives, ThoseOfTheParentHaveMetWhereItIsRecorded) {
  location_.in_call("MPI_Comm_dup");
  collective_ended(state_,
                   {.kind = EventKind::kMpiCollectiveEnd, .collective = CollectiveOp::kCreateHandle, .comm = kWorld});
  comm_created(state_, {.kind = EventKind::kCommCreate, .comm = kPair});
  EXPECT_FALSE(state_.call.has_collective);
  EXPECT_EQ(state_.call.created_comm, kWorld);
}

}  // namespace
}  // namespace plumbline::replay::compiling
