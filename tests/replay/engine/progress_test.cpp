// Who goes on with a transfer that has begun (hw::Progress). Numbers of support.hpp: 1 µs to send, 2 µs to receive; a
// message of the protocol is there 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs after.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace plumbline::replay::test {
namespace {

Time us_of(std::int64_t n) { return Time{} + microseconds(n); }

hw::Platform progressing(std::uint32_t nodes, hw::Progress progress) {
  hw::Platform p = star(nodes);
  p.between.progress = progress;
  return p;
}

const std::string kComputesMeanwhile =
    "rank 0\n send 1 tag 0 2000B\n"
    "rank 1\n irecv 0 tag 0 2000B -> a\n compute 50us\n local MPI_Test +1us\n compute 50us\n wait a\n";

TEST(Progress, AThreadAnswersWhileTheRankComputesAndTakesThatTimeFromIt) {
  const Program p = program_of(one_rank_per_node(2, kComputesMeanwhile));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kThread));
  // The request is there at 6; the thread answers until 9, there at 14; rank 0 sends until 17, there at 17 + 15.
  EXPECT_EQ(r.times[0][0].end, us_of(32));
  EXPECT_EQ(r.times[1][1].begin, us_of(53));  // 50 + 2 + 1
  EXPECT_EQ(r.times[1][2].begin, us_of(104));
  EXPECT_EQ(r.times[1][2].end, us_of(106));
}

// On one core. Rank 1 sends until 2 and then computes for 50; its thread answers the request, which is there at 1,
// for 3.
TEST(Progress, AThreadTakesItsTimeFromARankThatSharesItsCoreToo) {
  const Program p = program_of(
      "ranks 2\nnode n0 ranks 0-1 cores 1\nrank 0\n send 1 tag 0 2000B\n"
      " recv 1 tag 1 8B\n recv 1 tag 1 8B\n"
      "rank 1\n irecv 0 tag 0 2000B -> a\n isend 0 tag 1 8B -> b\n isend 0 tag 1 8B -> c\n compute 50us\n wait a b "
      "c\n");
  hw::Platform platform = star(1);
  platform.inside.progress = hw::Progress::kThread;
  EXPECT_EQ(run(p, platform).times[1].back().begin, us_of(55));
}

TEST(Progress, WhereComputeTimeIsObservedAThreadTakesNothingFromIt) {
  const Program p = program_of(one_rank_per_node(2, kComputesMeanwhile));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kThread), Mode::kAnchored);
  EXPECT_EQ(r.times[0][0].end, us_of(32));
  EXPECT_EQ(r.times[1][1].begin, us_of(50));
}

// Expected to be over at 2, the call of rank 1 was observed until 20, and the request comes at 6. As for a thread
// above.
TEST(Progress, ARankIsInMpiUntilItsCallWasObservedToEnd) {
  const auto end_where = [](const std::string& observed) {
    const Program p = program_of(one_rank_per_node(2,
                                                   "rank 0\n send 1 tag 0 2000B\n recv 1 tag 1 8B\n"
                                                   "rank 1\n irecv 0 tag 0 2000B -> a\n send 0 tag 1 8B +" +
                                                       observed + "\n @100us wait a\n"));
    return run(p, progressing(2, hw::Progress::kInCalls), Mode::kAnchored).times[0][0].end;
  };
  EXPECT_EQ(end_where("20us"), us_of(32));
  EXPECT_GT(end_where("5us"), us_of(100)) << "it had left when the request came";
}

// Rank 1 spends its time on three messages from 20 to 26 and answers the request of 23 then, until 29. Rank 0 has the
// answer at 34 and sends until 37.
TEST(Progress, ARequestThatComesWhileACallIsAtWorkIsAnsweredBehindItWhereTheCallWasObservedToLast) {
  const Program p = program_of(
      one_rank_per_node(2,
                        "rank 0\n isend 1 tag 1 8B -> b\n isend 1 tag 1 8B -> c\n isend 1 tag 1 8B -> d\n wait b c d\n"
                        " @17us send 1 tag 0 2000B\n"
                        "rank 1\n irecv 0 tag 0 2000B -> a\n irecv 0 tag 1 8B -> b\n irecv 0 tag 1 8B -> c\n"
                        " irecv 0 tag 1 8B -> d\n @20us wait b c d +20us\n @100us wait a\n"));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kInCalls), Mode::kAnchored);
  EXPECT_EQ(r.times[1][4].end, us_of(26));
  EXPECT_EQ(r.times[0][4].end, us_of(52));
}

