#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "event_script.hpp"
#include "replay/program/text/text.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::replay {
namespace {

using archive::CollectiveOp;
using archive::EventKind;
using testing::ElementsAre;
using testing::HasSubstr;

namespace names = archive::names;

// The operations of rank 0 in text, without times.
std::vector<std::string> operations(const Program& program) {
  std::vector<std::string> lines;
  const std::string text = to_text(program);
  std::size_t at = text.find("rank 0\n") + 7;
  const std::size_t stop = std::min(text.find("\nrank 1\n"), text.size());
  while (at < stop) {
    const std::size_t end = std::min(text.find('\n', at), stop);
    std::string line = text.substr(at, end - at);
    line.erase(0, line.find(' ', line.find('@')) + 1);
    const std::size_t plus = line.find(" +");
    if (plus != std::string::npos) line.erase(plus, line.find(' ', plus + 1) - plus);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

std::string error_of(EventScript& script) {
  try {
    script.compile();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Compile, ACommunicatorWithAllRanksIsNotTheWorldAgain) {
  EventScript script(2);
  const std::uint32_t copy = script.comm({0, 1});
  script.enter("MPI_Send", 1).add(EventKind::kMpiSend, 1, 1, 7, 8).leave(2);
  script.enter("MPI_Send", 3).add(EventKind::kMpiSend, 3, 1, 7, 8);
  script.last().comm = copy;
  script.leave(4);
  const Program program = script.compile();
  EXPECT_EQ(program.comms(), 2U);
  EXPECT_NE(program.rank(0).operations[0].comm, program.rank(0).operations[1].comm);
}

TEST(Compile, ABlockingSendAndReceiveBecomeOperations) {
  EventScript script;
  script.enter("MPI_Send", 1).add(EventKind::kMpiSend, 2, 3, 7, 1024).leave(4);
  script.enter("MPI_Recv", 5)
      .add(EventKind::kMpiRecv, 6, 2, 8, 16)
      .with(names::kPostedSource, std::int64_t{-1})
      .leave(7);
  script.enter("MPI_Ssend", 8).add(EventKind::kMpiSend, 8, 1, 0, 0).leave(9);
  const Program program = script.compile();
  EXPECT_THAT(operations(program), ElementsAre("send 3 tag 7 1024B", "recv 2 tag 8 16B any-source",
                                               "send 1 tag 0 0B synchronous call MPI_Ssend"));
  EXPECT_EQ(program.rank(0).times[0].begin, Time{} + microseconds(1));
  EXPECT_EQ(program.rank(0).times[0].end, Time{} + microseconds(4));
  EXPECT_EQ(script.tally().messages, 2U);
}

TEST(Compile, FunctionsOfTheProgramAreLookedThrough) {
  EventScript script;
  script.enter("main", 0).enter("solve", 1).enter("MPI_Comm_rank", 2).leave(3).leave(4);
  script.enter("MPI_Barrier", 5).collective(CollectiveOp::kBarrier, 6, 0, 0).leave(6).leave(9);
  EXPECT_THAT(operations(script.compile()), ElementsAre("local MPI_Comm_rank", "barrier"));
}

TEST(Compile, AReceiveLearnsItsMatchWhenItCompletes) {
  EventScript script;
  script.enter("MPI_Irecv", 1).add(EventKind::kMpiIrecvRequest, 1, archive::kUndefined, 0, 0, 11);
  script.with(names::kPostedSource, std::int64_t{-1}).with(names::kPostedTag, std::int64_t{-1}).leave(2);
  script.enter("MPI_Isend", 3).add(EventKind::kMpiIsend, 3, 1, 5, 8, 12).leave(4);
  script.enter("MPI_Waitall", 5).add(EventKind::kMpiIrecv, 6, 2, 9, 640, 11);
  script.add(EventKind::kMpiIsendComplete, 6, archive::kUndefined, 0, 0, 12).leave(7);
  EXPECT_THAT(operations(script.compile()), ElementsAre("irecv 2 tag 9 640B any-source any-tag -> r0",
                                                        "isend 1 tag 5 8B -> r1", "wait r0 r1 call MPI_Waitall"));
}

TEST(Compile, ABufferedSendIsSaidByItsCallOrItsMode) {
  EventScript script;
  script.enter("MPI_Bsend", 1).add(EventKind::kMpiSend, 1, 2, 3, 8).leave(2);
  script.enter("MPI_Start", 3).add(EventKind::kMpiIsend, 3, 2, 3, 8, 7).with(names::kSendMode, std::string("buffered"));
  script.leave(4);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("send 2 tag 3 8B buffered call MPI_Bsend", "isend 2 tag 3 8B buffered -> r0 call MPI_Start"));
}

TEST(Compile, SlotsAreUsedAgain) {
  EventScript script;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto us = static_cast<std::int64_t>(i) * 10;
    script.enter("MPI_Isend", us).add(EventKind::kMpiIsend, us, 1, 5, 8, 100 + i).leave(us + 1);
    script.enter("MPI_Wait", us + 2).add(EventKind::kMpiIsendComplete, us + 3, 0, 0, 0, 100 + i).leave(us + 4);
  }
  EXPECT_EQ(script.compile().rank(0).request_slots, 1U);
}

// Posted with any source and any tag; what was found is on its Leave.
TEST(Compile, AProbeWaitsForTheMessageThatItFoundAndAMatchedOneLeavesItToItsReceive) {
  for (const std::string call : {"MPI_Probe", "MPI_Mprobe", "MPI_Iprobe", "MPI_Improbe"}) {
    EventScript script;
    const auto probe = [&](std::int64_t us) {
      script.enter(call, us).with(names::kCommId, std::uint64_t{0});
      script.with(names::kPostedSource, std::int64_t{-1}).with(names::kPostedTag, std::int64_t{-1}).leave(us + 1);
    };
    probe(1);
    script.with(names::kFoundSource, std::int64_t{2}).with(names::kFoundTag, std::int64_t{5});
    script.enter("MPI_Mrecv", 3).add(EventKind::kMpiRecv, 3, 2, 5, 8).leave(4);
    probe(5);
    script.with(names::kFoundSource, std::int64_t{-2}).with(names::kFoundTag, std::int64_t{-1});
    const Program program = script.compile();
    const auto compiled = program.rank(0).operations;
    ASSERT_EQ(compiled.size(), 3U) << call;
    EXPECT_EQ(compiled[0].kind, OpKind::kProbe) << call;
    EXPECT_EQ(compiled[0].peer, 2) << call;
    EXPECT_EQ(compiled[0].tag, 5) << call;
    EXPECT_EQ(compiled[0].flags, kAnySource | kAnyTag) << call;
    EXPECT_EQ(compiled[1].kind, OpKind::kRecv) << call;
    EXPECT_EQ(compiled[1].peer, 2) << call;
    EXPECT_EQ(compiled[2].kind, OpKind::kProbe) << call;
    EXPECT_EQ(compiled[2].peer, kNoPeer) << call << ": of MPI_PROC_NULL";
    EXPECT_EQ(compiled[2].flags, 0) << call;
  }
}

TEST(Compile, AProbeThatFoundNothingNeedsNobody) {
  EventScript script;
  script.enter("MPI_Improbe", 1).with(names::kCommId, std::uint64_t{0}).leave(2);
  script.enter("MPI_Mprobe", 3).leave(4);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("local MPI_Improbe",
                          "unmodelled MPI_Mprobe not-judged "
                          "\"probes of which the archive does not record what they found\""));
}

TEST(Compile, ATestIsAWaitOnlyWhenItCompletesSomething) {
  EventScript script;
  script.enter("MPI_Isend", 1).add(EventKind::kMpiIsend, 1, 1, 5, 8, 12).leave(2);
  script.enter("MPI_Test", 3).add(EventKind::kMpiRequestTest, 3, 0, 0, 0, 12).leave(4);
  script.enter("MPI_Test", 5).add(EventKind::kMpiIsendComplete, 5, 0, 0, 0, 12).leave(6);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("isend 1 tag 5 8B -> r0", "local MPI_Test", "wait r0 call MPI_Test"));
}

