#include <gtest/gtest.h>

#include "event_script.hpp"

// What was recorded inside of calls, on a location of its own, becomes the inner stream of their operations.

namespace plumbline::replay {
namespace {

using archive::CollectiveOp;
using archive::EventKind;

namespace names = archive::names;

Time us(std::int64_t n) { return Time{} + microseconds(n); }

// A barrier, the start of a broadcast and the wait for it.
void write_calls(EventScript& script) {
  script.enter("MPI_Barrier", 10).collective(CollectiveOp::kBarrier, 19, 0, 0).leave(20);
  script.enter("MPI_Ibcast", 30).add(EventKind::kNonBlockingCollectiveRequest, 31, archive::kUndefined, 0, 0, 5);
  script.leave(32);
  script.enter("MPI_Wait", 40).collective(CollectiveOp::kBcast, 58, 8, 8, 1);
  script.last().kind = EventKind::kNonBlockingCollectiveComplete;
  script.last().request = 5;
  script.leave(60);
}

class InsideScript {
 public:
  InsideScript() : context(script.context()) {
    write_calls(script);
    script.inside();
  }

  void enter(const char* region, std::int64_t at, std::uint64_t call) {
    script.enter(region, at).with(names::kCall, call);
  }
  EventScript& message(EventKind kind, std::int64_t at, std::uint64_t request, std::uint32_t peer = 1,
                       std::uint64_t bytes = 8) {
    script.add(kind, at, peer, 0xffffffe5, bytes, request).last().comm = context;
    return script;
  }

  EventScript script;
  std::uint32_t context;
};

TEST(CompileInside, MessagesAreItemsOfTheirOperations) {
  InsideScript s;
  s.enter("MPI_Barrier", 10, 0);
  s.message(EventKind::kMpiIrecvRequest, 11, 1);
  s.message(EventKind::kMpiIsend, 12, 2, 3, 0);
  s.message(EventKind::kMpiIsendComplete, 13, 2);
  s.message(EventKind::kMpiIrecv, 18, 1, 2, 16);
  s.script.leave(20);
  const Program program = s.script.compile();
  const RankProgram& rank = program.rank(0);
  const auto items = rank.inner_of(0);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[0].kind, InnerKind::kReceive);
  EXPECT_EQ(items[0].times.begin, us(11));
  EXPECT_EQ(items[1].kind, InnerKind::kSend);
  EXPECT_EQ(items[2].kind, InnerKind::kDone);
  EXPECT_EQ(items[2].index, items[1].index);
  EXPECT_EQ(items[3].times.end, us(18));
  // As it was when it was complete.
  const InnerMessage& received = rank.inner_messages[items[0].index];
  EXPECT_EQ(received.peer, 2U);
  EXPECT_EQ(received.bytes, 16U);
  EXPECT_EQ(received.tag, -27);
  EXPECT_EQ(received.context, s.context);
  EXPECT_EQ(rank.inner_messages[items[1].index].peer, 3U);
  EXPECT_EQ(program.comms(), 1U);  // a context is no communicator of the program
}

TEST(CompileInside, AMessageBelongsToTheCallThatStartedItsCollective) {
  InsideScript s;
  s.enter("MPI_Ibcast", 30, 1);
  s.message(EventKind::kMpiIrecvRequest, 31, 1);
  s.script.leave(32);
  s.enter("MPI_Wait", 40, 2);
  s.message(EventKind::kMpiIrecv, 50, 1);
  s.message(EventKind::kMpiIsend, 51, 2).with(names::kBelongsTo, std::uint64_t{1});
  s.message(EventKind::kMpiIsendComplete, 52, 2);
  s.script.leave(60);
  const Program program = s.script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.inner_of(1).size(), 1U);
  ASSERT_EQ(rank.inner_of(2).size(), 3U);
  EXPECT_EQ(rank.inner_messages[rank.inner_of(2)[0].index].operation, 1U);
  EXPECT_EQ(rank.inner_messages[rank.inner_of(2)[1].index].operation, 1U);
}

