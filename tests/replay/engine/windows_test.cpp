// One-sided communication. Numbers of support.hpp: 1 µs to send, 2 µs to receive; a message of the protocol is there
// 5 µs after it has been sent, one of n thousand bytes 5 + 5 n µs after. A barrier of two takes 8 µs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using testing::HasSubstr;

Time us_after(std::int64_t n) { return Time{} + microseconds(n); }

std::string on_window(std::uint32_t ranks, const std::string& library, const std::string& kind,
                      const std::string& body) {
  return one_rank_per_node(ranks,
                           fmt::format("property library = \"{}\"\nwindow 0 = comm 0 {}\n", library, kind) + body);
}

std::string on_one_node(std::uint32_t ranks, const std::string& library, const std::string& kind,
                        const std::string& body) {
  return fmt::format("ranks {}\nnode n0 ranks 0-{} cores 8\nproperty library = \"{}\"\nwindow 0 = comm 0 {}\n", ranks,
                     ranks - 1, library, kind) +
         body;
}

constexpr char kMpich[] = "MPICH 4.0.2", kOpenMpi[] = "Open MPI v4.1.4";

#define EXPECT_SPAN(result, rank, operation, from, to)              \
  EXPECT_EQ((result).times[rank][operation].begin, us_after(from)); \
  EXPECT_EQ((result).times[rank][operation].end, us_after(to))

TEST(OneSidedModel, AFenceWaitsForTheAnswerToAPutThenForAll) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n put 0 1 1000B\n win_fence 0\n"
                                                  "rank 1\n win_fence 0\n")),
                             star(2));
  EXPECT_SPAN(r, 0, 0, 0, 1);
  // The put is there at 11, taken until 13, answered until 14; the answer is there at 19, taken until 21. Rank 0 sends
  // its part of the barrier until 22 and takes that of rank 1, long there, until 24.
  EXPECT_SPAN(r, 0, 1, 1, 24);
  EXPECT_SPAN(r, 1, 0, 0, 29);  // 22 + 5 + 2
}

TEST(OneSidedModel, AStartWaitsForThePostAndTheEpochForItsComplete) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n win_start 0 group 1\n put 0 1 1000B\n win_complete 0\n"
                                                  "rank 1\n win_post 0 group 0\n win_wait 0\n")),
                             star(2));
  EXPECT_SPAN(r, 1, 0, 0, 1);
  EXPECT_SPAN(r, 0, 0, 0, 8);   // the post is there at 6
  EXPECT_SPAN(r, 0, 1, 8, 9);   // there at 19, taken until 21, answered until 22, the answer there at 27
  EXPECT_SPAN(r, 0, 2, 9, 30);  // taken until 29, complete sent until 30
  EXPECT_SPAN(r, 1, 1, 1, 37);  // there at 35
}

const std::string kContention =
    "rank 0\n recv 2 tag 9 0B\n"
    "rank 1\n win_lock 0 0 exclusive\n put 0 0 1000B\n win_unlock 0 0\n"
    "rank 2\n compute 2us\n win_lock 0 0 exclusive\n put 0 0 1000B\n win_unlock 0 0\n send 0 tag 9 0B\n";

TEST(OneSidedModel, LocksAreGrantedInTheOrderOfArrival) {
  const ReplayResult r = run(program_of(on_window(3, kMpich, "create", kContention)), star(3));
  // Rank 1 asks: there at 6, taken until 8, granted until 9, there at 14.
  EXPECT_SPAN(r, 1, 0, 0, 16);
  // Its put is there at 27, answered until 30; the answer is taken until 37; the unlock is sent until 38, there at 43,
  // taken until 45, answered until 46; and rank 2 granted until 47.
  EXPECT_SPAN(r, 1, 2, 17, 53);
  EXPECT_SPAN(r, 2, 0, 2, 54);
  EXPECT_SPAN(r, 2, 2, 55, 91);
}

TEST(OneSidedModel, SharedLocksDoNotExcludeEachOther) {
  std::string shared = kContention;
  for (std::size_t at; (at = shared.find(" exclusive")) != std::string::npos;) shared.erase(at, 10);
  const ReplayResult r = run(program_of(on_window(3, kMpich, "create", shared)), star(3));
  // Rank 2 asks until 3, there at 8; rank 0 is free at 9, takes it until 11, grants until 12, there at 17.
  EXPECT_SPAN(r, 2, 0, 2, 19);
}