TEST(Compile, StartallIsOneOperationPerRequest) {
  EventScript script;
  script.enter("MPI_Startall", 1).add(EventKind::kMpiIsend, 1, 1, 5, 8, 12);
  script.add(EventKind::kMpiIrecvRequest, 1, 0, 0, 0, 13).leave(4);
  script.enter("MPI_Waitall", 5).add(EventKind::kMpiIsendComplete, 6, 0, 0, 0, 12);
  script.add(EventKind::kMpiIrecv, 6, 1, 5, 8, 13).leave(7);
  const Program program = script.compile();
  EXPECT_THAT(operations(program),
              ElementsAre("isend 1 tag 5 8B -> r0 call MPI_Startall", "irecv 1 tag 5 8B -> r1 call MPI_Startall",
                          "wait r0 r1 call MPI_Waitall"));
  EXPECT_EQ(program.rank(0).times[0].end, Time{} + microseconds(4));
  EXPECT_EQ(program.rank(0).times[1].begin, Time{} + microseconds(4));
}

TEST(Compile, WithLargeCountsACallIsWhatItIsWithout) {
  EventScript script;
  script.enter("MPI_Send_c", 1).leave(2);  // to MPI_PROC_NULL
  script.enter("MPI_Irecv_c", 3).leave(4);
  EXPECT_THAT(operations(script.compile()), ElementsAre("local MPI_Send_c", "local MPI_Irecv_c"));
}

