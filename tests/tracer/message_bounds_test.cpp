// What messages say of clocks: which ends of messages a spool tells of, and what is made of them.

#include "tracer/record/assemble/message_bounds.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/record/events/message_ends.hpp"

namespace plumbline::record {
namespace {

using test::pair;
using test::Payload;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr std::uint64_t kSendCompleted = PL_COMPLETED | PL_COMPLETED_SEND;

class MessageEndsOf : public testing::Test {
 protected:
  // "send to 1 tag 7 @2000", in the order of the records.
  std::vector<std::string> ends(const SpoolBuilder& builder) {
    const spool::Spool spool(builder.write(directory_.path()));
    const ProcessFacts facts = collect_facts(spool);
    std::vector<std::string> lines;
    MessageEnds ends(facts, [&](const MessageEnd& end) {
      lines.push_back(
          fmt::format("{} {} tag {} @{}", end.is_send ? "send to" : "receive from", end.peer, end.tag, end.ticks));
    });
    for (std::uint32_t thread = 0; thread < spool.threads(); ++thread)
      spool.for_each(thread, [&](const spool::Record& record) { ends.take(record); });
    complete_ = ends.complete();
    return lines;
  }

  plumbline::test::TemporaryDirectory directory_;
  SpoolBuilder spool_{0, 3};
  bool complete_ = false;
};

TEST_F(MessageEndsOf, BlockingCallsAreTheirBeginningsAndEnds) {
  spool_.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  spool_.call("MPI_Recv", PL_LAYOUT_RECV, 4'000, 5'000,
              {pair(PL_ANY_SOURCE, PL_ANY_TAG), 64, pair(PL_COMM_WORLD, 0), pair(2, 8)});
  spool_.call("MPI_Sendrecv", PL_LAYOUT_SENDRECV, 6'000, 7'000,
              {pair(1, 7), 8, pair(PL_COMM_WORLD, 0), pair(2, 9), 8, pair(2, 9)});
  EXPECT_THAT(ends(spool_), ElementsAre("send to 1 tag 7 @2000", "receive from 2 tag 8 @5000", "send to 1 tag 7 @6000",
                                        "receive from 2 tag 9 @7000"));
  EXPECT_TRUE(complete_);
}

TEST_F(MessageEndsOf, NonBlockingReceivesEndWhereTheyAreCompleted) {
  spool_.call("MPI_Irecv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(PL_ANY_SOURCE, 7), 64, pair(PL_COMM_WORLD, 1)});
  spool_.call("MPI_Isend", PL_LAYOUT_SEND, 3'000, 3'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool_.call("MPI_Irecv", PL_LAYOUT_RECV, 3'500, 3'600, {pair(2, 7), 64, pair(PL_COMM_WORLD, 3)});
  spool_.call("MPI_Test", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(0, 0), pair(1, 0), 0, 0});
  spool_.call("MPI_Waitall", PL_LAYOUT_WAIT, 5'000, 6'000,
              {pair(2, 0), pair(2, 0), pair(1, 2), PL_COMPLETED | 16, pair(1, 7), kSendCompleted, pair(-1, -1)});
  spool_.call("MPI_Wait", PL_LAYOUT_WAIT, 7'000, 8'000,
              {pair(1, 0), pair(1, 0), pair(3, 0), PL_COMPLETED | PL_CANCELLED, pair(-1, -1)});
  EXPECT_THAT(ends(spool_), ElementsAre("send to 1 tag 5 @3000", "receive from 1 tag 7 @6000"));
}

TEST_F(MessageEndsOf, PersistentRequestsMeanWhatTheyWereMadeFor) {
  const std::uint16_t send = spool_.function("MPI_Send_init", PL_LAYOUT_NONE),
                      recv = spool_.function("MPI_Recv_init", PL_LAYOUT_NONE);
  spool_.define(PL_DEF_PERSISTENT, {pair(1, PL_LAYOUT_SEND), pair(send, 0), pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  spool_.define(PL_DEF_PERSISTENT, {pair(2, PL_LAYOUT_RECV), pair(recv, 0), pair(2, 7), 32, pair(PL_COMM_WORLD, 0)});
  spool_.call("MPI_Startall", PL_LAYOUT_START, 2'000, 2'100, {pair(2, 0), pair(1, 10), pair(2, 11)});
  spool_.call("MPI_Waitall", PL_LAYOUT_WAIT, 3'000, 4'000,
              {pair(2, 0), pair(2, 0), pair(10, 11), kSendCompleted, pair(-1, -1), PL_COMPLETED | 16, pair(2, 7)});
  EXPECT_THAT(ends(spool_), ElementsAre("send to 1 tag 7 @2000", "receive from 2 tag 7 @4000"));
}

TEST_F(MessageEndsOf, RanksAreThoseOfTheWorld) {
  spool_.define(PL_DEF_COMM, {pair(7, PL_COMM_WORLD), pair(2, 1), pair(0, 0), pair(2, 0)});  // of ranks 2 and 0
  spool_.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(0, 7), 64, pair(7, 0)});
  EXPECT_THAT(ends(spool_), ElementsAre("send to 2 tag 7 @2000"));
}

TEST_F(MessageEndsOf, ASendThatCannotBeDescribedEndsTheCounting) {
  spool_.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(0, 7), 64, pair(99, 0)});
  EXPECT_THAT(ends(spool_), IsEmpty());
  EXPECT_FALSE(complete_);
}

TEST_F(MessageEndsOf, MessagesToNobodyAreNone) {
  spool_.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(PL_PROC_NULL, 7), 64, pair(PL_COMM_WORLD, 0)});
  spool_.call("MPI_Recv", PL_LAYOUT_RECV, 4'000, 5'000,
              {pair(PL_PROC_NULL, 7), 64, pair(PL_COMM_WORLD, 0), pair(PL_PROC_NULL, -1)});
  EXPECT_THAT(ends(spool_), IsEmpty());
  EXPECT_TRUE(complete_);
}

