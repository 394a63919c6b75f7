#include "replay/compare/compare.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fixture.hpp"

namespace plumbline::replay {
namespace {

class Comparing : public testing::Test {
 protected:
  static const Row& row_of(const Comparison& comparison, std::string_view call) {
    for (const Row& row : comparison.rows)
      if (row.call == call) return row;
    ADD_FAILURE() << "no row of " << call;
    return comparison.rows.front();
  }

  Programs programs_;
};

TEST_F(Comparing, OperationsOfOneSizeClassCallSiteAndCommunicatorAreOneRow) {
  const Program program = programs_.parse(
      "ranks 2\ncomm 1 = 0\nrank 0\n"
      "send 1 tag 0 64B +3us site \"f (a.c:1)\"\n"
      "send 1 tag 0 127B +4us site \"f (a.c:1)\"\n"
      "send 1 tag 0 128B +5us site \"f (a.c:1)\"\n"
      "send 1 tag 0 64B +6us site \"g (a.c:2)\"\n"
      "send 0 tag 0 64B +7us site \"f (a.c:1)\" \n"
      "send 0 tag 0 64B comm 1 +8us site \"f (a.c:1)\"\n");
  Expected expected = as_observed(program);
  for (std::size_t i = 0; i < 6; ++i) expect(expected.ranks[0], i, microseconds(1), microseconds(1));
  const Comparison comparison = compare(program, expected);
  ASSERT_EQ(comparison.rows.size(), 4U);
  const Row& first = comparison.rows[0];  // 3 + 4 + 7 us observed, 3 us expected
  EXPECT_EQ(first.operations, 3U);
  EXPECT_EQ(first.bytes, 64U + 127U + 64U);
  EXPECT_EQ(first.observed, microseconds(14));
  EXPECT_EQ(first.own.total, microseconds(11));
  EXPECT_EQ(first.median_own, microseconds(3));
  EXPECT_EQ(first.max_own, microseconds(6));
  EXPECT_EQ(size_class_text(first.key.size_class), "64-128 B");
  EXPECT_EQ(comparison.rows[1].own.total, microseconds(7));  // on the communicator of one
  EXPECT_EQ(comparison.rows[1].key.comm_size, 1U);
  EXPECT_EQ(comparison.rows[2].own.total, microseconds(5));
  EXPECT_EQ(comparison.rows[2].site, "g (a.c:2)");
  EXPECT_EQ(comparison.rows[3].own.total, microseconds(4));
}

TEST_F(Comparing, SizeClassesAreNamedByTheirBounds) {
  EXPECT_EQ(size_class_text(0), "0 B");
  EXPECT_EQ(size_class_text(1), "1 B");
  EXPECT_EQ(size_class_text(2), "2-4 B");
  EXPECT_EQ(size_class_text(10), "512 B-1 KiB");
  EXPECT_EQ(size_class_text(17), "64-128 KiB");
}

TEST_F(Comparing, FilesThatCountUpAreOneRow) {
  const Program program = programs_.parse(
      "ranks 1\nrank 0\n"
      "pwrite 0..100 file /out/ckpt_01.dat +1s ; pwrite 0..100 file /out/ckpt_02.dat +1s ; pwrite 0..100 file "
      "/out/log7 +1s\n");
  const Comparison comparison = compare(program, as_observed(program));
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.rows[0].file, "/out/ckpt_#.dat");
  EXPECT_EQ(comparison.rows[0].operations, 2U);
  EXPECT_EQ(comparison.rows[1].file, "/out/log7");
}

TEST_F(Comparing, ShareIsOwnExcessOverRanksTimesRun) {
  // 2 ranks x 10 s; rank 0 loses 4 s in its write
  const Program program = programs_.parse(
      "ranks 2\nrank 0\npwrite 0..100 file /f +5s ; compute 5s ; local MPI_Finalize\n"
      "rank 1\nlocal MPI_Init ; compute 10s ; local MPI_Finalize\n");
  Expected expected = as_observed(program);
  expect(expected.ranks[0], 0, seconds(1), seconds(1));
  const Comparison comparison = compare(program, expected);
  EXPECT_EQ(comparison.rows[0].call, "pwrite");
  EXPECT_DOUBLE_EQ(comparison.rows[0].share, 0.2);
  EXPECT_EQ(comparison.totals.run, seconds(10));
  EXPECT_EQ(comparison.totals.compute, seconds(15));
  EXPECT_EQ(comparison.totals.judged, seconds(5));
  EXPECT_EQ(comparison.totals.outside, seconds(0));
}

TEST_F(Comparing, InheritedIsAnchoredLessFree) {
  const Program program = programs_.parse("ranks 2\nrank 1\nrecv 0 tag 0 8B +9s\n");
  Expected expected = as_observed(program);
  expect(expected.ranks[1], 0, seconds(7), seconds(7));
  expected.ranks[1].free[0] = {Time{}, Time{} + seconds(2)};
  const Row row = compare(program, expected).rows.at(0);
  EXPECT_EQ(row.own.total, seconds(2));
  EXPECT_EQ(row.inherited, seconds(5));
}

TEST_F(Comparing, OffCpuTimeIsNotCompute) {
  const Program program = programs_.parse("ranks 1\nrank 0\nlocal a +1s ; compute 5s ; local b +1s off-cpu 2s\n");
  const Totals totals = compare(program, as_observed(program)).totals;
  EXPECT_EQ(totals.compute, seconds(3));
  EXPECT_EQ(totals.off_cpu, seconds(2));
}

TEST_F(Comparing, WhatIsNotJudgedIsCountedByReason) {
  const Program program = programs_.parse(
      "ranks 1\nrank 0\nlocal a +4s not-judged \"overhead of the tracer\"\nunmodelled MPI_Put +2s ; barrier +3s\n"
      "comm_create MPI_Comm_dup +1s\n");
  Expected expected = as_observed(program);
  expected.reasons = {"a window"};
  expected.ranks[0].not_judged[2] = 0;
  const Comparison comparison = compare(program, expected);
  ASSERT_EQ(comparison.not_judged.size(), 4U);
  EXPECT_EQ(comparison.not_judged[0].reason, "overhead of the tracer");
  EXPECT_EQ(comparison.not_judged[0].observed, seconds(4));
  EXPECT_EQ(comparison.not_judged[1].reason, "a window");
  EXPECT_EQ(comparison.not_judged[2].reason, "not modelled");
  EXPECT_EQ(comparison.not_judged[3].reason, "creation of a communicator is not modelled");
  EXPECT_EQ(comparison.totals.judged_operations, 0U);
  EXPECT_EQ(comparison.rows[0].verdict(), Verdict::kNotJudged);
}

// 20 writes of 1 s, expected to take 0.5 s: 10 of 20 s are lost.
TEST_F(Comparing, ManyOperationsBeyondTheBandAreSlower) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..100 file /f +1s\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(500), milliseconds(100));
  const Row row = compare(program, expected).rows.at(0);
  EXPECT_EQ(row.verdict(), Verdict::kSlower);
  EXPECT_EQ(row.own.above, 20U);
  EXPECT_FALSE(row.own.few);
  EXPECT_NEAR(row.own.p_slower, 0x1p-20, 1e-12);
}

