// What libraries do inside of calls, from spools to the locations inside (docs/reference/trace-format-inside.md).

#include <fcntl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <random>

#include "tests/support/seed.hpp"
#include "tests/tracer/assemble_fixture.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::Event;
using archive::EventKind;
using archive::Reader;
using archive::test::OwnedEvent;
using test::Assemble;
using test::pair;
using test::Payload;
using test::SpoolBuilder;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// As tracer/preload writes it; end 0: the record does not tell of one.
struct InnerMessage {
  bool is_send = true;
  std::uint64_t posted = 0, complete = 0;
  std::int64_t peer = 0, tag = 0;
  std::uint64_t bytes = 0, flags = 0;
  std::uint32_t context = 17, number = 1;
};

Payload words_of(const InnerMessage& m) {
  return {pair(m.peer, m.tag), m.bytes | m.flags << 48, pair(m.context, m.number)};
}

void put(SpoolBuilder& spool, const InnerMessage& m) {
  spool.call(m.is_send ? "(inner send)" : "(inner receive)", PL_LAYOUT_INNER_MESSAGE, m.posted, m.complete,
             words_of(m));
}

void put_end(SpoolBuilder& spool, const InnerMessage& m, std::uint64_t complete) {
  const Payload words = words_of(m);
  spool.call("(inner end)", PL_LAYOUT_INNER_END, complete, complete, {pair(m.number, 0), words[0], words[1]});
}

void put_inner_call(SpoolBuilder& spool, const std::string& mpi, pl_layout layout, std::uint64_t begin,
                    std::uint64_t end) {
  const std::uint16_t function = spool.function(mpi, layout);
  spool.call("(inner call)", PL_LAYOUT_INNER_CALL, begin, end, {pair(function, PL_COMM_WORLD)});
}

const Payload kBarrier{pair(PL_COMM_WORLD, -1), 0, 0};

Payload ibarrier(std::uint32_t request) { return {pair(PL_COMM_WORLD, -1), 0, 0, pair(request, 0), 0}; }

Payload wait_for(std::uint32_t request) {
  return {pair(1, 0), pair(1, 0), pair(request, 0), PL_COMPLETED | PL_COMPLETED_SEND, 0};
}

class AssembleInside : public Assemble {
 protected:
  std::optional<std::uint32_t> index_inside(std::uint64_t outer) const {
    for (std::uint32_t i = 0; i < definitions().locations.size(); ++i)
      if (archive::inside_of(definitions().locations[i]) == outer) return i;
    return {};
  }

  // The events inside of the calls of a location, each with its time in ns; "none": there is no such location.
  std::vector<std::string> inside(std::uint64_t outer) {
    const auto location = index_inside(outer);
    if (!location) return {"none"};
    std::vector<std::string> lines;
    for (const OwnedEvent& event : archive::test::read_all(*reader_, *location)) {
      std::string text = test::brief(event, definitions());
      const std::string at = " @" + std::to_string(event.event.time.ps / 1000);
      if (text.find(at) == std::string::npos) text += at;
      lines.push_back(text);
    }
    return lines;
  }

  std::string name_of_comm(std::uint32_t comm) const { return definitions().strings[definitions().comms[comm].name]; }
};

TEST_F(AssembleInside, MessagesOfACollectiveAreSendsAndReceivesInsideOfIt) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Comm_rank", PL_LAYOUT_NONE, 2'000, 2'100, {});
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 4'000, kBarrier);
  put(spool, {.is_send = false, .posted = 3'100, .complete = 3'700, .peer = 1, .tag = -27, .bytes = 8, .number = 1});
  put(spool, {.posted = 3'200, .complete = 3'300, .peer = 1, .tag = -27, .bytes = 16, .number = 2});
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'000, 6'000, kBarrier);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0), ElementsAre("enter MPI_Barrier @1000 CALL=1",
                                     "post r1 COMM=1 POSTED_SOURCE=1 POSTED_TAG=4294967269 @1100",
                                     "isend 1:4294967269 16B r2 @1200", "sent r2 @1300",
                                     "irecv 1:4294967269 8B r1 @1700", "leave MPI_Barrier @2000"));
  EXPECT_THAT(events(0), Contains("leave MPI_Barrier @2000 INNER_RECORDS=2"));
  EXPECT_THAT(events(0), Contains("leave MPI_Barrier @4000"));
  EXPECT_EQ(summary.operations, 3U);
  EXPECT_EQ(summary.message_bytes, 0U);  // what the program sent
  EXPECT_THAT(summary.remarks, IsEmpty());
}

