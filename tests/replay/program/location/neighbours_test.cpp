// Neighbourhood collectives of a location.

#include "replay/program/compile/location/neighbours.hpp"

#include <gmock/gmock.h>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

using testing::ElementsAre;

class LocationNeighbours : public testing::Test {
 protected:
  void begin(const char* call, std::vector<archive::AttributeValue> attributes) {
    location_.in_call(call);
    begin_neighbourhood(location_.state, Record({.kind = archive::EventKind::kEnter}, std::move(attributes)));
  }
  archive::AttributeValue sent(const char* text) { return location_.text(location_.ids.neighbours_sent, text); }
  archive::AttributeValue received(const char* text) { return location_.text(location_.ids.neighbours_received, text); }
  void wait_ended_with(const char* requests) {
    complete_unrecorded(location_.state, Record({.kind = archive::EventKind::kLeave},
                                                {location_.text(location_.ids.completed, requests)}));
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
  const archive::AttributeValue of_world_ = number(location_.ids.comm, kWorld);
};

TEST_F(LocationNeighbours, OneMayComeSeveralTimesAndTheBytesToAllAreSummed) {
  begin("MPI_Neighbor_alltoall", {of_world_, sent("3:16,0:8,3:16"), received("1:4")});
  ASSERT_TRUE(state_.call.neighbourhood);
  const Operation made = *state_.call.neighbourhood;
  EXPECT_EQ(made.kind, OpKind::kNeighbourhood);
  EXPECT_EQ(made.comm, kWorld);
  EXPECT_EQ(made.tag, static_cast<std::int32_t>(Neighbourhood::kAlltoall));
  EXPECT_EQ(made.bytes, 40U);
  const Program program = location_.finish();
  const RankProgram& rank = program.rank(0);
  EXPECT_THAT(rank.sends_to(made), ElementsAre(Neighbour{3, 0, 16}, Neighbour{0, 0, 8}, Neighbour{3, 0, 16}));
  EXPECT_THAT(rank.receives_from(made), ElementsAre(Neighbour{1, 0, 4}));
  EXPECT_EQ(rank.neighbourhoods[made.extra].request, kNone);
}

TEST_F(LocationNeighbours, WithoutAListThereAreNoneAndWithoutACommunicatorNothingIsKnown) {
  begin("MPI_Neighbor_alltoall", {of_world_});
  ASSERT_TRUE(state_.call.neighbourhood);
  EXPECT_EQ(state_.call.neighbourhood->bytes, 0U);
  EXPECT_TRUE(state_.to.empty());
  EXPECT_TRUE(state_.from.empty());
  begin("MPI_Neighbor_alltoall", {sent("3:16")});
  EXPECT_FALSE(state_.call.neighbourhood);
}

TEST_F(LocationNeighbours, ANonBlockingOneIsARequestOfItsCall) {
  for (int i = 0; i < 2; ++i) location_.earlier({});
  begin("MPI_Ineighbor_alltoall", {of_world_, number(location_.ids.request, 11)});
  EXPECT_EQ(state_.call.neighbourhood->kind, OpKind::kNonBlockingNeighbourhood);
  ASSERT_NE(state_.requests.find(11), nullptr);
  EXPECT_EQ(state_.requests.find(11)->operation, 2U);
  EXPECT_EQ(state_.requests.find(11)->slot, 0U);
  const std::uint32_t tail = state_.call.neighbourhood->extra;
  EXPECT_EQ(location_.finish().rank(0).neighbourhoods[tail].request, 0U);
}

TEST_F(LocationNeighbours, ARankThatIsNotThereAndANeighbourWithoutBytesAreFaults) {
  begin("MPI_Neighbor_alltoall", {of_world_, sent("3:16")});
  EXPECT_EQ(error_of([&] {
              begin("MPI_Neighbor_alltoall", {of_world_, sent("4:16")});
            }),
            "OBS: rank 0, event 0: rank 4 of a communicator of 4");
  EXPECT_EQ(error_of([&] {
              begin("MPI_Neighbor_alltoall", {of_world_, received("1:16,2")});
            }),
            "OBS: rank 0, event 0: a neighbour without a number of bytes");
  EXPECT_EQ(error_of([&] { begin("MPI_Neighbor_alltoall", {number(location_.ids.comm, std::uint64_t{1} << 32)}); }),
            "OBS: rank 0, event 0: a communicator that the archive does not define");
}

TEST_F(LocationNeighbours, TheLeaveOfAWaitTellsWhatIsOver) {
  begin("MPI_Ineighbor_alltoall", {of_world_, number(location_.ids.request, 11)});
  location_.earlier(*state_.call.neighbourhood);
  location_.in_call("MPI_Wait");
  wait_ended_with("11");
  EXPECT_THAT(state_.completed, ElementsAre(0U));
  EXPECT_EQ(state_.requests.find(11), nullptr);
  EXPECT_FALSE(state_.call.waits_for_unrecorded);
}

TEST_F(LocationNeighbours, AWaitForWhatTheArchiveDoesNotRecordIsKnownAsOne) {
  location_.in_call("MPI_Wait");
  complete_unrecorded(state_, {.kind = archive::EventKind::kLeave});
  EXPECT_FALSE(state_.call.waits_for_unrecorded) << "the Leave tells of none";
  wait_ended_with("12");
  EXPECT_TRUE(state_.call.waits_for_unrecorded);
  EXPECT_TRUE(state_.completed.empty());
}

}  // namespace
}  // namespace plumbline::replay::compiling