TEST_F(Comparing, ExcessWithinTheBandIsAsExpected) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..100 file /f +1s\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(500), milliseconds(500));
  const Row row = compare(program, expected).rows.at(0);
  EXPECT_EQ(row.verdict(), Verdict::kAsExpected);
  EXPECT_EQ(row.own.total, seconds(10));
}

TEST_F(Comparing, ExcessBelowTheThresholdIsAsExpected) {
  const Program program =
      programs_.parse("ranks 1\nrank 0\nlocal a +100s\n" + repeated("pwrite 0..100 file /f +10ms\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(1));
  EXPECT_EQ(compare(program, expected).rows.at(0).verdict(), Verdict::kAsExpected);
  EXPECT_EQ(compare(program, expected, {.threshold = 0.001}).rows.at(0).verdict(), Verdict::kSlower);
}

TEST_F(Comparing, AFewOutliersAreTooNoisyToTell) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..100 file /f +1s\n", 19) +
                                          "pwrite 0..100 file /f +9s\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Row row = compare(program, expected).rows.at(0);
  EXPECT_EQ(row.verdict(), Verdict::kTooNoisy);
  EXPECT_EQ(row.carriers, 1U);
  EXPECT_EQ(row.reason, "1 of 20 operations beyond the band; 1 of 20 operations carries 90 % of it");
}

TEST_F(Comparing, FewSamplesCountOnlyWhenAllAreFarBeyond) {
  const Program program = programs_.parse("ranks 1\nrank 0\npwrite 0..100 file /f +3s ; pwrite 0..100 file /f +2s\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1), milliseconds(300));  // excess 2 and 1 s; three bands are 0.9 s
  const Row far = compare(program, expected).rows.at(0);
  EXPECT_TRUE(far.own.few);
  EXPECT_EQ(far.own.p_slower, 1);
  EXPECT_EQ(far.verdict(), Verdict::kSlower);
  expect_all(program, expected, "pwrite", seconds(1), milliseconds(400));  // three bands are 1.2 s
  const Row near = compare(program, expected).rows.at(0);
  EXPECT_EQ(near.verdict(), Verdict::kTooNoisy);
  EXPECT_EQ(near.reason, "only 2 operations, and not all far beyond the expectation");
}

TEST_F(Comparing, BelowTheBracketIsFaster) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..100 file /f +1s\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(3));
  const Comparison comparison = compare(program, expected);
  EXPECT_EQ(comparison.rows.at(0).verdict(), Verdict::kFaster);
  EXPECT_EQ(comparison.rows.at(0).own.total, seconds(-40));
  EXPECT_EQ(comparison.totals.faster_operations, 20U);
}