const std::string kTargetComputes =
    "rank 0\n get 0 1 2000B\n win_flush 0 1\n"
    "rank 1\n local MPI_Comm_rank\n compute 100us\n local MPI_Comm_rank\n";

TEST(OneSidedModel, AGetWaitsForATargetThatComputesIfItTakesItsCpu) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create", kTargetComputes)), star(2));
  // Rank 1 looks at 100, takes the request until 102, sends until 103; there at 118.
  EXPECT_SPAN(r, 0, 1, 1, 120);
}

TEST(OneSidedModel, AThreadAnswersAGetWhileTheTargetComputes) {
  hw::Platform platform = star(2);
  platform.between.progress = hw::Progress::kThread;
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create", kTargetComputes)), platform);
  EXPECT_SPAN(r, 0, 1, 1, 26);  // there at 6, answered until 9, there at 24
  EXPECT_EQ(r.times[1][1].begin, us_after(103));
}

TEST(OneSidedModel, HardwareServesAGetWithoutTheTarget) {
  hw::Platform platform = star(2);
  platform.between.progress = hw::Progress::kHardware;
  for (const char* library : {kMpich, kOpenMpi}) {
    const ReplayResult r = run(program_of(on_window(2, library, "create", kTargetComputes)), platform);
    EXPECT_SPAN(r, 0, 1, 1, 21);  // the request is there at 6, the data 15 later
    EXPECT_EQ(r.times[1][1].begin, us_after(100)) << library;
  }
}

TEST(OneSidedModel, InDynamicWindowsMpichNeedsTheTargetWhateverTheInterface) {
  hw::Platform platform = star(2);
  platform.between.progress = hw::Progress::kHardware;
  const ReplayResult r = run(program_of(on_window(2, kMpich, "dynamic", kTargetComputes)), platform);
  EXPECT_SPAN(r, 0, 1, 1, 120);
}

TEST(OneSidedModel, AccumulatesTakeTheCpuOfTheTargetAndOnePassOverTheData) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n accumulate 0 1 1000B\n win_flush 0 1\n send 1 tag 1 0B\n"
                                                  "rank 1\n recv 0 tag 1 0B\n")),
                             star(2));
  EXPECT_SPAN(r, 0, 1, 1, 22);  // there at 11, taken until 13, combined until 14, answered until 15, there at 20
}

TEST(OneSidedModel, LargeTransfersAskFirst) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n put 0 1 2000B\n win_flush 0 1\n send 1 tag 1 0B\n"
                                                  "rank 1\n recv 0 tag 1 0B\n")),
                             star(2));
  // The request is there at 6, answered until 9, there at 14; the data is sent until 17, there at 32, taken until 34,
  // answered until 35, there at 40.
  EXPECT_SPAN(r, 0, 0, 0, 1);
  EXPECT_SPAN(r, 0, 1, 1, 42);
}

TEST(OneSidedModel, Pt2ptHoldsPutsBackUntilThePost) {
  const ReplayResult r = run(program_of(on_window(2, kOpenMpi, "create",
                                                  "rank 0\n win_start 0 group 1\n put 0 1 1000B\n win_complete 0\n"
                                                  "rank 1\n compute 100us\n win_post 0 group 0\n win_wait 0\n")),
                             star(2));
  EXPECT_SPAN(r, 0, 0, 0, 0);
  EXPECT_SPAN(r, 0, 1, 0, 0);
  // The post is there at 106, taken until 108; the put is sent until 109, the complete until 110.
  EXPECT_SPAN(r, 0, 2, 0, 110);
  // The put is there at 119 and the complete behind it: taken until 121 and 123.
  EXPECT_SPAN(r, 1, 1, 101, 123);
}

TEST(OneSidedModel, Pt2ptCompletesWhenTheTransfersItTellsOfHaveCome) {
  const ReplayResult r = run(program_of(on_window(2, kOpenMpi, "create",
                                                  "rank 0\n win_start 0 group 1\n put 0 1 2000B\n win_complete 0\n"
                                                  "rank 1\n compute 100us\n win_post 0 group 0\n win_wait 0\n")),
                             star(2));
  // Rank 0 asks until 109, completes until 110; rank 1 takes the request at 114, answers until 117, takes the complete
  // until 119. The answer is there at 122, the data sent until 125, there at 140.
  EXPECT_SPAN(r, 0, 2, 0, 140);
  EXPECT_SPAN(r, 1, 1, 101, 142);
}