TEST(Compile, ASendrecvIsOneOperation) {
  EventScript script;
  script.enter("MPI_Sendrecv", 1).add(EventKind::kMpiSend, 1, 1, 5, 8).add(EventKind::kMpiRecv, 2, 3, 6, 9).leave(3);
  script.enter("MPI_Sendrecv_replace", 4).add(EventKind::kMpiRecv, 5, 3, 6, 9).leave(6);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("sendrecv to 1 tag 5 8B from 3 tag 6 9B",
                          "sendrecv to none tag 0 0B from 3 tag 6 9B call MPI_Sendrecv_replace"));
}

TEST(Compile, AReceiveThatNeverCompletesIsPostedAllTheSameAndACancelledOneIsLeftOut) {
  EventScript script;
  script.enter("MPI_Irecv", 1).add(EventKind::kMpiIrecvRequest, 1, 0, 0, 0, 11).leave(2);
  script.enter("MPI_Irecv", 3).add(EventKind::kMpiIrecvRequest, 3, 0, 0, 0, 12).leave(4);
  script.enter("MPI_Wait", 5).add(EventKind::kMpiRequestCancelled, 5, 0, 0, 0, 12).leave(6);
  EXPECT_THAT(
      operations(script.compile()),
      ElementsAre("irecv none tag 0 0B any-source any-tag never-completed any-comm -> r0", "local MPI_Irecv", "wait"));
  EXPECT_EQ(script.tally().receives_never_completed, 1U);
  EXPECT_EQ(script.tally().cancelled, 1U);
}

// Source, tag and size as posted; of the second request, whose number is given again, likewise.
TEST(Compile, AReceiveThatNeverCompletesIsAsItWasPosted) {
  EventScript script;
  const auto post = [&](std::int64_t us, std::int64_t source, std::int64_t tag) {
    script.enter("MPI_Irecv", us).add(EventKind::kMpiIrecvRequest, us, 0, 0, 0, 11);
    script.with(names::kCommId, std::uint64_t{0}).with(names::kPostedSource, source).with(names::kPostedTag, tag);
    script.with(names::kBufferBytes, std::uint64_t{64}).leave(us + 1);
  };
  post(1, 3, 7);
  post(3, -1, 7);
  post(5, 2, -1);
  EXPECT_THAT(operations(script.compile()), ElementsAre("irecv 3 tag 7 64B never-completed -> r0",
                                                        "irecv none tag 7 64B any-source never-completed -> r1",
                                                        "irecv 2 tag 0 64B any-tag never-completed -> r2"));
}