// 1 us inside and 0.5 us outside of each record; two records lie in the barrier.
TEST(CompileInside, TheTracersCostIsTakenFromTheCallAndFromTheTimesInside) {
  InsideScript s;
  s.enter("MPI_Barrier", 10, 0);
  s.message(EventKind::kMpiIrecvRequest, 11, 1);
  s.message(EventKind::kMpiIsend, 14, 2);
  s.message(EventKind::kMpiIsendComplete, 17, 2);
  s.message(EventKind::kMpiIrecv, 18, 1);
  s.script.leave(20);
  const Program program = s.script.compile({microseconds(1), Duration{500'000}});
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.times[0].end, us(10 + 10 - 1 - 3));
  const auto items = rank.inner_of(0);
  EXPECT_EQ(items[0].times.begin, us(11));
  EXPECT_EQ(items[1].times.begin, us(14) - Duration{1'500'000});
  EXPECT_EQ(items[2].times.begin, us(14));
  EXPECT_EQ(items[3].times.begin, us(15));
}

TEST(CompileInside, TheCallTellsHowManyRecordsItHad) {
  EventScript script;
  script.enter("MPI_Barrier", 10).collective(CollectiveOp::kBarrier, 19, 0, 0).leave(20);
  script.with(names::kInnerRecords, std::uint64_t{4});
  const Program program = script.compile({Duration{100'000}, Duration{100'000}});
  EXPECT_EQ(program.rank(0).times[0].end, us(20) - Duration{100'000} - Duration{800'000});
}

TEST(CompileInside, PosixCallsLieBetweenTheMessages) {
  InsideScript s;
  const std::uint32_t file = s.script.file_handle("/data/x", archive::IoParadigm::kPosix);
  s.enter("MPI_Barrier", 10, 0);
  s.script.enter("PMPI_Alltoall", 11);
  s.message(EventKind::kMpiIsend, 11, 1);
  s.message(EventKind::kMpiIsendComplete, 12, 1);
  s.script.leave(12);
  s.script.enter("pwrite", 13)
      .io(EventKind::kIoOperationBegin, 13, file, 100, 9)
      .with(names::kAbsoluteOffset, std::uint64_t{64});
  s.script.io(EventKind::kIoOperationComplete, 15, file, 90, 9).leave(15);
  s.script.leave(20);
  const Program program = s.script.compile();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.inner_of(0).size(), 3U);
  const InnerItem& write = rank.inner_of(0)[2];
  EXPECT_EQ(write.kind, InnerKind::kWrite);
  EXPECT_EQ(rank.access_of(write).offset, 64U);
  EXPECT_EQ(rank.access_of(write).bytes, 90U);
  EXPECT_EQ(write.times.begin, us(13));
  EXPECT_EQ(write.times.end, us(15));
}

TEST(CompileInside, WhatFitsToNoCallIsLeftOut) {
  InsideScript s;
  s.message(EventKind::kMpiIsend, 5, 1);  // before any call
  s.enter("MPI_Barrier", 10, 7);          // the program has three calls
  s.message(EventKind::kMpiIsend, 11, 2);
  s.script.leave(20);
  s.enter("MPI_Wait", 40, 2);  // calls go back
  s.message(EventKind::kMpiIsendComplete, 41, 2);
  s.message(EventKind::kMpiIsendComplete, 42, 77);
  s.script.leave(60);
  const Program program = s.script.compile();
  EXPECT_TRUE(program.rank(0).inner.empty());
  EXPECT_EQ(s.script.tally().inside_out_of_order, 3U);
}

TEST(CompileInside, WhatWasCompleteBetweenTwoCallsIsFoundByTheNextOne) {
  InsideScript s;
  s.enter("MPI_Ibcast", 30, 1);
  s.message(EventKind::kMpiIrecvRequest, 31, 1);
  s.script.leave(32);
  s.message(EventKind::kMpiIrecv, 35, 1);
  s.message(EventKind::kMpiIsend, 36, 2);  // by a thread of the library: of no call
  const Program program = s.script.compile();
  const auto items = program.rank(0).inner_of(2);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].kind, InnerKind::kDone);
  EXPECT_EQ(items[0].times.begin, us(40));
  EXPECT_EQ(program.rank(0).inner_messages.size(), 1U);
  EXPECT_EQ(s.script.tally().inside_out_of_order, 1U);
}

TEST(CompileInside, AFailedMessageAndOneOfUnknownSizeAreMarked) {
  InsideScript s;
  s.enter("MPI_Barrier", 10, 0);
  s.message(EventKind::kMpiIsend, 11, 1).with(names::kUnknownBytes, std::uint64_t{1});
  s.message(EventKind::kMpiIrecvRequest, 12, 2);
  s.script.add(EventKind::kMpiRequestCancelled, 13, archive::kUndefined, 0, 0, 2);
  s.script.leave(20);
  const Program program = s.script.compile();
  EXPECT_EQ(program.rank(0).inner_messages[0].flags, kInnerUnknownBytes);
  EXPECT_EQ(program.rank(0).inner_messages[1].flags, kInnerFailed);
}

}  // namespace
}  // namespace plumbline::replay