TEST(OneSidedModel, Pt2ptAsksForALockAndGoesOn) {
  const ReplayResult r = run(program_of(on_window(3, kOpenMpi, "create", kContention)), star(3));
  EXPECT_SPAN(r, 1, 0, 0, 1);
  EXPECT_SPAN(r, 1, 1, 1, 1);
  // Granted at 14, taken until 16; the put is sent until 17, the unlock until 18; they are there at 27, taken until 29
  // and 31; the answer is sent until 32, there at 37.
  EXPECT_SPAN(r, 1, 2, 1, 39);
}

TEST(OneSidedModel, Pt2ptCountsInAFence) {
  const ReplayResult r = run(program_of(on_window(2, kOpenMpi, "create",
                                                  "rank 0\n put 0 1 1000B\n win_fence 0\n"
                                                  "rank 1\n win_fence 0\n")),
                             star(2));
  // Rank 0 sends its count behind the put, rank 1 takes them at 11 until 13 and 15 and adds 4 bytes; then the barrier:
  // rank 1 sends until 16, there at 21.
  EXPECT_EQ(r.times[0][1].end, us_after(23) + Duration{4'000});
}

TEST(OneSidedModel, InsideANodeTheOriginCopiesWithOpenMpiAndTheTargetAnswersWithMpich) {
  for (const char* kind : {"create", "allocate", "shared", "dynamic"}) {
    const ReplayResult r = run(program_of(on_one_node(2, kOpenMpi, kind, kTargetComputes)), star(1));
    EXPECT_SPAN(r, 0, 0, 0, 3);  // 1 of its CPU, 2000 bytes at the rate of the memory
    EXPECT_SPAN(r, 0, 1, 3, 3);
    const ReplayResult asked = run(program_of(on_one_node(2, kMpich, kind, kTargetComputes)), star(1));
    EXPECT_GT(asked.times[0][1].end, us_after(100)) << kind;
  }
}

TEST(OneSidedModel, WhoAsksForPt2ptGetsIt) {
  const std::string with = "property mca:osc = pt2pt\n" + kTargetComputes;
  EXPECT_GT(run(program_of(on_one_node(2, kOpenMpi, "create", with)), star(1)).times[0][1].end, us_after(100));
}

TEST(OneSidedModel, SmallAccumulatesOfOpenMpiNeedTheTargetWhereMpiHasNotMadeTheMemory) {
  const auto end_of = [](const char* kind, int bytes) {
    const std::string body = fmt::format(
        "rank 0\n accumulate 0 1 {}B\n"
        "rank 1\n local MPI_Comm_rank\n compute 100us\n local MPI_Comm_rank\n",
        bytes);
    return run(program_of(on_one_node(2, kOpenMpi, kind, body)), star(1)).times[0][0].end;
  };
  EXPECT_GT(end_of("create", 8), us_after(100));
  EXPECT_GT(end_of("dynamic", 8), us_after(100));
  EXPECT_LT(end_of("allocate", 8), us_after(2));
  // Fetched, combined, put: 1 + 1, 1, 1 + 1.
  EXPECT_EQ(end_of("create", 1000), us_after(5));
}

TEST(OneSidedModel, OverHardwareOpenMpiLocksFetchesCombinesAndPutsWhatItAccumulates) {
  hw::Platform hardware = star(2);
  hardware.between.progress = hw::Progress::kHardware;
  const auto end_of = [&](const char* body) {
    return run(program_of(on_window(2, kOpenMpi, "create", body)), hardware).times[0].back().end;
  };
  // The lock of accumulates is there at 6, back at 11; the fetch is sent until 12, there at 17, back at 27; combined
  // until 28, put until 29, there at 39, known at 44.
  EXPECT_EQ(end_of("rank 0\n accumulate 0 1 1000B\n"), us_after(44));
  // Atomics: the lock, then one way there and back.
  EXPECT_EQ(end_of("rank 0\n fetch 0 1 0B received 0B\n"), us_after(22));
}

TEST(OneSidedModel, WhatARankDoesToItselfIsOnePassOverItsMemory) {
  for (const char* library : {kMpich, kOpenMpi}) {
    const ReplayResult r =
        run(program_of(
                on_window(2, library, "create", "rank 0\n win_lock 0 0 exclusive\n put 0 0 1000B\n win_unlock 0 0\n")),
            star(2));
    EXPECT_SPAN(r, 0, 0, 0, 0) << library;
    EXPECT_SPAN(r, 0, 1, 0, 1) << library;
    EXPECT_SPAN(r, 0, 2, 1, 1) << library;
  }
}

TEST(OneSidedModel, ALockOfAllAsksEverybodyInMpichAndTheFirstRankInRdma) {
  const std::string body = "rank 0\nrank 1\n win_lock_all 0\n win_unlock_all 0\nrank 2\n";
  const ReplayResult asks = run(program_of(on_window(3, kMpich, "create", body)), star(3));
  // Asks rank 0 until 1, itself at once, rank 2 until 2; answers are there at 14 and 15, taken until 16 and 18.
  EXPECT_SPAN(asks, 1, 0, 0, 18);
  hw::Platform hardware = star(3);
  hardware.between.progress = hw::Progress::kHardware;
  const ReplayResult counts = run(program_of(on_window(3, kOpenMpi, "create", body)), hardware);
  EXPECT_SPAN(counts, 1, 0, 0, 11);
  EXPECT_SPAN(counts, 1, 1, 11, 12);
}

TEST(OneSidedModel, RequestsEndInAWait) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n rget 0 1 1000B -> a\n rput 0 1 0B -> b\n wait a b\n"
                                                  " send 1 tag 1 0B\n"
                                                  "rank 1\n recv 0 tag 1 0B\n")),
                             star(2));
  // The get is there at 6, taken until 8, answered until 9, there at 19; the put is there at 7, taken until 11,
  // answered until 12, there behind the get: they are taken until 21 and 23.
  EXPECT_SPAN(r, 0, 2, 2, 23);
}