TEST(Compile, ANonBlockingCollectiveThatNeverCompletesTakesPart) {
  EventScript script;
  script.enter("MPI_Ireduce", 1).add(EventKind::kNonBlockingCollectiveRequest, 1, 0, 0, 0, 11);
  script.with(names::kCommId, std::uint64_t{0}).with(names::kRoot, std::uint64_t{1});
  script.with(names::kCollective, std::uint64_t{archive::to_otf2(CollectiveOp::kReduce)});
  script.with(names::kCollectiveSent, std::uint64_t{8}).with(names::kCollectiveReceived, std::uint64_t{0}).leave(2);
  EXPECT_THAT(operations(script.compile()), ElementsAre("ireduce root 1 8B -> r0"));
  EXPECT_EQ(script.tally().others_never_completed, 1U);
}

TEST(Compile, AReceiveWithoutTheRecordOfItsPostIsTheOldestSuchCall) {
  EventScript script;
  script.enter("MPI_Irecv", 1).leave(2).enter("MPI_Irecv", 3).leave(4);
  script.enter("MPI_Wait", 5).add(EventKind::kMpiIrecv, 6, 1, 5, 8, 77).leave(7);
  EXPECT_THAT(operations(script.compile()), ElementsAre("irecv 1 tag 5 8B -> r0", "local MPI_Irecv", "wait r0"));
  EXPECT_EQ(script.tally().receives_without_post, 1U);
}

TEST(Compile, CollectivesCarryRootSizesAndCounts) {
  EventScript script;
  script.enter("MPI_Bcast", 1).collective(CollectiveOp::kBcast, 2, 0, 64, 3).leave(2);
  script.enter("MPI_Reduce", 3).collective(CollectiveOp::kReduce, 4, 8, 0, 1).leave(4);
  script.enter("MPI_Alltoallv", 5).collective(CollectiveOp::kAlltoallv, 6, 10, 10);
  script.with(names::kCountsSent, std::string("1,2,3,4")).leave(6);
  EXPECT_THAT(operations(script.compile()), ElementsAre("bcast root 3 64B", "reduce root 1 8B",
                                                        "alltoall 10B sent-counts 1,2,3,4 call MPI_Alltoallv"));
}

// Rank 0 is in the second group of the definition, with one more; its peers are the three of the first.
TEST(Compile, OfAnIntercommunicatorPeersAndCountsAreOfTheOtherGroupWhicheverIsNamedFirst) {
  EventScript script(5);
  const std::uint32_t inter = script.comm({1, 2, 4});
  script.definitions.comms[inter].remote_members = {0, 3};
  script.enter("MPI_Send", 1).add(EventKind::kMpiSend, 1, 2, 0, 8);
  script.last().comm = inter;
  script.leave(2).enter("MPI_Alltoallv", 3).collective(archive::CollectiveOp::kAlltoallv, 4, 6, 6);
  script.last().comm = inter;
  script.with(names::kCountsSent, std::string("1,2,3")).leave(5);
  const Program program = script.compile();
  const RankProgram rank = program.rank(0);
  EXPECT_EQ(rank.operations[0].peer, 2);
  EXPECT_THAT(rank.counts, ElementsAre(1, 2, 3));
  EXPECT_THAT(peers_of(program.comm(rank.operations[0].comm), 0), ElementsAre(1, 2, 4));
  EXPECT_THAT(peers_of(program.comm(rank.operations[0].comm), 4), ElementsAre(0, 3));
}

