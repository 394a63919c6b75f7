// Calls that failed, from archives to programs: operations that are not judged and that nobody else notices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "event_script.hpp"
#include "replay/program/failed_calls.hpp"

namespace plumbline::replay {
namespace {

using archive::CollectiveOp;
using archive::EventKind;
using testing::ElementsAre;

namespace names = archive::names;

std::vector<OpKind> kinds(const Program& program) {
  std::vector<OpKind> found;
  for (const Operation& operation : program.rank(0).operations) found.push_back(operation.kind);
  return found;
}

// "3 MPI_Send MPI_ERR_RANK"
std::vector<std::string> failures(const Program& program) {
  std::vector<std::string> found;
  for (const FailedCalls& calls : failed_calls(program))
    found.push_back(std::to_string(calls.times) + " " + calls.call + " " + calls.error_class +
                    (calls.ended ? " ended" : ""));
  return found;
}

TEST(CompileFailures, ACallWithAnErrorClassAndNoRecordIsNotJudgedWhateverItsName) {
  EventScript script;
  const std::string error = "MPI_ERR_ARG";
  for (const std::string call : {"MPI_Send", "MPI_Irecv", "MPI_Wait", "MPI_Test", "MPI_Comm_rank", "MPI_Iallreduce",
                                 "MPI_Barrier", "MPI_Probe", "MPI_Win_flush", "MPI_File_open", "MPI_Neighbor_alltoall"})
    script.enter(call, 1).leave(2).with(names::kErrorClass, error);
  const Program program = script.compile();
  EXPECT_THAT(kinds(program), testing::Each(OpKind::kUnmodelled));
  EXPECT_EQ(failures(program).size(), 11U);
  EXPECT_EQ(script.tally().receives_never_completed, 0U);
}

TEST(CompileFailures, EqualFailuresOfOnePlaceAreCountedTogetherTheMostFrequentFirst) {
  EventScript script;
  const auto fail = [&](const std::string& call, const std::string& site, const std::string& error) {
    script.enter(call, 1).with(names::kSite, site).leave(2).with(names::kErrorClass, error);
  };
  fail("MPI_Send", "one", "MPI_ERR_RANK");
  fail("MPI_Send", "two", "MPI_ERR_RANK");
  fail("MPI_Send", "two", "MPI_ERR_RANK");
  fail("MPI_Send", "two", "MPI_ERR_TAG");
  script.enter("MPI_Comm_rank", 3).leave(4);
  const std::vector<FailedCalls> found = failed_calls(script.compile());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].times, 2U);
  EXPECT_EQ(found[0].site, "two");
  EXPECT_EQ(found[0].error_class, "MPI_ERR_RANK");
  EXPECT_THAT(found[0].ranks, ElementsAre(0U));
  EXPECT_EQ(count(found), 4U);
}

TEST(CompileFailures, WhatAFailedCallHasDoneIsReplayedAndNotJudged) {
  EventScript script;
  const std::string truncated = "MPI_ERR_TRUNCATE";
  script.enter("MPI_Recv", 1).add(EventKind::kMpiRecv, 2, 1, 3, 4).leave(3).with(names::kErrorClass, truncated);
  script.enter("MPI_Bcast", 4).collective(CollectiveOp::kBcast, 5, 0, 4, 1).leave(5);
  script.with(names::kErrorClass, truncated);
  const Program program = script.compile();
  EXPECT_THAT(kinds(program), ElementsAre(OpKind::kRecv, OpKind::kCollective));
  for (const Operation& operation : program.rank(0).operations) EXPECT_NE(operation.flags & kNotJudged, 0);
  EXPECT_THAT(failures(program), ElementsAre("1 MPI_Recv MPI_ERR_TRUNCATE", "1 MPI_Bcast MPI_ERR_TRUNCATE"));
}

