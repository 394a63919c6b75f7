// Messages, requests, collectives and one-sided communication, from spools to archives.

#include <gmock/gmock.h>

#include "tests/tracer/assemble_fixture.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::EventKind;
using test::Assemble;
using test::kSent;
using test::pair;
using test::SpoolBuilder;
using testing::ElementsAre;

TEST_F(Assemble, RequestsAreCompletedWhereTheyAreWaitedFor) {
  SpoolBuilder spool(0, 2);
  const std::uint64_t received = PL_COMPLETED | 32, sent = PL_COMPLETED | PL_COMPLETED_SEND;
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(1, PL_ANY_TAG), 64, pair(PL_COMM_WORLD, 1)});
  spool.call("MPI_Issend", PL_LAYOUT_SEND, 3'000, 3'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Testall", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(2, 0), pair(0, 9), pair(1, 2), 0, 0, 0, 0});
  spool.call("MPI_Waitany", PL_LAYOUT_WAIT, 5'000, 5'100,
             {pair(2, 0), pair(1, 0), pair(1, 2), 0, 0, sent, pair(-1, -1)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 6'000, 6'100, {pair(1, 0), pair(1, 0), pair(1, 0), received, pair(1, 8)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_Irecv @0", "post r1 POSTED_SOURCE=1 POSTED_TAG=-1 BUFFER_BYTES=64 COMM=0",
                  "leave MPI_Irecv @100", "enter MPI_Issend @1000", "isend 1:5 16B r2 SEND_MODE=synchronous",
                  "leave MPI_Issend @1100", "enter MPI_Testall @2000 POLLS=9 WAITS_FOR=1,2", "test r1", "test r2",
                  "leave MPI_Testall @2100", "enter MPI_Waitany @3000 WAITS_FOR=1,2", "sent r2",
                  "leave MPI_Waitany @3100", "enter MPI_Wait @4000", "irecv 1:8 32B r1", "leave MPI_Wait @4100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

// Threads are written one after the other: what the second posts is completed by the first before it is met.
TEST_F(Assemble, RequestsAreCompletedByAnEarlierThreadThanTheOneThatPostsThem) {
  const std::uint64_t received = PL_COMPLETED | 32;
  const auto wait = [](SpoolBuilder& spool, std::uint64_t begin, std::uint32_t request, std::uint64_t flags) {
    spool.call("MPI_Wait", PL_LAYOUT_WAIT, begin, begin + 100,
               {pair(1, 0), pair(1, 0), pair(request, 0), flags, pair(1, 8)});
  };
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(1, 9), 64, pair(PL_COMM_WORLD, 1)});
  wait(spool, 5'000, 2, received);
  wait(spool, 6'000, 3, kSent);
  wait(spool, 7'000, 9, received);
  spool.thread(1);
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 3'000, 3'100, {pair(1, 8), 64, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Isend", PL_LAYOUT_SEND, 4'000, 4'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 3)});
  wait(spool, 8'000, 1, received);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inner_events(0), ElementsAre("post r1 POSTED_SOURCE=1 POSTED_TAG=9 BUFFER_BYTES=64 COMM=0",
                                           "irecv 1:8 32B r2", "sent r3"));
  EXPECT_THAT(inner_events(2), ElementsAre("post r2 POSTED_SOURCE=1 POSTED_TAG=8 BUFFER_BYTES=64 COMM=0",
                                           "isend 1:5 16B r3", "irecv 1:8 32B r1"));
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: 1 requests were completed that were not seen posted"));
}

TEST_F(Assemble, AProbeTellsWhatItFound) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Mprobe", PL_LAYOUT_PROBE, 2'000, 2'100,
             {pair(-1, -1), 8, pair(PL_COMM_WORLD, 0), pair(1, 5), pair(1, 0)});
  spool.call("MPI_Improbe", PL_LAYOUT_PROBE, 3'000, 3'100,
             {pair(1, 6), 0, pair(PL_COMM_WORLD, 0), pair(-1, -1), pair(0, 3)});
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Mprobe @0 POSTED_SOURCE=-1 POSTED_TAG=-1 COMM=0",
                                     "leave MPI_Mprobe @100 FOUND_SOURCE=1 FOUND_TAG=5",
                                     "enter MPI_Improbe @1000 POSTED_SOURCE=1 POSTED_TAG=6 COMM=0 POLLS=3",
                                     "leave MPI_Improbe @1100"));
}

// Asked: requests 1 and 2, then a probe, again and again, until the probe finds a message.
TEST_F(Assemble, ARunOfPollsIsTheCallThatEndedIt) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Issend", PL_LAYOUT_SEND, 2'000, 2'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 1)});
  test::Payload polls{pair(2, 0), pair(1, 2), pair(0, 0), 1'000, 30, 50, 70, 0, 0};
  for (const std::uint64_t word :
       spool.item("MPI_Iprobe", PL_LAYOUT_PROBE, true, {pair(1, 6), 16, pair(PL_COMM_WORLD, PL_WAS_ANY)}))
    polls.push_back(word);
  spool.polled("MPI_Testall", PL_LAYOUT_WAIT, 3'000, 8'000, polls);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Issend @0", "isend 1:5 16B r1 SEND_MODE=synchronous", "leave MPI_Issend @100",
                          "enter MPI_Iprobe @1000 POSTED_SOURCE=1 POSTED_TAG=6 COMM=0 POLLS=999 "
                          "LONGEST_POLL_GAP=30000 POLL_COMPUTED=50000 POLL_OFF_CPU=70000 ALSO_POLLED=MPI_Testall 1,2",
                          "leave MPI_Iprobe @6000 FOUND_SOURCE=1 FOUND_TAG=6"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, MessagesToNobodyAreOnlyCalls) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Isend", PL_LAYOUT_SEND, 2'000, 2'100, {pair(PL_PROC_NULL, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(1, 0), pair(1, 0), pair(2, 0), PL_COMPLETED | PL_COMPLETED_SEND, pair(-1, -1)});
  run({spool});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Isend @0", "leave MPI_Isend @100", "enter MPI_Wait @1000",
                                     "leave MPI_Wait @1100"));
}