// Two ranks on two nodes whose clocks are taken for the same.
class MessageBounds : public testing::Test {
 protected:
  MessageBounds() { std::strcpy(there_.header.boot_id, "boot-2"); }

  void send(SpoolBuilder& spool, std::uint64_t at, int tag = 7) {
    spool.call("MPI_Send", PL_LAYOUT_SEND, at, at + 10,
               {pair(spool.header.world_rank == 0 ? 1 : 0, tag), 64, pair(PL_COMM_WORLD, 0)});
  }
  void receive(SpoolBuilder& spool, std::uint64_t end, int tag = 7) {
    const int from = spool.header.world_rank == 0 ? 1 : 0;
    spool.call("MPI_Recv", PL_LAYOUT_RECV, end - 10, end,
               {pair(from, tag), 64, pair(PL_COMM_WORLD, 0), pair(from, tag)});
  }

  // "sent-received", in us.
  std::vector<std::string> bounds() {
    std::vector<Recording> recordings(2);
    std::vector<ProcessFacts> facts;
    Clocks clocks;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      recordings[rank].rank = rank;
      recordings[rank].is_own = true;
      recordings[rank].spool = std::make_unique<spool::Spool>((rank == 0 ? here_ : there_).write(directory_.path()));
      facts.push_back(collect_facts(*recordings[rank].spool));
      clocks.add(clock_of(recordings[rank].spool->header()), facts.back().readings);
    }
    clocks.fit();
    std::vector<std::string> lines;
    Alone alone;
    for (const MessageBound& bound : message_bounds(recordings, facts, clocks, alone))
      lines.push_back(fmt::format("{}{}-{}", bound.from.boot_id == "boot-1" ? "" : "back ", bound.sent_ns / 1000,
                                  bound.received_ns / 1000));
    return lines;
  }

  plumbline::test::TemporaryDirectory directory_;
  SpoolBuilder here_{0, 2}, there_{1, 2};
};

TEST_F(MessageBounds, OfManyMessagesThoseThatBoundALineAreKept) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    send(here_, 10'000 + i * 10'000);
    receive(there_, 10'000 + i * 10'000 + (i == 20 ? 1'000 : 5'000));
  }
  EXPECT_THAT(bounds(), ElementsAre("10-15", "210-211", "500-505"));
}