TEST_F(AssembleInside, EveryRankHasALocationInsideWithoutARankWhereAnyHasMessages) {
  SpoolBuilder a(0, 2), b(1, 2);
  a.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 4'000, kBarrier);
  put(a, {.posted = 3'200, .complete = 3'300, .peer = 1});
  b.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 4'000, kBarrier);
  run({a, b});
  const Definitions& d = definitions();
  ASSERT_EQ(d.locations.size(), 4U);
  for (std::uint32_t rank : {0U, 1U}) {
    const archive::Location& l = d.locations[2 + rank];
    EXPECT_EQ(l.otf2_id, (std::uint64_t{1} << 51) + rank);
    EXPECT_EQ(d.strings[l.name], "Inside rank " + std::to_string(rank));
    EXPECT_EQ(l.group, rank);
    EXPECT_FALSE(l.rank);
    EXPECT_EQ(l.properties.at("PLUMBLINE::INSIDE_OF"), std::to_string(rank));
  }
  EXPECT_EQ(d.world_size(), 2U);
  EXPECT_THAT(inside(1), IsEmpty());
  ASSERT_EQ(d.comms.size(), 2U);
  EXPECT_EQ(name_of_comm(1), "context 17");
  EXPECT_TRUE(d.comms[1].is_inside);
  EXPECT_THAT(d.comms[1].members, ElementsAre(0, 1));
}

TEST_F(AssembleInside, WithoutAnythingInsideThereIsNoSuchLocation) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 4'000, kBarrier);
  run({spool});
  EXPECT_EQ(definitions().locations.size(), 1U);
  EXPECT_THAT(inside(0), ElementsAre("none"));
}

TEST_F(AssembleInside, CallsOfTheLibraryFilesAndMessagesAreOneStream) {
  SpoolBuilder spool(0, 2);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.call("MPI_File_open", PL_LAYOUT_FILE_OPEN, 2'000, 3'000, {pair(PL_COMM_WORLD, 9), pair(1, 0), pair(1, 0)});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'100, 2'200, {pair(1, O_RDWR), 5});
  put_inner_call(spool, "MPI_Bcast", PL_LAYOUT_COLLECTIVE, 2'300, 2'600);
  put(spool, {.posted = 2'400, .complete = 2'700, .peer = 1, .tag = -1, .bytes = 4});
  spool.call("MPI_File_write_all", PL_LAYOUT_FILE_ACCESS, 4'000, 5'000,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE), 0, 8, 8, 0});
  spool.call("pwrite", PL_LAYOUT_POSIX_ACCESS, 4'100, 4'200, {pair(5, PL_ACCESS_WRITE), 0, 8, 8});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0),
              ElementsAre("enter MPI_File_open @0 CALL=0", "enter open @100", "open h1 @200", "leave open @200",
                          "enter PMPI_Bcast @300 COMM=0", "isend 1:4294967295 4B r1 @400", "leave PMPI_Bcast @600",
                          "sent r1 @700", "leave MPI_File_open @1000", "enter MPI_File_write_all @2000 CALL=1",
                          "enter pwrite @2100", "write h1 8B ABSOLUTE_OFFSET=0 @2100", "done h1 8B @2200",
                          "leave pwrite @2200", "leave MPI_File_write_all @3000"));
  EXPECT_THAT(inner_events(0), ElementsAre("open h0 @1000", testing::StartsWith("write h0 8B"), "done h0 8B"));
  const Definitions& d = definitions();
  EXPECT_EQ(d.io_handles[1].parent, 0U);
  EXPECT_THAT(d.regions, Contains(testing::Truly([&](const archive::Region& region) {
                return d.strings[region.name] == "PMPI_Bcast" && region.role == archive::Role::kCollective &&
                       region.paradigm == archive::Paradigm::kMpi;
              })));
  EXPECT_EQ(summary.operations, 2U);
  EXPECT_EQ(summary.io_bytes, 8U);
}