TEST(CompileFailures, AWaitThatFailedWaitsForWhatItHasCompletedAlone) {
  EventScript script;
  for (const std::uint64_t request : {11, 12})
    script.enter("MPI_Isend", 1).add(EventKind::kMpiIsend, 1, 1, 5, 8, request).leave(2);
  script.enter("MPI_Waitall", 3).with(names::kWaits, std::string("11,12"));
  script.add(EventKind::kMpiIsendComplete, 4, 0, 0, 0, 12)
      .leave(4)
      .with(names::kErrorClass, std::string("MPI_ERR_IN_STATUS"));
  const Program program = script.compile();
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.operations[2].kind, OpKind::kWait);
  EXPECT_THAT(rank.waits_for(rank.operations[2]), ElementsAre(rank.operations[1].extra));
  EXPECT_THAT(failures(program), ElementsAre("1 MPI_Waitall MPI_ERR_IN_STATUS"));
}

TEST(CompileFailures, ACallThatEndedTheProcessSaysSo) {
  EventScript script;
  script.enter("MPI_Send", 1).leave(2);
  script.with(names::kErrorClass, std::string("MPI_ERR_RANK")).with(names::kUnfinished, std::uint64_t{1});
  EXPECT_THAT(failures(script.compile()), ElementsAre("1 MPI_Send MPI_ERR_RANK ended"));
  EXPECT_THAT(script.tally().unfinished, ElementsAre("incomplete: rank 0 ended in MPI_Send: MPI_ERR_RANK"));
}

// As archives have them whose tracer did not know which calls had failed.
TEST(CompileFailures, ARecordThatMpiWouldRefuseIsThatOfACallThatFailed) {
  EventScript script(2);
  script.enter("MPI_Send", 1).add(EventKind::kMpiSend, 1, 999, 0, 4).leave(2);
  script.enter("MPI_Send", 3).add(EventKind::kMpiSend, 3, 1, static_cast<std::uint32_t>(-5), 1U << 20).leave(4);
  script.enter("MPI_Isend", 5).add(EventKind::kMpiIsend, 5, 7, 0, 4, 11).leave(6);
  script.enter("MPI_Bcast", 7).collective(CollectiveOp::kBcast, 8, 0, 4, 77).leave(8);
  script.enter("MPI_Send", 9).add(EventKind::kMpiSend, 9, 1, 0, 4).leave(10);
  const Program program = script.compile();
  EXPECT_THAT(kinds(program), ElementsAre(OpKind::kUnmodelled, OpKind::kUnmodelled, OpKind::kUnmodelled,
                                          OpKind::kUnmodelled, OpKind::kSend));
  EXPECT_THAT(failures(program), ElementsAre("1 MPI_Send MPI_ERR_RANK", "1 MPI_Send MPI_ERR_TAG",
                                             "1 MPI_Isend MPI_ERR_RANK", "1 MPI_Bcast MPI_ERR_ROOT"));
  EXPECT_EQ(script.tally().refused, 4U);
  EXPECT_EQ(script.tally().first_refused, "rank 0, event 2: MPI_Send, rank 999 of a communicator of 2");
}

// MPI_Startall with one destination that is none.
TEST(CompileFailures, OfSeveralPostsTheRefusedOneIsAnOperationToo) {
  EventScript script(2);
  script.enter("MPI_Startall", 1).add(EventKind::kMpiIsend, 1, 1, 0, 4, 11).add(EventKind::kMpiIsend, 1, 7, 0, 4, 12);
  script.leave(2);
  EXPECT_THAT(kinds(script.compile()), ElementsAre(OpKind::kIsend, OpKind::kUnmodelled));
}

TEST(FailedCalls, TheReasonTellsTheClassAndOtherReasonsTellNone) {
  EXPECT_EQ(failure_of(reason_of_failure("MPI_ERR_TAG", false))->error_class, "MPI_ERR_TAG");
  EXPECT_FALSE(failure_of(reason_of_failure("MPI_ERR_TAG", false))->ended);
  EXPECT_EQ(failure_of(reason_of_failure("MPI_ERR_TAG", true))->error_class, "MPI_ERR_TAG");
  EXPECT_TRUE(failure_of(reason_of_failure("MPI_ERR_TAG", true))->ended);
  EXPECT_FALSE(failure_of("start-up and shutdown"));
}

}  // namespace
}  // namespace plumbline::replay