// The first of two rounds is there at 6; both are over before the call that begins the barrier was observed to be.
TEST(Progress, NonBlockingCollectivesGoOnUntilACallWasObservedToEnd) {
  const auto wait_where = [](const std::string& observed) {
    std::string body;
    for (int rank = 0; rank < 4; ++rank)
      body += fmt::format("rank {}\n ibarrier -> a +{}\n @100us wait a\n", rank, observed);
    return duration(run(program_of(one_rank_per_node(4, body)), progressing(4, hw::Progress::kInCalls), Mode::kAnchored)
                        .times[0][1]);
  };
  EXPECT_EQ(wait_where("50us"), Duration{});
  EXPECT_GT(wait_where("5us"), Duration{});
}

TEST(Progress, AThreadOfTheSenderSendsTheData) {
  const Program p = program_of(
      one_rank_per_node(2, "rank 0\n isend 1 tag 0 2000B -> a\n compute 50us\n wait a\nrank 1\n recv 0 tag 0 2000B\n"));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kThread));
  EXPECT_EQ(r.times[1][0].end, us_of(34));    // 6 + 3 + 5 + 3 + 15 + 2
  EXPECT_EQ(r.times[0][1].begin, us_of(54));  // 1 + 50, and 3 of the thread
  EXPECT_EQ(r.times[0][1].end, us_of(54));
}

TEST(Progress, WhatAThreadDoesDuringAPosixCallCostsNothing) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n send 1 tag 0 2000B\n"
                                                 "rank 1\n irecv 0 tag 0 2000B -> a\n pwrite 0..1000 file /data/x\n"
                                                 " compute 50us\n wait a\n"));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kThread));
  EXPECT_EQ(r.times[0][0].end, us_of(32));
  EXPECT_EQ(r.times[1][2].begin, us_of(11 + 50));
}

TEST(Progress, AThreadAdvancesNonBlockingCollectives) {
  std::string body;
  for (int rank = 0; rank < 4; ++rank) body += fmt::format("rank {}\n ibarrier -> a\n compute 100us\n wait a\n", rank);
  const ReplayResult r = run(program_of(one_rank_per_node(4, body)), progressing(4, hw::Progress::kThread));
  // First round: there at 6, received until 8; second round: sent until 9, there at 14, received until 16: 5 of the
  // CPU.
  EXPECT_EQ(r.times[0][1].begin, us_of(1 + 100 + 5));
  EXPECT_EQ(duration(r.times[0][1]), Duration{});
}

TEST(Progress, HardwareAnswersAtOnceAndTakesNothing) {
  const Program p = program_of(one_rank_per_node(2, kComputesMeanwhile));
  const ReplayResult r = run(p, progressing(2, hw::Progress::kHardware));
  // The request is there at 6, the answer at 6 + 5, the data at 11 + 15.
  EXPECT_EQ(r.times[0][0].end, us_of(26));
  EXPECT_EQ(r.times[1][1].begin, us_of(50));
  EXPECT_EQ(r.times[1][1].end, us_of(51));
  EXPECT_EQ(r.times[1][2].end, us_of(103));
}

TEST(Progress, HardwareAnswersWhenTheReceiveIsPosted) {
  const Program p =
      program_of(one_rank_per_node(2, "rank 0\n send 1 tag 0 2000B\nrank 1\n @100us recv 0 tag 0 2000B\n"));
  EXPECT_EQ(run(p, progressing(2, hw::Progress::kHardware)).times[1][0].end, us_of(100 + 5 + 15 + 2));
}

TEST(Progress, IsOfTheTransportThatAMessageTakes) {
  hw::Platform p = star(2);
  p.between.progress = hw::Progress::kInCalls;
  p.pairs.push_back({0, 0, 1, 1, p.between});
  p.pairs.back().transport.progress = hw::Progress::kHardware;
  const Program program = program_of(one_rank_per_node(2, kComputesMeanwhile));
  EXPECT_EQ(run(program, p).times[0][0].end, us_of(26));
}

}  // namespace
}  // namespace plumbline::replay::test
