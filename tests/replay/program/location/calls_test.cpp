// The calls of a location, from their records, else from their names, to operations.

#include "replay/program/compile/location/calls.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "by_hand.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay::compiling {
namespace {

using archive::Event;
using archive::EventKind;
using testing::ElementsAre;

// Rank 1 did not finalize.
archive::Definitions where_one_did_not_finalize() {
  archive::Definitions definitions = definitions_by_hand();
  definitions.location_groups.emplace_back().properties[archive::names::kPropertyEnd] = "killed";
  return definitions;
}

class LocationCalls : public testing::Test {
 protected:
  void enter(const char* name, std::int64_t us, std::vector<archive::AttributeValue> attributes = {}) {
    take_event(state_, Record({.kind = EventKind::kEnter, .region = location_.region(name), .time = at_us(us)},
                              std::move(attributes)));
  }
  void leave(const char* name, std::int64_t us, std::vector<archive::AttributeValue> attributes = {}) {
    take_event(state_, Record({.kind = EventKind::kLeave, .region = location_.region(name), .time = at_us(us)},
                              std::move(attributes)));
  }
  void message(EventKind kind, std::int64_t us, std::uint64_t request = archive::kNoRequest) {
    take_event(state_,
               {.kind = kind, .comm = kWorld, .peer = 1, .tag = 5, .time = at_us(us), .bytes = 8, .request = request});
  }
  void call(const char* name, std::int64_t begin_us, std::int64_t end_us) {
    enter(name, begin_us), leave(name, end_us);
  }
  void receive(std::int64_t begin_us, std::int64_t end_us) {
    enter("MPI_Recv", begin_us), message(EventKind::kMpiRecv, end_us), leave("MPI_Recv", end_us);
  }
  const Operation& operation(std::uint32_t index) { return location_.builder.operation(index); }
  const OperationTimes& times(std::uint32_t index) { return location_.builder.times(index); }
  // Why the operation is not judged; "" where it is.
  static std::string reason(const Program& program, std::uint32_t operation) {
    for (const Reason& reason : program.rank(0).reasons)
      if (reason.operation == operation) return std::string(program.reason(reason.text));
    return "";
  }