TEST(Compile, ANonBlockingCollectiveEndsInItsWait) {
  EventScript script;
  script.enter("MPI_Iallreduce", 1).add(EventKind::kNonBlockingCollectiveRequest, 1, 0, 0, 0, 5).leave(2);
  script.enter("MPI_Wait", 3).collective(CollectiveOp::kAllreduce, 4, 8, 8);
  script.last().kind = EventKind::kNonBlockingCollectiveComplete;
  script.last().request = 5;
  script.leave(5);
  EXPECT_THAT(operations(script.compile()), ElementsAre("iallreduce 8B -> r0", "wait r0"));
}

TEST(Compile, NeighbourhoodCollectivesAreDescribedByTheirCalls) {
  EventScript script;
  script.enter("MPI_Neighbor_allgatherv", 1).with(names::kCommId, std::uint64_t{0});
  script.with(names::kNeighboursSent, std::string("1:16,3:16"));
  script.with(names::kNeighboursReceived, std::string("1:8,3:24,3:0")).leave(2);
  script.enter("MPI_Neighbor_alltoall_c", 3).with(names::kCommId, std::uint64_t{0}).leave(4);
  EXPECT_THAT(operations(script.compile()), ElementsAre("neighbor_allgatherv to 1:16,3:16 from 1:8,3:24,3:0",
                                                        "neighbor_alltoall to none from none call "
                                                        "MPI_Neighbor_alltoall_c"));
}

TEST(Compile, ANonBlockingNeighbourhoodCollectiveEndsInTheWaitThatNamesIt) {
  EventScript script;
  for (const std::uint64_t request : {5, 6, 7}) {
    script.enter("MPI_Ineighbor_alltoallw", 1).with(names::kCommId, std::uint64_t{0});
    script.with(names::kRequest, request).with(names::kNeighboursSent, std::string("1:16")).leave(2);
  }
  script.enter("MPI_Waitall", 3).leave(4).with(names::kCompleted, std::string("7,5"));
  script.enter("MPI_Test", 5).leave(6).enter("MPI_Test", 7).leave(8).with(names::kCompleted, std::string("6"));
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("ineighbor_alltoallw to 1:16 from none -> r0", "ineighbor_alltoallw to 1:16 from none -> r1",
                          "ineighbor_alltoallw to 1:16 from none -> r2", "wait r2 r0 call MPI_Waitall",
                          "local MPI_Test", "wait r1 call MPI_Test"));
}

TEST(Compile, AWaitForWhatIsNotInTheProgramIsNotJudged) {
  EventScript script;
  script.enter("MPI_Comm_idup", 1).leave(2);
  script.enter("MPI_Isend", 3).add(EventKind::kMpiIsend, 3, 3, 7, 8, 4).leave(4);
  script.enter("MPI_Wait", 5).leave(6).with(names::kCompleted, std::string("9"));
  script.enter("MPI_Waitall", 7).add(EventKind::kMpiIsendComplete, 8, 0, 0, 0, 4).leave(9);
  script.with(names::kCompleted, std::string("10"));
  script.enter("MPI_Wait", 10).leave(11);
  const std::vector<std::string> all = operations(script.compile());
  const std::string reason = " not-judged \"waits for a request that the archive does not record\"";
  EXPECT_EQ(all[2], "unmodelled MPI_Wait" + reason);
  EXPECT_EQ(all[3], "wait r0 call MPI_Waitall" + reason);
  EXPECT_EQ(all[4], "wait");
}

TEST(Compile, ANeighbourhoodCollectiveWithoutItsCommunicatorIsNotJudged) {
  EventScript script;
  script.enter("MPI_Neighbor_alltoall", 1).leave(2).enter("MPI_Ineighbor_alltoall", 3).leave(4);
  script.enter("MPI_Wait", 5).leave(6);
  const std::string reason = " not-judged \"neighbourhood collective that the archive does not record\"";
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("unmodelled MPI_Neighbor_alltoall" + reason, "unmodelled MPI_Ineighbor_alltoall" + reason,
                          "unmodelled MPI_Wait not-judged \"waits for a request that the archive does not record\""));
}