TEST_F(AssembleInside, AMessageMayBeCompleteInsideOfALaterCall) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Bcast", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, 0), 8, 0});
  put(spool, {.posted = 2'100, .complete = 6'500, .peer = 1, .number = 1});
  put(spool, {.posted = 2'200, .complete = 4'500, .peer = 1, .number = 2});
  put(spool, {.posted = 2'300, .complete = 3'500, .peer = 1, .number = 3});  // between calls, by another thread
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 4'000, 5'000, kBarrier);
  spool.call("MPI_Comm_rank", PL_LAYOUT_NONE, 5'100, 5'200, {});
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 6'000, 7'000, kBarrier);
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0), ElementsAre("enter MPI_Bcast @0 CALL=0", "isend 1:0 0B r1 @100", "isend 1:0 0B r2 @200",
                                     "isend 1:0 0B r3 @300", "leave MPI_Bcast @1000", "sent r3 @1500",
                                     "enter MPI_Barrier @2000 CALL=1", "sent r2 @2500", "leave MPI_Barrier @3000",
                                     "enter MPI_Barrier @4000 CALL=3", "sent r1 @4500", "leave MPI_Barrier @5000"));
}

TEST_F(AssembleInside, AnEndOutOfReachIsTheOneOfItsMessage) {
  SpoolBuilder spool(0, 2);
  const InnerMessage here{.is_send = false, .posted = 2'100, .peer = 1, .tag = 3, .bytes = 100, .number = 1};
  const InnerMessage there{.is_send = false, .posted = 2'200, .peer = 1, .tag = 4, .bytes = 100, .number = 2};
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 5'000, kBarrier);
  put(spool, here);
  put(spool, there);
  put_end(spool, {.peer = 1, .tag = 3, .bytes = 60, .number = 1}, 3'000);  // in a segment that is full
  spool.thread(1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'500, 6'000, kBarrier);
  put_end(spool, {.peer = 1, .tag = 4, .bytes = 70, .number = 2}, 4'000);  // by another thread
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0), ElementsAre("enter MPI_Barrier @0 CALL=0", "post r1 COMM=1 POSTED_SOURCE=1 POSTED_TAG=3 @100",
                                     "post r2 COMM=1 POSTED_SOURCE=1 POSTED_TAG=4 @200", "irecv 1:3 60B r1 @1000",
                                     "irecv 1:4 70B r2 @2000", "leave MPI_Barrier @3000"));
  EXPECT_THAT(inside(std::uint64_t{1} << 32), ElementsAre("none"));  // the end belongs to who has posted it
  EXPECT_THAT(events(0), Contains("leave MPI_Barrier @3000 INNER_RECORDS=3"));
}

TEST_F(AssembleInside, WhatNeverEndedHasNoEndAndWhatFailedIsCancelled) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 0, kBarrier);
  put(spool, {.is_send = false,
              .posted = 2'100,
              .tag = -5,
              .bytes = 64,
              .flags = PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG,
              .number = 1});
  put(spool, {.posted = 2'200, .complete = 2'300, .peer = 1, .flags = PL_INNER_FAILED, .number = 2});
  put(spool, {.posted = 2'400, .peer = 1, .flags = PL_INNER_SYNCHRONOUS | PL_INNER_UNKNOWN_BYTES, .number = 3});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0),
              ElementsAre("enter MPI_Barrier @0 CALL=0",
                          "post r1 COMM=1 POSTED_SOURCE=-1 POSTED_TAG=-1 BUFFER_BYTES=64 @100", "isend 1:0 0B r2 @200",
                          "cancelled r2 @300", "isend 1:0 0B r3 UNKNOWN_BYTES=1 SEND_MODE=synchronous @400",
                          testing::StartsWith("leave MPI_Barrier @998000 UNFINISHED=1")));
  EXPECT_EQ(summary.in_flight, 1U);
}

TEST_F(AssembleInside, AMessageOfANonBlockingCollectiveSaysInLaterCallsWhereItBegan) {
  SpoolBuilder spool(0, 2);
  const auto message = [&](std::uint64_t at, std::int64_t tag, std::uint32_t number) {
    put(spool, {.posted = at, .complete = at + 10, .peer = 1, .tag = tag, .number = number});
  };
  spool.call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 2'000, 2'100, ibarrier(1));
  message(2'010, -27, 1);
  spool.call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 2'200, 2'300, ibarrier(2));
  message(2'210, -27, 2);  // progress of the first
  message(2'230, -28, 3);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 3'100, kBarrier);
  message(3'010, -16, 4);  // its own
  message(3'030, -28, 5);
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, wait_for(1));
  message(4'010, -27, 6);
  spool.call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 5'000, 5'100, ibarrier(3));
  message(5'010, -27, 7);  // the tag is used again
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 6'000, 6'100, kBarrier);
  message(6'010, -27, 8);
  run({spool, SpoolBuilder(1, 2)});
  std::map<std::uint64_t, std::uint64_t> belongs_to;  // by number
  for (const OwnedEvent& event : archive::test::read_all(*reader_, *index_inside(0)))
    for (const archive::AttributeValue& value : event.attributes)
      if (definitions().strings[definitions().attributes[value.attribute].name] == archive::names::kBelongsTo)
        belongs_to[event.event.request] = value.u64;
  EXPECT_THAT(belongs_to,
              ElementsAre(testing::Pair(2, 0), testing::Pair(5, 1), testing::Pair(6, 0), testing::Pair(8, 4)));
}

// Where libnbc's schedule begins with a copy, the first message is posted when it looks for progress.
TEST_F(AssembleInside, ACollectiveThatPostsNothingInItsOwnCallHasTheFirstUnknownMessagesOfALaterOne) {
  SpoolBuilder spool(0, 2);
  const auto message = [&](std::uint64_t at, std::int64_t tag, std::uint32_t number) {
    put(spool, {.posted = at, .complete = at + 10, .peer = 1, .tag = tag, .number = number});
  };
  spool.call("MPI_Ireduce", PL_LAYOUT_COLLECTIVE, 2'000, 2'100, ibarrier(1));
  spool.call("MPI_Ireduce", PL_LAYOUT_COLLECTIVE, 2'200, 2'300, ibarrier(2));
  spool.call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 2'400, 2'500, ibarrier(3));
  message(2'410, -29, 1);  // its own
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 3'100, kBarrier);
  message(3'010, -16, 2);  // its own
  message(3'030, -27, 3);
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, wait_for(2));
  message(4'010, -28, 4);
  message(4'030, -27, 5);
  run({spool, SpoolBuilder(1, 2)});
  std::map<std::uint64_t, std::uint64_t> belongs_to;  // by number
  for (const OwnedEvent& event : archive::test::read_all(*reader_, *index_inside(0)))
    for (const archive::AttributeValue& value : event.attributes)
      if (definitions().strings[definitions().attributes[value.attribute].name] == archive::names::kBelongsTo)
        belongs_to[event.event.request] = value.u64;
  EXPECT_THAT(belongs_to, ElementsAre(testing::Pair(3, 0), testing::Pair(4, 1), testing::Pair(5, 0)));
}

// MPICH's steps among the ranks of a node and among the leaders have contexts of their own, and one tag.
TEST_F(AssembleInside, StepsOfMpichsNonBlockingCollectivesOnPartsOfACommunicatorBelongToOneCall) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Ibcast", PL_LAYOUT_COLLECTIVE, 2'000, 2'100, ibarrier(1));
  put(spool, {.posted = 2'010, .complete = 2'020, .peer = 1, .tag = 287, .context = 0x15, .number = 1});  // leaders
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, wait_for(1));
  put(spool, {.posted = 4'010, .complete = 4'020, .peer = 1, .tag = 287, .context = 0x13, .number = 2});  // the node
  put(spool, {.posted = 4'030, .complete = 4'040, .peer = 1, .tag = 287, .context = 0x1b, .number = 3});  // another
  run({spool, SpoolBuilder(1, 2)});
  std::vector<std::string> sends;
  for (const std::string& line : inside(0))
    if (line.starts_with("isend")) sends.push_back(line.substr(line.find('r')));
  EXPECT_THAT(sends, ElementsAre("r1 @10", "r2 BELONGS_TO=0 @2010", "r3 @2030"));
}

TEST_F(AssembleInside, AStartedPersistentCollectiveIsTheCallOfItsLaterMessages) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_PERSISTENT,
               {pair(1, PL_LAYOUT_COLLECTIVE), pair(spool.function("MPI_Barrier_init", PL_LAYOUT_NONE), 0),
                pair(PL_COMM_WORLD, -1), 0, 0, 0, 0});
  std::uint32_t number = 0;
  std::uint64_t at = 2'000;
  for (std::uint32_t request : {1U, 2U}) {
    spool.call("MPI_Start", PL_LAYOUT_START, at, at + 100, {pair(1, 0), pair(1, request)});
    put(spool, {.posted = at + 10, .complete = at + 20, .peer = 1, .tag = -30, .number = ++number});
    spool.call("MPI_Wait", PL_LAYOUT_WAIT, at + 200, at + 300, wait_for(request));
    put(spool, {.posted = at + 210, .complete = at + 220, .peer = 1, .tag = -30, .number = ++number});
    at += 1'000;
  }
  run({spool, SpoolBuilder(1, 2)});
  std::vector<std::string> sends;
  for (const std::string& line : inside(0))
    if (line.starts_with("isend")) sends.push_back(line.substr(line.find('r')));
  EXPECT_THAT(sends, ElementsAre("r1 @10", "r2 BELONGS_TO=0 @210", "r3 @1010", "r4 BELONGS_TO=2 @1210"));
}

TEST_F(AssembleInside, TheSenderOfARankInAContextIsTheLatestThatToldIt) {
  SpoolBuilder receiver(0, 3), one(1, 3), other(2, 3);
  // Rank 1 of context 9 is first world rank 2; then the context is of another communicator, where it is world rank 1.
  other.define(PL_DEF_INNER_PEER, {pair(9, 1), pair(0, 0)}, 2'050, 2'050);
  one.define(PL_DEF_INNER_PEER, {pair(9, 1), pair(0, 0)}, 5'000, 5'000);
  one.define(PL_DEF_INNER_PEER, {pair(9, 0), pair(2, 0)}, 2'000, 2'000);  // to somebody else
  for (SpoolBuilder* spool : {&one, &other}) spool->call("MPI_Comm_rank", PL_LAYOUT_NONE, 2'000, 2'001, {});
  const auto receive = [&](std::uint64_t at, std::int64_t rank, std::uint32_t context, std::uint32_t number) {
    put(receiver, {.is_send = false,
                   .posted = at,
                   .complete = at + 50,
                   .peer = rank,
                   .flags = PL_INNER_RANK_IN_CONTEXT,
                   .context = context,
                   .number = number});
  };
  receiver.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 9'000, kBarrier);
  receive(2'010, 1, 9, 1);
  receive(6'000, 1, 9, 2);
  receive(6'100, 0, 9, 3);   // nobody told this receiver
  receive(6'200, 1, 10, 4);  // nobody knows the context
  const AssembleSummary summary = run({receiver, one, other});
  std::vector<std::string> received;
  for (const std::string& line : inside(0))
    if (line.starts_with("irecv")) received.push_back(line);
  EXPECT_THAT(received, ElementsAre("irecv 2:0 0B r1 @60", "irecv 1:0 0B r2 @4050", "irecv 4294967295:0 0B r3 @4150",
                                    "irecv 4294967295:0 0B r4 @4250"));
  EXPECT_THAT(summary.remarks, Contains(testing::StartsWith("rank 0: of 2 messages inside of calls")));
}

TEST_F(AssembleInside, WhatHappenedOutsideOfEveryCallIsThereWithoutOne) {
  SpoolBuilder spool(0, 2);
  put_inner_call(spool, "MPI_Test", PL_LAYOUT_WAIT, 2'000, 2'100);
  put(spool, {.posted = 2'010, .complete = 2'020, .peer = 1, .number = 1});
  put(spool, {.posted = 3'000, .complete = 3'020, .peer = 1, .number = 2});
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 4'000, 5'000, kBarrier);
  put(spool, {.posted = 4'100, .complete = 4'200, .peer = 1, .number = 3});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inside(0),
              ElementsAre("enter PMPI_Test @0 COMM=0", "isend 1:0 0B r1 @10", "sent r1 @20", "leave PMPI_Test @100",
                          "isend 1:0 0B r2 @1000", "sent r2 @1020", "enter MPI_Barrier @2000 CALL=0",
                          "isend 1:0 0B r3 @2100", "sent r3 @2200", "leave MPI_Barrier @3000"));
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Barrier @2000", "collective", "op 0 comm 0 root -1 0/0",
                                     "leave MPI_Barrier @3000 INNER_RECORDS=1"));
  EXPECT_EQ(summary.operations, 1U);
}

TEST_F(AssembleInside, EachThreadHasItsOwn) {
  SpoolBuilder spool(1, 2);
  for (std::uint32_t thread : {0U, 1U}) {
    spool.thread(thread);
    spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, kBarrier);
    put(spool, {.posted = 2'100 + thread, .complete = 2'200, .number = thread + 1});
  }
  run({SpoolBuilder(0, 2), spool});
  EXPECT_THAT(inside(1), Contains("isend 0:0 0B r1 @100"));
  const std::uint64_t thread = (std::uint64_t{1} << 32) + 1;
  EXPECT_THAT(inside(thread), Contains("isend 0:0 0B r2 @101"));
  const archive::Location& l = definitions().locations[*index_inside(thread)];
  EXPECT_EQ(definitions().strings[l.name], "Inside rank 1, thread 1");
  EXPECT_EQ(l.group, 1U);
}

TEST_F(AssembleInside, TimeOffTheCpuInsideOfACallIsNotThatBeforeTheNext) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_RUN_DELAY, {0}, 2'000, 2'000);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 4'000, kBarrier);
  spool.define(PL_DEF_RUN_DELAY, {900}, 2'100, 3'100);
  put(spool, {.posted = 3'100, .complete = 3'200, .peer = 1});
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'000, 6'000, kBarrier);
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0), Contains("enter MPI_Barrier @3000"));
}

