// What one rank, one message, one collective does; numbers of support.hpp: 1 µs to send, 2 µs to receive, an empty
// message between nodes takes 3 + 2 µs, one of 1000 bytes 3 + 7 µs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Time us(std::int64_t n) { return Time{} + microseconds(n); }

TEST(Engine, ProcNullCostsNothing) {
  const Program p = program_of(one_rank_per_node(1,
                                                 "rank 0\n send none tag 0 8B\n recv none tag 0 8B\n"
                                                 " isend none tag 0 8B -> a\n wait a\n"
                                                 " sendrecv to none tag 0 8B from none tag 0 8B\n"
                                                 " probe none tag 0 0B\n"));
  const ReplayResult r = run(p, star(1));
  for (const OperationTimes& t : r.times[0]) EXPECT_EQ(t.end, us(0));
}

TEST(Engine, AMessageToOneselfArrives) {
  const Program p =
      program_of(one_rank_per_node(1, "rank 0\n irecv 0 tag 0 1000B -> a\n isend 0 tag 0 1000B -> b\n wait a b\n"));
  // Sent at 1, 1 µs through the memory, 2 µs to receive.
  EXPECT_EQ(run(p, star(1)).times[0][2].end, us(4));
}

TEST(Engine, ASynchronousSendWaitsForItsReceiverHoweverSmallItIs) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 0B synchronous\n"
                                                 "rank 1\n @100us recv 0 tag 0 0B\n"));
  // Clear to send leaves at 103, is there at 108; data leaves at 111, is there at 116.
  EXPECT_EQ(run(p, star(2)).times[0][0].end, us(116));
}

// 5000 bytes are sent by rendezvous; rank 0 goes on at once, and again after the receiver has come.
TEST(Engine, ABufferedSendIsOverForItsSenderHoweverLargeItIs) {
  const Program p =
      program_of(one_rank_per_node(2,
                                   "rank 0\n send 1 tag 0 5000B buffered\n isend 1 tag 1 5000B buffered -> a\n"
                                   " wait a\n sendrecv to 1 tag 2 0B from 1 tag 3 0B\n"
                                   "rank 1\n @100us sendrecv to 0 tag 3 0B from 0 tag 2 0B\n"
                                   " recv 0 tag 0 5000B\n recv 0 tag 1 5000B\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_LT(r.times[0][2].end, us(5));  // two requests to send
  EXPECT_GT(r.times[0][3].end, us(100));
  EXPECT_EQ(r.unreceived, 0);
}

TEST(Engine, AProbeEndsWhenTheMessageIsThereAndDoesNotTakeIt) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n @10us send 1 tag 3 0B\n"
                                                 "rank 1\n probe 0 tag 3 0B\n recv 0 tag 3 0B\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(r.times[1][0].end, us(16));  // 10 + 1 + 5
  EXPECT_EQ(r.times[1][1].end, us(18));
}

TEST(Engine, AProbeSeesARendezvousAtItsRequest) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 3 5000B\n"
                                                 "rank 1\n probe 0 tag 3 5000B\n recv 0 tag 3 5000B\n"));
  EXPECT_EQ(run(p, star(2)).times[1][0].end, us(6));  // 1 + 5: without the payload
}

// Both messages of 1000 B, 1 µs in each component, are in the switch at 7 µs; one of them waits for it, and again for
// nobody.
TEST(Engine, WhatComponentsDidIsKeptWhenItIsAskedFor) {
  const Program p = program_of(one_rank_per_node(3,
                                                 "rank 0\n recv 1 tag 0 1000B\n recv 2 tag 0 1000B\n"
                                                 "rank 1\n send 0 tag 0 1000B\nrank 2\n send 0 tag 0 1000B\n"));
  ReplayOptions options{.mode = Mode::kFree};
  const ReplayResult without = replay::replay(p, star(3), options);
  EXPECT_FALSE(without.use.history);
  options.record_use = true;
  const ReplayResult with = replay::replay(p, star(3), options);
  EXPECT_EQ(with.times[0][1].end, without.times[0][1].end);

  std::map<std::string, hw::ComponentUse> found;
  for (const hw::BusyComponent& busy : hw::busiest(with.use, 100)) found[busy.name] = busy.use;
  const hw::ComponentUse one{microseconds(1), Bytes{1000}, 0}, two{microseconds(2), Bytes{2000}, 0},
      with_queue{microseconds(2), Bytes{2000}, 1};
  EXPECT_EQ(found, (std::map<std::string, hw::ComponentUse>{{"n1 interface", one},
                                                            {"n2 interface", one},
                                                            {"c1 >", one},
                                                            {"c2 >", one},
                                                            {"s", with_queue},
                                                            {"c0 <", two},
                                                            {"n0 interface", two}}));
}