TEST_F(Assemble, CollectivesCarryTheirCounts) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Gatherv", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, 1), 8, 24, 0, pair(0, 2), 8, 16});
  spool.call("MPI_Iallreduce", PL_LAYOUT_COLLECTIVE, 4'000, 4'100, {pair(PL_COMM_SELF, -1), 8, 8, 3, 0});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 5'000, 5'100,
             {pair(1, 0), pair(1, 0), pair(3, 0), PL_COMPLETED | PL_COMPLETED_SEND, pair(-1, -1)});
  run({spool, SpoolBuilder(1, 2)});
  const std::string complete = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveComplete));
  const std::string request = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveRequest));
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Gatherv @0", "collective", "op 3 comm 0 root 1 8/24 COUNTS_RECEIVED=8,16",
                          "leave MPI_Gatherv @1000", "enter MPI_Iallreduce @2000",
                          request + " COMM=1 COLLECTIVE=11 BYTES_SENT=8 BYTES_RECEIVED=8", "leave MPI_Iallreduce @2100",
                          "enter MPI_Wait @3000", complete, "leave MPI_Wait @3100"));
  EXPECT_TRUE(definitions().comms[1].is_self);
  EXPECT_THAT(definitions().comms[1].members, ElementsAre(0U));
}

TEST_F(Assemble, AStartedPersistentRequestIsPostedLikeANonBlockingOne) {
  SpoolBuilder spool(0, 2);
  const std::uint16_t ssend = spool.function("MPI_Ssend_init", PL_LAYOUT_NONE),
                      recv = spool.function("MPI_Recv_init", PL_LAYOUT_NONE),
                      reduce = spool.function("MPI_Allreduce_init_c", PL_LAYOUT_NONE);
  spool.define(PL_DEF_PERSISTENT, {pair(1, PL_LAYOUT_SEND), pair(ssend, 0), pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  spool.define(PL_DEF_PERSISTENT, {pair(2, PL_LAYOUT_RECV), pair(recv, 0), pair(-1, 7), 32, pair(PL_COMM_WORLD, 0)});
  spool.define(PL_DEF_PERSISTENT,
               {pair(3, PL_LAYOUT_COLLECTIVE), pair(reduce, 0), pair(PL_COMM_WORLD, -1), 8, 8, 0, 0});
  spool.call("MPI_Startall", PL_LAYOUT_START, 2'000, 2'100, {pair(3, 0), pair(1, 10), pair(2, 11), pair(3, 12)});
  spool.call("MPI_Waitall", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(3, 0), pair(3, 0), pair(10, 11), pair(12, 0), kSent, pair(-1, -1), PL_COMPLETED | 16, pair(1, 7),
              kSent, pair(-1, -1)});
  spool.call("MPI_Start", PL_LAYOUT_START, 4'000, 4'100, {pair(1, 0), pair(1, 13)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  const std::string complete = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveComplete));
  const std::string request = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveRequest));
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Startall @0", "isend 1:7 64B r10 PERSISTENT=1 SEND_MODE=synchronous",
                                     "post r11 PERSISTENT=2 POSTED_SOURCE=-1 POSTED_TAG=7 BUFFER_BYTES=32 COMM=0",
                                     request + " PERSISTENT=3 COMM=0 COLLECTIVE=11 BYTES_SENT=8 BYTES_RECEIVED=8",
                                     "leave MPI_Startall @100", "enter MPI_Waitall @1000", "sent r10",
                                     "irecv 1:7 16B r11", complete, "leave MPI_Waitall @1100", "enter MPI_Start @2000",
                                     "isend 1:7 64B r13 PERSISTENT=1 SEND_MODE=synchronous", "leave MPI_Start @2100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AStartOfWhatNothingIsKnownOfIsOnlyACall) {
  SpoolBuilder spool(0, 1);
  const std::uint16_t init = spool.function("MPI_Send_init", PL_LAYOUT_NONE);
  spool.define(PL_DEF_PERSISTENT,
               {pair(1, PL_LAYOUT_SEND), pair(init, 0), pair(PL_PROC_NULL, 7), 0, pair(PL_COMM_WORLD, 0)});
  spool.call("MPI_Startall", PL_LAYOUT_START, 2'000, 2'100,
             {pair(2, 0), pair(0, 0), pair(1, 5)});  // partitioned; nobody
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100, {pair(1, 0), pair(1, 0), pair(5, 0), kSent, pair(-1, -1)});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Startall @0", "leave MPI_Startall @100", "enter MPI_Wait @1000",
                                     "leave MPI_Wait @1100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, WaitingForAnIsendrecvCompletesBothHalves) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Isendrecv", PL_LAYOUT_ISENDRECV, 2'000, 2'100,
             {pair(1, 3), 8, pair(PL_COMM_WORLD, 1), pair(1, 4), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(1, 0), pair(1, 0), pair(2, 0), PL_COMPLETED | 12, pair(1, 4)});
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Isendrecv @0", "isend 1:3 8B r1",
                          "post r2 POSTED_SOURCE=1 POSTED_TAG=4 BUFFER_BYTES=16 COMM=0", "leave MPI_Isendrecv @100",
                          "enter MPI_Wait @1000", "sent r1", "irecv 1:4 12B r2", "leave MPI_Wait @1100"));
}