TEST_F(AssembleInside, AnArchiveWithoutNamesKeepsTheTracersOwnWords) {
  SpoolBuilder spool(0, 1);
  Payload words(3, 0);
  std::memcpy(words.data(), "internals=off: pml cm", 21);
  spool.define(PL_DEF_META, words);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, kBarrier);
  put(spool, {.posted = 2'100, .complete = 2'200});
  AssembleOptions options;
  options.anonymize = true;
  run({spool}, options);
  EXPECT_EQ(definitions().location_groups[0].properties.at("PLUMBLINE::META::internals"), "off: pml cm");
  EXPECT_THAT(inside(0), Contains("isend 0:0 0B r1 @100"));
}

TEST_F(AssembleInside, Otf2PrintReadsIt) {
  SpoolBuilder sender(0, 2), receiver(1, 2);
  for (SpoolBuilder* spool : {&sender, &receiver})
    spool->call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, ibarrier(1));
  put(sender, {.posted = 2'100, .complete = 2'900, .peer = 1, .tag = -27, .bytes = 8});
  put(receiver, {.is_send = false, .posted = 2'100, .complete = 2'800, .peer = 0, .tag = -27, .bytes = 8});
  put(receiver, {.is_send = false, .posted = 2'200, .complete = 2'900, .peer = 7, .number = 2});  // nobody's
  run({sender, receiver});
  for (const std::string options : {"", "-G", "-A", "-I"}) {
    std::FILE* pipe =
        popen(("otf2-print " + options + " '" + (directory_ / "obs/traces.otf2").string() + "' 2>&1").c_str(), "r");
    std::string printed;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) != 0;) printed.append(part.data(), n);
    EXPECT_EQ(pclose(pipe), 0) << printed;
    EXPECT_EQ(printed.find("rror"), std::string::npos) << printed;
    if (options == "-G") {
      EXPECT_EQ(printed.find("INVALID"), std::string::npos) << printed;
      EXPECT_THAT(printed, testing::HasSubstr("PLUMBLINE::INSIDE_OF"));
    }
    if (options.empty()) {
      EXPECT_THAT(printed, testing::ContainsRegex("MPI_ISEND +2251799813685248 .*Inside rank 1"));
    }
  }
}