// Six messages of 4 µs each, one sent each microsecond: when the sixth comes to the interface, it is the fourth to wait
// behind the second. One that waited before that began its service waits once, whoever else comes.
TEST(Engine, APacketThatWaitsIsCountedOnce) {
  std::string sends = "rank 0\n", receives = "rank 1\n";
  for (int i = 0; i < 6; ++i) sends += " send 1 tag 0 900B\n", receives += " recv 0 tag 0 900B\n";
  hw::Platform platform = star(2);
  for (hw::Node& node : platform.nodes) node.interface_rate.value = {225'000'000};
  ReplayOptions options{.mode = Mode::kFree, .record_use = true};
  for (const bool express : {true, false}) {
    options.express = express;
    const ReplayResult r = replay::replay(program_of(one_rank_per_node(2, sends + receives)), platform, options);
    const std::vector<hw::BusyComponent> busy = hw::busiest(r.use, 100);
    const auto interface = std::ranges::find(busy, "n0 interface", &hw::BusyComponent::name);
    ASSERT_NE(interface, busy.end());
    EXPECT_EQ(interface->use.waiting, 4U) << express;
  }
}

TEST(Engine, ReceivesOfOneChannelTakeItsMessagesInOrder) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 1000B\n send 1 tag 0 0B\n"
                                                 "rank 1\n irecv 0 tag 0 1000B -> a\n irecv 0 tag 0 0B -> b\n"
                                                 " wait b\n wait a\n"));
  const ReplayResult r = run(p, star(2));
  // The empty one leaves at 2 µs, behind the first one in every component: there at 2 + 3 + 7 − 1 µs at the earliest.
  EXPECT_GE(r.times[1][2].end, us(11));
  EXPECT_EQ(r.unreceived, 0);
}

TEST(Engine, APassiveWaitForNothingTakesNoTime) {
  const Program p = program_of(one_rank_per_node(1, "rank 0\n wait\n"));
  EXPECT_EQ(duration(run(p, star(1)).times[0][0]), Duration{});
}

TEST(Engine, AWaitForOneRequestDoesNotWaitForTheOther) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 0B\n compute 100us\n send 1 tag 1 0B\n"
                                                 "rank 1\n irecv 0 tag 0 0B -> a\n irecv 0 tag 1 0B -> b\n"
                                                 " wait a\n wait b\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(r.times[1][2].end, us(8));
  EXPECT_EQ(r.times[1][3].end, us(109));
}

TEST(Engine, ARankAnswersARendezvousOnlyInsideMpi) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 2000B\n"
                                                 "rank 1\n irecv 0 tag 0 2000B -> a\n compute 50us\n"
                                                 " local MPI_Test +1us\n compute 50us\n wait a\n"));
  const ReplayResult r = run(p, star(2));
  // The test at 50 µs answers: leaves at 53, there at 58; data leaves at 61, there at 61 + 3 + 12 = 76 µs.
  EXPECT_EQ(r.times[0][0].end, us(76));
  EXPECT_EQ(r.times[1][1].begin, us(50));
  EXPECT_EQ(r.times[1][1].end, us(53));  // the answer took longer than the test was observed to
  EXPECT_EQ(r.times[1][2].begin, us(103));
  EXPECT_EQ(r.times[1][2].end, us(105));
}

TEST(Engine, APosixCallIsOutsideMpi) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 2000B\n"
                                                 "rank 1\n irecv 0 tag 0 2000B -> a\n compute 50us\n"
                                                 " pwrite 0..1000 file /data/x\n compute 50us\n wait a\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(r.times[1][1].end, us(61));
  EXPECT_EQ(r.times[1][2].begin, us(111));
  EXPECT_EQ(r.times[0][0].end, us(111 + 3 + 5 + 3 + 15));
}