TEST_F(Assemble, NeighbourhoodCollectivesAreAttributesOfTheirCalls) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(2, 0), pair(0, 1), pair(0, 1)});
  spool.define(PL_DEF_NEIGHBOURS, {pair(3, 0), pair(2, 1), pair(PL_PROC_NULL, 1), pair(1, 0)});
  spool.call("MPI_Neighbor_alltoallv", PL_LAYOUT_NEIGHBOUR, 2'000, 2'100, {pair(3, 0), pair(2, 1), 8, 16, 24});
  spool.call("MPI_Ineighbor_alltoallv", PL_LAYOUT_NEIGHBOUR, 3'000, 3'100, {pair(3, 9), pair(2, 1), 8, 16, 24});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(9, 0), kSent, pair(-1, -1)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  const std::string what = "NEIGHBOURS_SENT=1:16 NEIGHBOURS_RECEIVED=1:24";
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_Neighbor_alltoallv @0 COMM=1 " + what, "leave MPI_Neighbor_alltoallv @100",
                  "enter MPI_Ineighbor_alltoallv @1000 COMM=1 REQUEST=9 " + what, "leave MPI_Ineighbor_alltoallv @1100",
                  "enter MPI_Wait @2000", "leave MPI_Wait @2100 COMPLETED=9"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AWindowIsOneForAllRanksWhateverTheyCallIt) {
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_WIN, {pair(1, PL_COMM_WORLD), pair(PL_WIN_CREATE, 0), 64, 4});
  a.define(PL_DEF_WIN, {pair(2, PL_COMM_WORLD), pair(PL_WIN_ALLOCATE, 1), 32, 1});
  a.define_text(PL_DEF_WIN_NAME, pair(2, 0), "halo");
  b.define(PL_DEF_WIN, {pair(8, PL_COMM_SELF), pair(PL_WIN_CREATE, 0), 8, 1});
  b.define(PL_DEF_WIN, {pair(9, PL_COMM_WORLD), pair(PL_WIN_ALLOCATE, 1), 16, 2});
  a.call("MPI_Win_create", PL_LAYOUT_WIN, 2'000, 2'100, {pair(PL_COMM_WORLD, PL_WIN_CREATE), 64, 4, pair(1, 0)});
  a.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 3'000, 3'100, {pair(2, -1), pair(PL_ASSERT_NOPUT, 0)});
  b.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 3'000, 3'100, {pair(9, -1), 0});
  b.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 4'000, 4'100, {pair(8, -1), 0});
  run({a, b});
  const Definitions& d = definitions();
  ASSERT_EQ(d.windows.size(), 3U);
  EXPECT_EQ(d.strings[d.windows[1].name], "halo");
  EXPECT_EQ(d.windows[1].comm, 0U);
  EXPECT_TRUE(d.comms[d.windows[2].comm].is_self);
  EXPECT_THAT(events(0).at(5), "enter MPI_Win_fence @1000 WINDOW=1 ASSERTION=noput");
  EXPECT_THAT(events(1).front(), "enter MPI_Win_fence @1000 WINDOW=1");
}