TEST_F(Comparing, ANeighbourhoodCollectiveIsOneSampleACallAndGoesAsFarAsItsFarthestNeighbour) {
  const auto calls = [](int peer) {
    return fmt::format(
        "neighbor_alltoall to {0}:8 from {0}:8 +1s\nineighbor_alltoall to {0}:8 from {0}:8 -> a +1s\nwait a +1s\n",
        peer);
  };
  const Program program = programs_.parse("ranks 3\nnode n0 ranks 0-1\nnode n1 ranks 2\nrank 0\n" + calls(1) +
                                          "rank 1\n" + calls(0) + "rank 2\n" + calls(0));
  Expected expected = as_observed(program);
  for (ExpectedRank& rank : expected.ranks) expect(rank, 0, milliseconds(900), milliseconds(900));
  const Comparison comparison = compare(program, expected);
  for (const Row& row : comparison.rows) {
    const bool blocking = row.call == "MPI_Neighbor_alltoall";
    EXPECT_EQ(row.judged, 3U) << row.call;
    EXPECT_EQ(row.own.samples, blocking ? 1U : 3U) << row.call;
    EXPECT_EQ(row.locality.inside, 2U) << row.call;
    EXPECT_EQ(row.locality.between, 1U) << row.call;
  }
  EXPECT_EQ(comparison.rows.size(), 3U);
  EXPECT_EQ(comparison.totals.collectives, 6U);
}

// The flag of a buffered send is that of a collective access to a file.
TEST_F(Comparing, ABufferedSendIsNoCollectiveAndEachIsASample) {
  const Program program = programs_.parse(
      "ranks 2\nrank 0\nsend 1 tag 1 8B buffered +1ms\nsend 1 tag 1 8B buffered +1ms\nrank 1\nrecv 0 tag 1 8B +1ms\n"
      "recv 0 tag 1 8B +1ms\n");
  const Comparison comparison = compare(program, as_observed(program));
  const auto sends = std::ranges::find(comparison.rows, OpKind::kSend, [](const Row& row) { return row.key.kind; });
  ASSERT_NE(sends, comparison.rows.end());
  EXPECT_FALSE(sends->collective);
  EXPECT_EQ(sends->own.samples, 2U);
}

// Four barriers on two ranks are four samples, not eight: the ranks of one call are not independent.
TEST_F(Comparing, ACollectiveCallIsOneSample) {
  const std::string calls = repeated("barrier +1s\n", 4);
  const Program program = programs_.parse("ranks 2\nrank 0\n" + calls + "rank 1\n" + calls);
  const Row row = compare(program, as_observed(program)).rows.at(0);
  EXPECT_EQ(row.operations, 8U);
  EXPECT_EQ(row.own.samples, 4U);
}