TEST(Engine, ANonBlockingCollectiveAdvancesInsideMpi) {
  std::string body;
  for (int rank = 0; rank < 4; ++rank) body += fmt::format("rank {}\n ibarrier -> a\n compute 100us\n wait a\n", rank);
  const ReplayResult r = run(program_of(one_rank_per_node(4, body)), star(4));
  // Its first round is over while all compute; the second one, 1 + 5 + 2 µs, begins in the wait, at 101 + 2.
  EXPECT_EQ(r.times[0][1].begin, us(101));
  EXPECT_EQ(r.times[0][1].end, us(101 + 2 + 8));
}

TEST(Engine, ANonBlockingCollectiveAdvancesWhileTheRankWaitsForSomethingElse) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n ibarrier -> a\n recv 1 tag 0 0B\n wait a\n"
                                                 "rank 1\n ibarrier -> a\n compute 50us\n send 0 tag 0 0B\n wait a\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(duration(r.times[0][2]), Duration{});
}

ReplayResult as_configured(const std::string& library, std::uint32_t ranks, const std::string& body) {
  ReplayOptions options;
  options.mode = Mode::kFree;
  options.form = Form::kAsConfigured;
  return replay(program_of(one_rank_per_node(ranks, "property library = \"" + library + "\"\n" + body)), star(ranks),
                options);
}

// Both libraries post the first round in the call that starts it, and go on when they look for progress. The root of
// MPICH's tree sends to rank 2 in the call; to rank 1, a round of its own, in the wait at 101.
TEST(Engine, ANonBlockingCollectiveGoesBeyondItsFirstRoundInALaterCallOnly) {
  const ReplayResult r = as_configured("MPICH", 4,
                                       "rank 0\n iscatter root 0 32B received 8B -> a\n compute 100us\n wait a\n"
                                       "rank 1\n iscatter root 0 0B received 8B -> a\n wait a\n"
                                       "rank 2\n iscatter root 0 0B received 8B -> a\n wait a\n"
                                       "rank 3\n iscatter root 0 0B received 8B -> a\n wait a\n");
  EXPECT_EQ(r.times[0][0].end, us(1));
  EXPECT_EQ(r.times[0][1].end, us(102));
  EXPECT_GE(r.times[1][1].end, us(102 + 5 + 2));
  EXPECT_LE(r.times[1][1].end, us(102 + 6 + 2));  // 8 B take a little
  EXPECT_LE(r.times[3][1].end, us(20));
}

// libnbc's reduction of 3 ranks begins with a copy, so that nothing is sent before the wait.
TEST(Engine, AnEmptyFirstRoundLeavesEverythingToALaterCall) {
  std::string body;
  for (int rank = 0; rank < 3; ++rank)
    body += fmt::format("rank {}\n ireduce root 0 80B -> a\n compute 100us\n wait a\n", rank);
  const ReplayResult r = as_configured("Open MPI", 3, body);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(duration(r.times[rank][0]), Duration{});
    EXPECT_EQ(r.times[rank][1].begin, us(100));
  }
  EXPECT_GT(duration(r.times[0][1]), microseconds(8)) << "a message and more";
}

TEST(Engine, TwoNonBlockingCollectivesDoNotMeet) {
  const Program p =
      program_of(one_rank_per_node(3,
                                   "rank 0\n iallreduce 8B -> a\n ibcast root 0 500B -> b\n wait b\n wait a\n"
                                   "rank 1\n iallreduce 8B -> a\n ibcast root 0 500B -> b\n wait a\n wait b\n"
                                   "rank 2\n iallreduce 8B -> a\n ibcast root 0 500B -> b\n wait a b\n"));
  EXPECT_EQ(run(p, star(3)).unreceived, 0);
}

TEST(Engine, PeersOfAnIntercommunicatorAreOfTheOtherGroupOnBothSides) {
  const Program p = program_of(one_rank_per_node(3,
                                                 "comm 1 = 0 1 | 2\n"
                                                 "rank 0\n send 0 tag 0 0B comm 1\n"
                                                 "rank 1\n recv 0 tag 7 0B comm 1\n"
                                                 "rank 2\n recv 0 tag 0 0B comm 1\n send 1 tag 7 0B comm 1\n"));
  const ReplayResult r = run(p, star(3));
  EXPECT_EQ(r.unreceived, 0);
  EXPECT_EQ(r.times[2][0].end, us(8));   // sent at 1, there at 6, 2 to receive
  EXPECT_EQ(r.times[1][0].end, us(16));  // and as long again
}