// ---- Properties over random spools.

struct Truth {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> messages;  // ns of post and end (0: none), by number
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;                 // outermost ones of thread 0
};

// Calls in turns, with messages, library calls and POSIX calls nested at random; ends in the record, told later by any
// thread, or never.
Truth random_calls(SpoolBuilder& spool, std::mt19937_64& random) {
  Truth truth;
  std::uint64_t now = 2'000;
  std::vector<std::pair<std::uint64_t, InnerMessage>> later;  // to be told by thread 1
  std::uint32_t number = 0;
  const auto some = [&](std::uint64_t n) { return random() % n; };
  const auto message = [&] {
    InnerMessage m{
        .is_send = some(2) == 0, .posted = now, .peer = 1, .tag = static_cast<int>(some(4)), .bytes = some(99)};
    m.number = ++number;
    m.context = static_cast<std::uint32_t>(some(3));
    const std::uint64_t end = now + some(4) * some(3'000);
    const std::uint64_t how = some(6);
    truth.messages[number] = {now, how == 0 ? 0 : end};
    if (how > 1) m.complete = end;
    put(spool, m);
    if (how == 1) later.emplace_back(end, m);
  };
  const std::function<void(int, std::uint64_t)> fill = [&](int depth, std::uint64_t until) {
    while (now < until) {
      now += some(200);
      if (now >= until) break;
      if (some(3) != 0 || depth == 3) {
        message();
        continue;
      }
      const std::uint64_t end = std::min(until, now + some(500));
      if (some(2) == 0)
        put_inner_call(spool, "MPI_Bcast", PL_LAYOUT_COLLECTIVE, now, end);
      else
        spool.call("pwrite", PL_LAYOUT_POSIX_ACCESS, now, end, {pair(5, PL_ACCESS_WRITE), 0, 8, 8});
      fill(depth + 1, end);
      now = std::max(now, end);
    }
  };
  for (int call = 0; call < 40; ++call) {
    now += some(300);
    const std::uint64_t end = now + some(2'000);
    truth.calls.emplace_back(now, end);
    spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, now, end, kBarrier);
    if (some(3) != 0) fill(0, end);
    now = end;
  }
  std::ranges::sort(later, {}, [](const auto& one) { return one.first; });
  spool.thread(1);
  for (const auto& [end, m] : later) put_end(spool, m, end);
  return truth;
}

TEST_F(AssembleInside, PostsAndEndsOfRandomCallsAreAllThereInTheOrderOfTime) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 60; ++round) {
    SpoolBuilder spool(0, 2);
    spool.header.last = {10'000'000, 10'000'000, SpoolBuilder::kRealtime + 10'000'000};
    const Truth truth = random_calls(spool, random);
    const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
    EXPECT_EQ(summary.operations, truth.calls.size());
    EXPECT_THAT(summary.remarks, IsEmpty());
    if (truth.messages.empty()) continue;
    const std::uint64_t zero = truth.calls.front().first;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> seen;
    std::vector<std::uint32_t> regions;
    Time last;
    for (const OwnedEvent& owned : archive::test::read_all(*reader_, *index_inside(0))) {
      const Event& e = owned.event;
      const std::uint64_t ns = static_cast<std::uint64_t>(e.time.ps) / 1000 + zero;
      ASSERT_GE(e.time, last);
      last = e.time;
      if (e.kind == EventKind::kEnter) regions.push_back(e.region);
      if (e.kind == EventKind::kEnter && regions.size() == 1) {
        const std::uint64_t index = owned.attributes.at(0).u64;
        ASSERT_LT(index, truth.calls.size());
        EXPECT_EQ(truth.calls[index].first, ns);
      }
      if (e.kind == EventKind::kLeave) {
        ASSERT_FALSE(regions.empty());
        EXPECT_EQ(regions.back(), e.region);
        regions.pop_back();
      }
      if (e.kind == EventKind::kMpiIsend || e.kind == EventKind::kMpiIrecvRequest) {
        EXPECT_TRUE(seen.try_emplace(e.request, ns, 0).second);
        EXPECT_FALSE(regions.empty());
      }
      if (e.kind == EventKind::kMpiIsendComplete || e.kind == EventKind::kMpiIrecv) {
        ASSERT_TRUE(seen.contains(e.request));
        EXPECT_EQ(std::exchange(seen[e.request].second, ns), 0U);
      }
    }
    EXPECT_TRUE(regions.empty());
    EXPECT_EQ(seen, truth.messages);
  }
}

}  // namespace
}  // namespace plumbline::record