TEST_F(Assemble, OneSidedCallsWithoutATargetOrAWindowAreOnlyCalls) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_WIN, {pair(1, PL_COMM_WORLD), pair(PL_WIN_CREATE, 0), 64, 4});
  spool.call("MPI_Win_create", PL_LAYOUT_WIN, 2'000, 2'100, {pair(PL_COMM_WORLD, PL_WIN_CREATE), 64, 4, 0});  // failed
  spool.call("MPI_Rput", PL_LAYOUT_RMA, 3'000, 3'100, {pair(PL_PROC_NULL, 0), 0, 0, 0, pair(1, 5), 0});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(5, 0), kSent, pair(-1, -1)});
  spool.call("MPI_Put", PL_LAYOUT_RMA, 5'000, 5'100, {pair(1, 0), 0, 8, 8, pair(7, 0), 0});
  spool.call("MPI_Win_flush", PL_LAYOUT_WIN_SYNC, 6'000, 6'100, {pair(7, 1), 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inner_events(0), ElementsAre());
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, WhatRanksNameEachForItselfIsOneCommunicator) {
  // Both ranks split off {1, 0}; one calls it 3, the other 9.
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(2, 1), pair(0, 0), pair(1, 0)});
  a.define_text(PL_DEF_COMM_NAME, pair(3, 0), "swapped");
  b.define(PL_DEF_COMM, {pair(9, PL_COMM_WORLD), pair(2, 0), pair(0, 0), pair(1, 0)});
  a.call("MPI_Comm_split", PL_LAYOUT_COMM, 2'000, 2'100, {pair(PL_COMM_WORLD, 0), pair(3, 0)});
  b.call("MPI_Comm_split", PL_LAYOUT_COMM, 2'000, 2'100, {pair(PL_COMM_WORLD, 0), pair(9, 0)});
  b.call("MPI_Comm_free", PL_LAYOUT_COMM, 3'000, 3'100, {pair(9, 0), pair(PL_COMM_NULL, 0)});
  run({a, b});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Comm_split @0", "collective", "op 17 comm 0 root -1 0/0", "new comm 1",
                                     "leave MPI_Comm_split @100"));
  EXPECT_THAT(events(1), ElementsAre("enter MPI_Comm_split @0", "collective", "op 17 comm 0 root -1 0/0", "new comm 1",
                                     "leave MPI_Comm_split @100", "enter MPI_Comm_free @1000", "collective",
                                     "op 18 comm 1 root -1 0/0", "free comm 1", "leave MPI_Comm_free @1100"));
  const archive::Comm& comm = definitions().comms[1];
  EXPECT_EQ(definitions().strings[comm.name], "swapped");
  EXPECT_THAT(comm.members, ElementsAre(1U, 0U));
  EXPECT_EQ(comm.parent, 0U);
}

TEST_F(Assemble, BothSidesOfAnIntercommunicatorTellOfTheSameOne) {
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(1, 0), pair(0, 1)});
  b.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(1, 0), pair(1, 0)});
  for (SpoolBuilder* spool : {&a, &b})
    spool->call("MPI_Send", PL_LAYOUT_SEND, 2'000, 2'100, {pair(0, 1), 4, pair(3, 0)});
  run({a, b});
  ASSERT_EQ(definitions().comms.size(), 2U);
  EXPECT_THAT(definitions().comms[1].members, ElementsAre(0U));
  EXPECT_THAT(definitions().comms[1].remote_members, ElementsAre(1U));
}

}  // namespace
}  // namespace plumbline::record