TEST(Engine, ACollectiveBetweenGroupsKeepsItsDuration) {
  const Program p = program_of(one_rank_per_node(3,
                                                 "comm 1 = 0 1 | 2\n"
                                                 "rank 1\n bcast root 0 8B comm 1 +5us\n"
                                                 "rank 2\n alltoall 16B sent-counts 8,8 comm 1 +6us\n"));
  const ReplayResult r = run(p, star(3));
  EXPECT_EQ(duration(r.times[1][0]), microseconds(5));
  EXPECT_EQ(duration(r.times[2][0]), microseconds(6));
  EXPECT_EQ(not_judged(p, star(3)).front().operations, 2);
}

// Another thread of rank 0 has sent the second message, and taken part in the second barrier; rank 2 died.
TEST(Engine, WhatNobodyAnswersInTheRecordingIsLeftOutAndKeepsItsDuration) {
  const Program p =
      program_of(one_rank_per_node(3,
                                   "property remarks = \"incomplete: rank 2: killed\"\n"
                                   "comm 1 = 0 1\n"
                                   "rank 0\n send 1 tag 0 0B\n barrier comm 1\n send 2 tag 5 5000B +7us\n"
                                   "rank 1\n recv 0 tag 0 0B\n probe 0 tag 0 0B +3us\n recv 0 tag 0 0B +4us\n"
                                   " barrier comm 1\n barrier comm 1 +6us\n"
                                   " sendrecv to 0 tag 9 0B from 2 tag 9 0B +5us\n"
                                   "rank 2\n ibarrier -> a +2us\n irecv 1 tag 8 0B -> b\n wait a b\n"));
  const ReplayResult r = run(p, star(3));
  ASSERT_TRUE(r.unanswered);
  const auto parts = [&](std::uint32_t rank) {
    std::vector<int> all;
    for (std::uint32_t i = 0; i < p.rank(rank).operations.size(); ++i) all.push_back(r.unanswered->of(rank, i));
    return all;
  };
  EXPECT_THAT(parts(0), ElementsAre(0, 0, UnmatchedOperations::kSends));
  EXPECT_THAT(parts(1),
              ElementsAre(0, UnmatchedOperations::kReceives, UnmatchedOperations::kReceives, 0,
                          UnmatchedOperations::kGathers, UnmatchedOperations::kSends | UnmatchedOperations::kReceives));
  EXPECT_THAT(parts(2), ElementsAre(UnmatchedOperations::kGathers, UnmatchedOperations::kReceives, 0));
  EXPECT_EQ(r.times[1][0].end, us(8));
  EXPECT_EQ(duration(r.times[0][2]), microseconds(7));
  EXPECT_EQ(duration(r.times[1][1]), microseconds(3));
  EXPECT_EQ(duration(r.times[1][2]), microseconds(4));
  EXPECT_EQ(duration(r.times[1][4]), microseconds(6));
}

TEST(Engine, ARecordingInWhichEverythingIsAnsweredLeavesNothingOut) {
  const Program p = program_of(one_rank_per_node(2, "rank 0\n send 1 tag 0 0B\nrank 1\n recv 0 tag 0 0B\n"));
  EXPECT_FALSE(run(p, star(2)).unanswered);
}

TEST(Engine, WhatIsNotJudgedKeepsItsDurationAndSynchronises) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n comm_create MPI_Comm_dup +50us\n"
                                                 "rank 1\n @100us comm_create MPI_Comm_dup +1us\n"
                                                 " unmodelled MPI_Win_fence +7us\n"));
  const ReplayResult r = run(p, star(2));
  EXPECT_EQ(r.times[0][0].end, us(108));  // when rank 1 has come: 100 + 1 + 5 + 2
  EXPECT_EQ(r.times[1][0].end, us(103));
  EXPECT_EQ(duration(r.times[1][1]), microseconds(7));
  EXPECT_EQ(not_judged(p, star(2)).size(), 2);
}