TEST_F(Comparing, WaitingOfRanksThatShareCoresIsWithheld) {
  const std::string calls = repeated("barrier +1s ; pwrite 0..100 file /f +1s\n", 10);
  const std::string ranks = "rank 0\n" + calls + "rank 1\n" + calls;
  const auto compared = [&](const std::string& cores) {
    const Program program = programs_.parse("ranks 2\nnode n0 ranks 0-1" + cores + "\n" + ranks);
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Barrier", milliseconds(1));
    expect_all(program, expected, "pwrite", milliseconds(1));
    return compare(program, expected);
  };
  const Comparison shared = compared(" cores 1");
  EXPECT_EQ(row_of(shared, "MPI_Barrier").verdict(), Verdict::kTooNoisy);
  EXPECT_TRUE(row_of(shared, "MPI_Barrier").withheld);
  EXPECT_EQ(row_of(shared, "MPI_Barrier").reason,
            "ranks share cores: 2 ranks on 1 core; waiting cannot be told from being descheduled");
  EXPECT_EQ(row_of(shared, "pwrite").verdict(), Verdict::kSlower);
  EXPECT_EQ(shared.shared_cores.at(0).ranks, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(row_of(compared(" cores 2"), "MPI_Barrier").verdict(), Verdict::kSlower);
  EXPECT_EQ(row_of(compared(""), "MPI_Barrier").verdict(), Verdict::kSlower);
}

TEST_F(Comparing, TwoRunsAreHeldAgainstEachOther) {
  const Program now = programs_.parse("ranks 1\nrank 0\nlocal a +1s\n" + repeated("pwrite 0..100 file /f +3s\n", 10));
  const Program before =
      programs_.parse("ranks 1\nrank 0\nlocal a +1s\n" + repeated("pwrite 0..100 file /f +1s\n", 10));
  const Comparison comparison = compare(now, before);
  EXPECT_EQ(comparison.reference, ReferenceRun::kObserved);
  EXPECT_EQ(comparison.rows.at(0).own.total, seconds(20));
  EXPECT_EQ(comparison.rows.at(0).verdict(), Verdict::kSlower);
  EXPECT_EQ(comparison.rows.at(0).inherited, seconds(0));
  EXPECT_EQ(comparison.totals.run, seconds(31));
  EXPECT_EQ(comparison.totals.reference_run, seconds(11));
  EXPECT_EQ(compare(before, now).rows.back().verdict(), Verdict::kFaster);
}

TEST_F(Comparing, RowsOfEqualRunsAreEqualWhateverTheOrderOfRanks) {
  // rank 0 and rank 1 exchange their parts: rows stay, but for the ranks in them
  const std::string slow = repeated("pwrite 0..100 file /f +3s\n", 6), fast = repeated("pread 0..100 file /f +1s\n", 6);
  const auto compared = [&](const std::string& first, const std::string& second, std::size_t slow_rank) {
    const Program program = programs_.parse("ranks 2\nrank 0\n" + first + "rank 1\n" + second);
    Expected expected = as_observed(program);
    for (std::size_t i = 0; i < 6; ++i) expect(expected.ranks[slow_rank], i, seconds(1), seconds(1));
    return compare(program, expected);
  };
  const Comparison a = compared(slow, fast, 0), b = compared(fast, slow, 1);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].call, b.rows[i].call);
    EXPECT_EQ(a.rows[i].own.total, b.rows[i].own.total);
    EXPECT_EQ(a.rows[i].verdict(), b.rows[i].verdict());
    EXPECT_EQ(a.rows[i].parts.at(0).rank, 1 - b.rows[i].parts.at(0).rank);
  }
}

TEST_F(Comparing, TimesTenAreTenTimesTheExcessAndTheSameShares) {
  const auto compared = [&](const std::string& unit, Duration of_unit) {
    const Program program = programs_.parse("ranks 1\nrank 0\nlocal a +5" + unit + "\n" +
                                            repeated("pwrite 0..100 file /f +2" + unit + "\n", 8));
    Expected expected = as_observed(program);
    expect_all(program, expected, "pwrite", of_unit);
    return compare(program, expected);
  };
  const Comparison small = compared("ms", milliseconds(1)), large = compared("s", seconds(1));
  EXPECT_EQ(large.rows.at(0).own.total, small.rows.at(0).own.total * 1000);
  EXPECT_DOUBLE_EQ(large.rows.at(0).share, small.rows.at(0).share);
  EXPECT_EQ(large.rows.at(0).verdict(), small.rows.at(0).verdict());
}

}  // namespace
}  // namespace plumbline::replay