TEST(OneSidedModel, NobodyWaitsForWhatIsNotChecked) {
  const ReplayResult r = run(program_of(on_window(2, kMpich, "create",
                                                  "rank 0\n win_lock 0 1 nocheck\n win_unlock 0 1\n"
                                                  " win_start 0 group 1 nocheck\n win_complete 0\n"
                                                  "rank 1\n win_post 0 group 0 nocheck\n win_wait 0\n")),
                             star(2));
  EXPECT_SPAN(r, 0, 0, 0, 0);
  EXPECT_SPAN(r, 0, 1, 0, 0);
  EXPECT_SPAN(r, 0, 3, 0, 1);
  EXPECT_SPAN(r, 1, 1, 0, 8);
}

TEST(OneSidedModel, ACircleOfLocksIsTold) {
  const std::string text =
      stuck_text(program_of(on_window(2, kMpich, "create",
                                      "rank 0\n win_lock 0 0 exclusive\n win_lock 0 1 exclusive site \"swap (a.c:3)\"\n"
                                      "rank 1\n win_lock 0 1 exclusive\n win_lock 0 0 exclusive\n")),
                 star(2));
  EXPECT_THAT(text, HasSubstr("in a circle: rank 0 waits for rank 1, rank 1 waits for rank 0"));
  EXPECT_THAT(text, HasSubstr("rank 0: operation 1, MPI_Win_lock at swap (a.c:3): waits for rank 1 to unlock window 0 "
                              "of rank 1"));
}

TEST(OneSidedModel, WhoNeverPostsOrCompletesIsTold) {
  const std::string text =
      stuck_text(program_of(on_window(3, kMpich, "create",
                                      "rank 0\n win_start 0 group 1\nrank 1\n win_post 0 group 2\n win_wait 0\n")),
                 star(3));
  EXPECT_THAT(text, HasSubstr("rank 0: operation 0, MPI_Win_start: waits for rank 1 to post window 0"));
  EXPECT_THAT(text,
              HasSubstr("rank 1: operation 1, MPI_Win_wait: waits for rank 2 to complete its access to window 0"));
}

TEST(OneSidedModel, OnlyTheMakingOfWindowsIsNotJudged) {
  const Program p = program_of(on_window(2, kMpich, "create",
                                         "rank 0\n win_create 0 +5us\n put 0 1 8B\n win_fence 0\n win_free 0\n"
                                         "rank 1\n win_create 0 +9us\n win_fence 0\n win_free 0\n"));
  const auto reasons = not_judged(p, star(2));
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].reason, "makes a window: only its synchronisation is modelled");
  EXPECT_EQ(reasons[0].operations, 2U);
  EXPECT_EQ(run(p, star(2)).times[1][0].end, us_after(9));
}

}  // namespace
}  // namespace plumbline::replay::test