TEST(Engine, ComputeIsScaledAndTimeOffTheCpuIsLeftOut) {
  const Program p = program_of(
      "ranks 1\nrank 0\n local MPI_Init +1us\n"
      " @101us local MPI_Comm_rank +1us off-cpu 40us\n");
  ReplayOptions options{.mode = Mode::kFree, .form = Form::kIdeal, .cache = hw::CacheCase::kCached, .compute = 1.0};
  EXPECT_EQ(replay::replay(p, star(1), options).times[0][1].begin, us(61));
  options.compute = 0.5;
  EXPECT_EQ(replay::replay(p, star(1), options).times[0][1].begin, us(31));
  options.compute = 0;
  EXPECT_EQ(replay::replay(p, star(1), options).times[0][1].begin, us(1));
  options.mode = Mode::kAnchored;
  EXPECT_EQ(replay::replay(p, star(1), options).times[0][1].begin, us(101));
}

TEST(Engine, LateStartsAreCounted) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 1000B\n"
                                                 "rank 1\n recv 0 tag 0 1000B +5us\n @6us local MPI_Comm_rank\n"));
  const ReplayResult r = run(p, star(2), Mode::kAnchored);
  EXPECT_EQ(r.late_starts, 1);
  EXPECT_EQ(r.lateness, microseconds(13 - 6));
}

TEST(Engine, AMessageThatNobodyReceivesIsARemark) {
  const Program p = program_of(one_rank_per_node(2, "rank 0\n send 1 tag 0 8B\nrank 1\n local MPI_Finalize\n"));
  EXPECT_EQ(run(p, star(2)).unreceived, 1);
}

TEST(Engine, ARankThatIsOnNoNodeIsAnErrorWithTheLineToAdd) {
  const Program p = program_of("ranks 3\nnode elsewhere ranks 0-2 cores 1\nrank 0\n local MPI_Init\n");
  try {
    run(p, star(2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("ranks 0-2 ran on 'elsewhere'"));
    EXPECT_THAT(error.what(), HasSubstr("<place ranks=\"0-2\" node=\"n0\"/>"));
  }
}

TEST(Engine, ARecvWithoutASendSaysSo) {
  const Program p = program_of(one_rank_per_node(2, "rank 0\n recv 1 tag 4 8B\nrank 1\n local MPI_Init\n"));
  EXPECT_THAT(stuck_text(p, star(2)),
              HasSubstr("a message from rank 1 (tag 4, communicator 0), which rank 1 never sends"));
}

// Each rank waits for a rendezvous that the other one would receive later: nothing is missing there.
TEST(Engine, WhereALimitLeftSomethingOutAStuckReplayNamesIt) {
  const Program p = program_of(one_rank_per_node(
      2,
      "property remarks = \"incomplete: rank 0: killed\\nincomplete: rank 0: 7 older calls gave way to newer ones "
      "(--keep last)\"\n"
      "rank 0\n recv 1 tag 4 8B\n send 1 tag 5 8B\nrank 1\n recv 0 tag 5 8B\n send 0 tag 4 8B\n recv 0 tag 9 8B\n"));
  try {
    run(p, star(2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().hint,
              "a replay needs the whole run, but rank 0: 7 older calls gave way to newer ones (--keep last)");
  }
}

TEST(Engine, ManyStuckRanksAreListedInShort) {
  std::string body;
  for (int rank = 0; rank < 50; ++rank) body += fmt::format("rank {}\n recv {} tag 0 8B\n", rank, (rank + 1) % 50);
  EXPECT_THAT(stuck_text(program_of("ranks 50\n" + body), star(1)), HasSubstr("… and 30 more"));
}

TEST(Engine, ARankThatDoesNotComeToACollectiveWriteIsNamed) {
  const Program p = program_of(one_rank_per_node(2, "rank 0\n write_at_all 0..10 file /data/x\nrank 1\n"));
  EXPECT_THAT(stuck_text(p, star(2)), HasSubstr("rank 1 in the same file access"));
}

TEST(Engine, AProgramThatEndsGivesNoError) {
  EXPECT_THAT(stuck_text(program_of("ranks 1\nrank 0\n local MPI_Init\n"), star(1)), IsEmpty());
}

}  // namespace
}  // namespace plumbline::replay::test