  LocationByHand location_;
  LocationState& state_ = location_.state;
};

TEST_F(LocationCalls, AnEventEarlierThanThePredecessorIsMovedToItAndCounted) {
  call("MPI_Comm_rank", 10, 5);
  EXPECT_EQ(times(0).begin, at_us(10));
  EXPECT_EQ(times(0).end, at_us(10));
  EXPECT_EQ(location_.tally.disorder, 1U);
}

TEST_F(LocationCalls, MessagesAndFilesOutsideOfAnyCallAreFaultsAndNotesAreNot) {
  enter("main", 0);
  take_event(state_, {.kind = EventKind::kIoCreateHandle, .io_handle = kDescriptor});
  take_event(state_, {.kind = EventKind::kCommCreate, .comm = kPair});
  EXPECT_EQ(error_of([&] { message(EventKind::kMpiSend, 1); }),
            "OBS: rank 0, event 4: a message or collective outside any MPI call");
  EXPECT_EQ(error_of([&] { take_event(state_, {.kind = EventKind::kIoOperationBegin, .io_handle = kDescriptor}); }),
            "OBS: rank 0, event 5: an I/O operation outside any call");
}

TEST_F(LocationCalls, ARegionIsLeftThatIsTheInnermostOne) {
  enter("main", 0), enter("MPI_Send", 1);
  EXPECT_EQ(error_of([&] { leave("main", 2); }),
            "OBS: rank 0, event 3: leaves a region that is not the innermost one, or enters an unknown one");
}

TEST_F(LocationCalls, ACallIsShorterByWhatItsRecordCostAndNeverEndsBeforeItBegins) {
  state_.cost.inside = nanoseconds(100);
  state_.cost.outside = nanoseconds(50);
  receive(10, 20);
  receive(30, 30);
  enter("MPI_Send", 40), enter("write", 41), leave("write", 42), leave("MPI_Send", 50);  // a region inside
  EXPECT_EQ(times(0).begin, at_us(10));
  EXPECT_EQ(times(0).end, at_us(20) - nanoseconds(100));
  EXPECT_EQ(times(1).end, at_us(30));
  EXPECT_EQ(times(2).end, at_us(50) - nanoseconds(100 + 150));
}

TEST_F(LocationCalls, ACallOfWhichTheTracerTookMoreThanATwentiethIsNotJudged) {
  state_.cost.inside = microseconds(1);
  receive(10, 30), receive(30, 49), call("MPI_Comm_rank", 50, 51);
  const Program program = location_.finish();
  EXPECT_EQ(reason(program, 0), "");
  EXPECT_EQ(reason(program, 1), "tracer cost above 5 % of the operation");
  EXPECT_EQ(reason(program, 2), "") << "nothing is judged in a call that needs nobody";
}

TEST_F(LocationCalls, WhatWasComputedBetweenPollsComesBeforeTheWait) {
  const auto computed = [&](std::uint64_t us) { return number(location_.ids.poll_computed, us * 1'000'000); };
  enter("MPI_Test", 10, {computed(3)}), leave("MPI_Test", 20);
  enter("MPI_Test", 30, {computed(11)}), leave("MPI_Test", 40);
  EXPECT_EQ(times(0).begin, at_us(13));
  EXPECT_EQ(times(1).begin, at_us(40)) << "not more than there is";
}

TEST_F(LocationCalls, TheEnterTellsTheSiteAndTheTimeOffTheCpuBeforeIt) {
  enter("MPI_Comm_rank", 10,
        {location_.text(location_.ids.site, "solve (a.c:3)"), number(location_.ids.run_delay, 7'000'000)});
  leave("MPI_Comm_rank", 11);
  call("MPI_Comm_rank", 12, 13);
  const Program program = location_.finish();
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(program.site(rank.operations[0].site), "solve (a.c:3)");
  EXPECT_EQ(program.call(rank.operations[0].call), "MPI_Comm_rank");
  EXPECT_EQ(rank.operations[1].site, kNone);
  ASSERT_EQ(rank.off_cpu.size(), 1U);
  EXPECT_EQ(rank.off_cpu[0].operation, 0U);
  EXPECT_EQ(rank.off_cpu[0].delay, microseconds(7));
}

TEST_F(LocationCalls, EachPostOfACallBeginsAtItsEndButTheFirst) {
  enter("MPI_Startall", 10), message(EventKind::kMpiIsend, 11, 11), message(EventKind::kMpiIsend, 12, 12);
  leave("MPI_Startall", 13);
  EXPECT_EQ(times(0).begin, at_us(10));
  EXPECT_EQ(times(0).end, at_us(13));
  EXPECT_EQ(times(1).begin, at_us(13));
  EXPECT_EQ(operation(1).call, operation(0).call);
}

TEST_F(LocationCalls, WithoutARecordACallIsAsItsNameSays) {
  for (const char* name : {"MPI_Comm_rank", "MPI_Send", "MPI_Test", "MPI_Iprobe", "MPI_Wait", "MPI_Comm_dup",
                           "MPI_Probe", "MPI_Barrier", "write"})
    call(name, 1, 2);
  for (const std::uint32_t local : {0, 1, 2, 3}) EXPECT_EQ(operation(local).kind, OpKind::kLocal);
  EXPECT_EQ(operation(4).kind, OpKind::kWait);
  for (const std::uint32_t unknown : {5, 6, 7, 8}) EXPECT_EQ(operation(unknown).kind, OpKind::kUnmodelled);
  const Program program = location_.finish();
  EXPECT_EQ(reason(program, 5), "creation of a communicator that the archive does not record");
  EXPECT_EQ(reason(program, 6), "probes of which the archive does not record what they found");
  EXPECT_EQ(reason(program, 7), "MPI_Barrier is not modelled");
  EXPECT_EQ(reason(program, 8), "POSIX calls other than open, close, read, write and sync");
}

// The second wait may be for the collective, the third one names what it waits for.
TEST_F(LocationCalls, AWaitIsNotModelledAfterAnUnrecordedCollectiveUnlessItNamesItsRequests) {
  call("MPI_Wait", 1, 2);
  call("MPI_Iallreduce", 3, 4);
  call("MPI_Wait", 5, 6);
  enter("MPI_Wait", 7, {location_.text(location_.ids.waits, "11")}), leave("MPI_Wait", 8);
  EXPECT_EQ(operation(0).kind, OpKind::kWait);
  EXPECT_EQ(operation(1).kind, OpKind::kUnmodelled);
  EXPECT_EQ(operation(2).kind, OpKind::kUnmodelled);
  EXPECT_EQ(operation(3).kind, OpKind::kWait);
  EXPECT_EQ(location_.tally.collectives_without_record, 1U);
  const Program program = location_.finish();
  EXPECT_EQ(reason(program, 2), "waits for a request that the archive does not record");
}

TEST_F(LocationCalls, AllRanksMeetInInitAndInFinalizeWhereAllGetThere) {
  call("MPI_Init", 1, 2), call("MPI_Finalize", 3, 4);
  for (const std::uint32_t i : {0, 1}) {
    EXPECT_EQ(operation(i).kind, OpKind::kCommCreate);
    EXPECT_EQ(operation(i).comm, 0U);
  }
  LocationByHand killed(where_one_did_not_finalize());
  for (const EventKind kind : {EventKind::kEnter, EventKind::kLeave})
    take_event(killed.state, {.kind = kind, .region = killed.region("MPI_Finalize")});
  EXPECT_EQ(killed.builder.operation(0).kind, OpKind::kUnmodelled);
  EXPECT_EQ(reason(killed.finish(), 0), "start-up and shutdown");
}

TEST_F(LocationCalls, ACallThatFailedIsNotJudged) {
  enter("MPI_Send", 1), message(EventKind::kMpiSend, 1);
  leave("MPI_Send", 2, {location_.text(location_.ids.error_class, "MPI_ERR_TAG")});
  EXPECT_EQ(operation(0).kind, OpKind::kSend);
  EXPECT_EQ(reason(location_.finish(), 0), "failed: MPI_ERR_TAG");
}

TEST_F(LocationCalls, OthersGetWhatTheCallGaveThemInWhichTheProcessEnded) {
  enter("MPI_Send", 1, {location_.text(location_.ids.site, "solve (a.c:3)")});
  message(EventKind::kMpiSend, 2);
  finish_location(state_);
  EXPECT_EQ(operation(0).kind, OpKind::kIsend);
  EXPECT_EQ(operation(0).extra, 0U) << "a slot that nobody waits for";
  EXPECT_EQ(times(0).end, at_us(2)) << "the last event";
  EXPECT_EQ(location_.tally.calls_without_end, 1U);
  EXPECT_THAT(location_.tally.unfinished, ElementsAre("incomplete: rank 0 ended in MPI_Send at solve (a.c:3)"));
  EXPECT_EQ(reason(location_.finish(), 0), "the process ended in this call");
}

TEST_F(LocationCalls, NothingIsWaitedForInTheCallInWhichTheProcessEnded) {
  const auto ends = [&](const char* name) {
    leave(name, 2, {number(location_.ids.unfinished, 1)});
    return operation(location_.builder.operations() - 1).kind;
  };
  enter("MPI_Recv", 1), message(EventKind::kMpiRecv, 2);
  EXPECT_EQ(ends("MPI_Recv"), OpKind::kUnmodelled);
  enter("MPI_Wait", 1);
  EXPECT_EQ(ends("MPI_Wait"), OpKind::kUnmodelled);
  enter("MPI_Isend", 1), message(EventKind::kMpiIsend, 1, 11), leave("MPI_Isend", 2);
  enter("MPI_Waitall", 1), message(EventKind::kMpiIsendComplete, 1, 11);
  EXPECT_EQ(ends("MPI_Waitall"), OpKind::kWait) << "it has seen that";
  enter("MPI_Barrier", 1);
  take_event(state_,
             {.kind = EventKind::kMpiCollectiveEnd, .collective = archive::CollectiveOp::kBarrier, .comm = kWorld});
  EXPECT_EQ(ends("MPI_Barrier"), OpKind::kNonBlockingCollective) << "others have its part of it";
}

// A flag of files has the same bit.
TEST_F(LocationCalls, ABufferedSendInWhichTheProcessEndedIsASend) {
  enter("MPI_Ibsend", 1), message(EventKind::kMpiIsend, 2, 11);
  finish_location(state_);
  EXPECT_EQ(operation(0).kind, OpKind::kIsend);
  EXPECT_EQ(operation(0).flags & kBuffered, kBuffered);
}

// Of the ranks of the file nobody waits for one that never got there.
TEST_F(LocationCalls, ACollectiveAccessInWhichTheProcessEndedIsNotModelled) {
  for (const char* name : {"MPI_File_write_at_all", "MPI_File_read_at"}) {
    enter(name, 1);
    take_event(state_, {.kind = EventKind::kIoOperationBegin, .io_handle = kShared, .time = at_us(2), .request = 11});
    leave(name, 3, {number(location_.ids.unfinished, 1)});
  }
  EXPECT_EQ(operation(0).kind, OpKind::kUnmodelled);
  EXPECT_EQ(operation(1).kind, OpKind::kIoRead);
}

TEST_F(LocationCalls, OfManyThatEndedAFewSpeakInWords) {
  for (std::size_t i = 0; i <= kMostInWords; ++i) {
    enter("MPI_Send", 1);
    leave("MPI_Send", 2, {number(location_.ids.unfinished, 1)});
  }
  EXPECT_EQ(location_.tally.unfinished.size(), kMostInWords);
}

TEST_F(LocationCalls, WhatNeverCompletedIsCountedByItsKind) {
  enter("MPI_Isend", 1), message(EventKind::kMpiIsend, 1, 11), leave("MPI_Isend", 2);
  enter("MPI_Irecv", 3), message(EventKind::kMpiIrecvRequest, 3, 12), leave("MPI_Irecv", 4);
  enter("MPI_Ibcast", 5), message(EventKind::kNonBlockingCollectiveRequest, 5, 13), leave("MPI_Ibcast", 6);
  finish_location(state_);
  EXPECT_EQ(location_.tally.sends_never_completed, 1U);
  EXPECT_EQ(location_.tally.receives_never_completed, 1U);
  EXPECT_EQ(location_.tally.others_never_completed, 1U);
  EXPECT_EQ(operation(0).kind, OpKind::kIsend);
  EXPECT_NE(operation(1).flags & kNotCompleted, 0);
  EXPECT_EQ(operation(2).kind, OpKind::kUnmodelled);
  EXPECT_EQ(reason(location_.finish(), 2), "non-blocking collective that never completed");
}

}  // namespace
}  // namespace plumbline::replay::compiling