TEST_F(MessageBounds, BothDirectionsAreApart) {
  send(here_, 10'000);
  receive(there_, 15'000);
  send(there_, 20'000);
  receive(here_, 22'000);
  EXPECT_THAT(bounds(), UnorderedElementsAre("10-15", "back 20-22"));
}

// The second of two messages is completed first: the first completion only proves that one was sent.
TEST_F(MessageBounds, CompletionsInAnotherOrderProveNoMoreThanTheirNumber) {
  send(here_, 10'000);
  send(here_, 40'000);
  there_.call("MPI_Irecv", PL_LAYOUT_RECV, 1'000, 1'100, {pair(0, 7), 64, pair(PL_COMM_WORLD, 1)});
  there_.call("MPI_Irecv", PL_LAYOUT_RECV, 1'200, 1'300, {pair(0, 7), 64, pair(PL_COMM_WORLD, 2)});
  there_.call("MPI_Wait", PL_LAYOUT_WAIT, 41'000, 45'000,
              {pair(1, 0), pair(1, 0), pair(2, 0), PL_COMPLETED | 64, pair(0, 7)});
  there_.call("MPI_Wait", PL_LAYOUT_WAIT, 46'000, 50'000,
              {pair(1, 0), pair(1, 0), pair(1, 0), PL_COMPLETED | 64, pair(0, 7)});
  EXPECT_THAT(bounds(), ElementsAre("10-45", "40-50"));
}

TEST_F(MessageBounds, OfKilledProcessesMessagesCountToTheLast) {
  send(here_, 10'000);
  receive(there_, 15'000);
  send(here_, 2'000'000'000);  // long after the latest reading of the clock
  receive(there_, 2'000'002'000);
  EXPECT_THAT(bounds(), ElementsAre("10-15", "2000000-2000002"));
}

TEST_F(MessageBounds, TagsAreCountedApart) {
  send(here_, 10'000, 1);
  send(here_, 40'000, 2);
  receive(there_, 43'000, 2);
  receive(there_, 60'000, 1);
  EXPECT_THAT(bounds(), ElementsAre("40-43", "10-60"));
}

TEST_F(MessageBounds, ProcessesThatLackMessagesSayNothing) {
  send(here_, 40'000);
  receive(there_, 15'000);  // of one that was sent while recording was off
  here_.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 1'000, 1'100, {pair(0, 0)});
  EXPECT_THAT(bounds(), IsEmpty());
  here_ = SpoolBuilder(0, 2);
  send(here_, 40'000);
  EXPECT_THAT(bounds(), SizeIs(1));
  here_.header.lost_records = 1;
  EXPECT_THAT(bounds(), IsEmpty());
}

TEST_F(MessageBounds, RanksOfOneNodeSayNothingOfItsClock) {
  std::strcpy(there_.header.boot_id, "boot-1");
  send(here_, 10'000);
  receive(there_, 15'000);
  EXPECT_THAT(bounds(), IsEmpty());
}

TEST(SpoolPlaces, AThreadIsReadOnFromWhereItWasLeft) {
  plumbline::test::TemporaryDirectory directory;
  SpoolBuilder builder(0, 1);
  for (std::uint64_t i = 1; i <= 10; ++i)
    builder.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, i * 1'000, i * 1'000 + 10, {pair(PL_COMM_WORLD, -1), 0, 0});
  const spool::Spool spool(builder.write(directory.path()));
  spool::Spool::Place place;
  std::vector<std::uint64_t> seen;
  const auto visit = [&](const spool::Record& record) {
    if (record.function < PL_DEFINITIONS) seen.push_back(record.begin / 1'000);
  };
  EXPECT_TRUE(spool.for_each_before(3'000, 0, place, visit));
  EXPECT_THAT(seen, ElementsAre(1, 2));
  EXPECT_TRUE(spool.for_each_before(3'000, 0, place, visit));
  EXPECT_THAT(seen, SizeIs(2)) << "nothing new";
  EXPECT_FALSE(spool.for_each_before(100'000, 0, place, visit));
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_FALSE(spool.for_each_before(100'000, 5, place, visit)) << "no such thread";
}

}  // namespace
}  // namespace plumbline::record