TEST(Compile, TheNeighboursOfAProcessThatEndedGetWhatItSent) {
  EventScript script;
  script.enter("MPI_Neighbor_alltoall", 1).with(names::kCommId, std::uint64_t{0});
  script.with(names::kNeighboursSent, std::string("1:16")).with(names::kNeighboursReceived, std::string("2:16"));
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("ineighbor_alltoall to 1:16 from 2:16 -> r0 call MPI_Neighbor_alltoall not-judged \"the "
                          "process ended in this call\""));
}

TEST(Compile, StartUpAndNewCommunicatorsSynchroniseAndAreNotJudged) {
  EventScript script;
  const std::uint32_t pair = script.comm({0, 2});
  script.enter("MPI_Init", 1).leave(2);
  script.enter("MPI_Comm_split", 3).add(EventKind::kCommCreate, 4).leave(4);
  script.enter("MPI_Comm_dup", 5).collective(CollectiveOp::kCreateHandle, 6, 0, 0).leave(6);
  script.enter("MPI_Win_fence", 7).leave(8);
  Program program = script.compile();
  EXPECT_THAT(operations(program)[0], "comm_create MPI_Init not-judged \"start-up and shutdown\"");
  EXPECT_THAT(operations(program)[1], "comm_create MPI_Comm_split not-judged \"creation of a communicator\"");
  EXPECT_THAT(operations(program)[3], "unmodelled MPI_Win_fence not-judged \"MPI_Win_fence is not modelled\"");
  EXPECT_EQ(pair, 1U);
}

TEST(Compile, NobodyWaitsInFinalizeForAProcessThatDied) {
  EventScript script;
  script.definitions.location_groups.emplace_back().properties[names::kPropertyEnd] = "killed";
  script.enter("MPI_Finalize", 1).leave(2);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("unmodelled MPI_Finalize not-judged \"start-up and shutdown\""));
}

TEST(Compile, TheTracersCostIsTakenFromDurations) {
  EventScript script;
  script.enter("MPI_Send", 0).add(EventKind::kMpiSend, 1, 3, 7, 1024).leave(100);
  script.enter("MPI_Send", 101).add(EventKind::kMpiSend, 102, 3, 7, 1024).leave(110);
  script.enter("MPI_Comm_rank", 120).leave(120);
  const Program program = script.compile({.inside = microseconds(1), .outside = microseconds(2)});
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.times[0].end, Time{} + microseconds(99));
  EXPECT_EQ(rank.times[1].begin, Time{} + microseconds(101));
  EXPECT_EQ(rank.times[2].end, Time{} + microseconds(120));
  EXPECT_EQ(rank.operations[0].flags & kNotJudged, 0);
  EXPECT_EQ(rank.operations[1].flags & kNotJudged, kNotJudged);
  EXPECT_EQ(program.reason(rank.reasons[0].text), "tracer cost above 5 % of the operation");
}

TEST(Compile, CallSitesAndRunDelaysAreKept) {
  EventScript script;
  script.enter("MPI_Barrier", 10).with(names::kSite, std::string("exchange (jacobi.c:88)"));
  script.with(names::kRunDelay, std::uint64_t{5000}).collective(CollectiveOp::kBarrier, 11, 0, 0).leave(11);
  EXPECT_THAT(operations(script.compile()), ElementsAre("barrier site \"exchange (jacobi.c:88)\" off-cpu 5ns"));
}

TEST(Compile, WhatAnUnfinishedCallGaveToOthersIsThereAndBlocksNobody) {
  EventScript script;
  script.enter("MPI_Send", 1).add(EventKind::kMpiSend, 1, 3, 7, 8).leave(9).with(names::kUnfinished, std::uint64_t{1});
  script.enter("MPI_Recv", 10);
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("isend 3 tag 7 8B -> r0 call MPI_Send not-judged \"the process ended in this call\"",
                          "unmodelled MPI_Recv not-judged \"the process ended in this call\""));
  EXPECT_EQ(script.tally().calls_without_end, 1U);
}

TEST(Compile, ClockDisorderIsCountedAndLevelled) {
  EventScript script;
  script.enter("MPI_Comm_rank", 10).leave(5).enter("MPI_Comm_size", 7).leave(12);
  const Program program = script.compile();
  EXPECT_EQ(script.tally().disorder, 2U);
  EXPECT_EQ(program.rank(0).times[1].begin, Time{} + microseconds(10));
}

TEST(Compile, AWaitForWhatAnotherThreadHasStartedIsNotJudged) {
  EventScript script;
  script.definitions.location_groups.emplace_back();
  archive::Location& thread = script.definitions.locations.emplace_back();
  thread.events = 2;
  script.definitions.locations[0].group = thread.group = 0;
  script.enter("MPI_Wait", 1).add(EventKind::kMpiIsendComplete, 2, 0, 0, 0, 99).leave(3);
  script.enter("MPI_Wait", 4).add(EventKind::kMpiIrecv, 5, 3, 7, 8, 98).leave(6);
  script.enter("MPI_Test", 7).add(EventKind::kMpiRequestCancelled, 8, 0, 0, 0, 97).leave(9);
  script.enter("MPI_Isend", 10).add(EventKind::kMpiIsend, 11, 3, 7, 8, 1).leave(12);
  script.enter("MPI_Waitall", 13)
      .add(EventKind::kMpiIsendComplete, 14, 0, 0, 0, 1)
      .add(EventKind::kMpiIsendComplete, 14, 0, 0, 0, 96)
      .leave(15);
  const std::string why = " not-judged \"waits for what another thread has started, whose calls are not replayed\"";
  EXPECT_THAT(operations(script.compile()),
              ElementsAre("unmodelled MPI_Wait" + why, "unmodelled MPI_Wait" + why, "unmodelled MPI_Test" + why,
                          "isend 3 tag 7 8B -> r0", "wait r0 call MPI_Waitall" + why));
}

TEST(Compile, FaultsAreToldWithRankAndEvent) {
  EventScript wait;
  wait.enter("MPI_Wait", 1).add(EventKind::kMpiIsendComplete, 2, 0, 0, 0, 99).leave(3);
  EXPECT_EQ(error_of(wait), "OBS/traces.otf2: rank 0, event 2: completion of request 99, which was not started");
  EventScript outside;
  outside.enter("main", 0).add(EventKind::kMpiSend, 2, 3, 7, 8);
  EXPECT_THAT(error_of(outside), HasSubstr("event 2: a message or collective outside any MPI call"));
  EventScript comm;
  comm.enter("MPI_Send", 1).add(EventKind::kMpiSend, 2, 3, 7, 8).last().comm = 9;
  EXPECT_THAT(error_of(comm), HasSubstr("event 2: a communicator that the archive does not define"));
  EventScript neighbour;
  neighbour.enter("MPI_Neighbor_alltoall", 1).with(names::kCommId, std::uint64_t{0});
  neighbour.with(names::kNeighboursSent, std::string("4:16"));
  EXPECT_THAT(error_of(neighbour), HasSubstr("event 1: rank 4 of a communicator of 4"));
  EventScript list;
  list.enter("MPI_Neighbor_alltoall", 1).with(names::kCommId, std::uint64_t{0});
  list.with(names::kNeighboursSent, std::string("1:16,2"));
  EXPECT_THAT(error_of(list), HasSubstr("event 1: a neighbour without a number of bytes"));
  EventScript peer;
  peer.enter("MPI_Recv", 1).add(EventKind::kMpiRecv, 2, 4, 7, 8);
  EXPECT_THAT(error_of(peer), HasSubstr("event 2: rank 4 of a communicator of 4"));
}

}  // namespace
}  // namespace plumbline::replay
