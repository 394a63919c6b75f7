// What must not be stated as a finding, and runs that were cut short.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"
#include "schema_check.hpp"

namespace plumbline::replay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Withholding : public testing::Test {
 protected:
  static void expect_fits_the_schema(const Report& report) {
    EXPECT_EQ(schema_faults(nlohmann::json::parse(json_text(report)), PLUMBLINE_REPORT_SCHEMA), "");
  }

  Programs programs_;
};

// 20 receives, each 1 s too long; rank 1 was ready but not scheduled 20 times for so long.
TEST_F(Withholding, WaitingIsWhenItMayHaveBeenTheScheduler) {
  const auto report = [&](const std::string& off_cpu) {
    const Program program = programs_.parse(
        "ranks 2\nrank 1\nlocal a +1ms\n" +
        repeated("compute 2s\nrecv 0 tag 0 8B +2s off-cpu " + off_cpu + "\npwrite 0..9 file /d/f +2s\n", 20));
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Recv", seconds(1));
    expect_all(program, expected, "pwrite", seconds(1));
    return make_report(program, expected);
  };
  const Report much = report("500ms");
  ASSERT_THAT(much.findings, SizeIs(1));
  EXPECT_EQ(much.findings[0].component, "storage /d");
  ASSERT_THAT(much.withheld, SizeIs(1));
  EXPECT_EQ(much.withheld[0].withheld,
            "ranks were ready but not scheduled for 10 s; waiting cannot be told from being descheduled");
  EXPECT_THAT(to_text(much, {.details = true}), testing::ContainsRegex("MPI_Recv .* too noisy\\*"));
  const Report little = report("499ms");
  EXPECT_THAT(little.findings, SizeIs(2));
  EXPECT_THAT(little.withheld, IsEmpty());
  expect_fits_the_schema(much);
}

// Rank 3 loses 10 s in its receives beyond what its peers lose.
TEST_F(Withholding, PeersAreComparedOnlyWhereTheyWereScheduled) {
  const auto peers = [&](const std::string& off_cpu) {
    std::string ranks;
    for (int rank = 1; rank < 6; ++rank)
      ranks += "rank " + std::to_string(rank) + "\n" +
               repeated(rank == 3 ? "compute 2s\nrecv 0 tag 0 8B +2s off-cpu " + off_cpu + "\n"
                                  : "compute 3s\nrecv 0 tag 0 8B +1s\n",
                        10);
    const Program program = programs_.parse("ranks 6\n" + ranks);
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Recv", milliseconds(900));
    const Report report = make_report(program, expected);
    return std::ranges::count(report.findings, Reference::kPeers, &Finding::reference);
  };
  EXPECT_EQ(peers("100ms"), 1);
  EXPECT_EQ(peers("600ms"), 0);
}

TEST_F(Withholding, FewSamplesAreNoFinding) {
  const auto report = [&](int times) {
    const Program program =
        programs_.parse("ranks 1\nrank 0\nlocal a +9s\n" + repeated("pwrite 0..9 file /f +5s\n", times));
    Expected expected = as_observed(program);
    expect_all(program, expected, "pwrite", seconds(1));
    return make_report(program, expected);
  };
  for (const int times : {1, 4}) {
    const Report few = report(times);
    EXPECT_THAT(few.findings, IsEmpty());
    ASSERT_THAT(few.withheld, SizeIs(1));
    EXPECT_EQ(few.withheld[0].withheld, times == 1 ? "only 1 sample" : "only 4 samples");
    EXPECT_EQ(exit_code(few), ExitCode::kTooNoisy);
  }
  EXPECT_THAT(report(5).findings, SizeIs(1));
}

// Five collective calls on two ranks are ten operations, but five samples; four are too few.
TEST_F(Withholding, SamplesOfCollectivesAreCalls) {
  const auto findings = [&](int times) {
    const std::string calls = repeated("barrier +5s\n", times);
    const Program program = programs_.parse("ranks 2\nrank 0\n" + calls + "rank 1\n" + calls);
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Barrier", seconds(1));
    return make_report(program, expected).findings.size();
  };
  EXPECT_EQ(findings(4), 0U);
  EXPECT_EQ(findings(5), 1U);
}

// 20 writes of 1 s, 40 ms of each too slow, of which the band allows 39 ms: 4 % in all, but 0.1 % beyond the band.
TEST_F(Withholding, WhatLiesWithinTheBandIsNoFindingHoweverManyRows) {
  std::string rank;
  for (int site = 0; site < 4; ++site)
    rank += repeated("pwrite 0..9 file /out/f +1s site \"w (a.c:" + std::to_string(site) + ")\"\n", 20);
  const Program program = programs_.parse("ranks 1\nrank 0\n" + rank);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(960), milliseconds(39));
  const Report report = make_report(program, expected);
  EXPECT_EQ(report.rows[0].verdict(), Verdict::kAsExpected);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(exit_code(report), ExitCode::kAsExpected);
}

TEST_F(Withholding, WaitingInTwoRunsIsNoSlowTransport) {
  const auto run = [&](const std::string& time) {
    return programs_.parse("ranks 2\nrank 1\n" + repeated("recv 0 tag 0 8B +" + time + "\n", 20));
  };
  const Program slow = run("2s"), fast = run("1s");
  const Report report = make_report(slow, fast);
  EXPECT_THAT(report.findings, IsEmpty());
  ASSERT_THAT(report.withheld, SizeIs(1));
  EXPECT_THAT(report.withheld[0].withheld, testing::StartsWith("waiting in two runs cannot be split into a late"));
  EXPECT_EQ(exit_code(report), ExitCode::kTooNoisy);
}

TEST_F(Withholding, AnIncompleteRunIsNeverAsExpected) {
  const std::string killed = "incomplete: rank 0: killed",
                    ended = "incomplete: rank 0 ended in MPI_Recv at main (t.c:11)";
  const Program program =
      programs_.parse("ranks 2\nproperty remarks = \"" + killed + "\"\nrank 0\npwrite 0..9 file /f +1s\n");
  const Report report = make_report(program, as_observed(program),
                                    {.compare = {}, .lateness = {}, .notes = {"x", killed, ended, "incomplete: c"}});
  EXPECT_EQ(exit_code(report), ExitCode::kTooNoisy);
  EXPECT_EQ(verdict_sentence(report),
            "Incomplete: rank 0: killed; rank 0 ended in MPI_Recv at main (t.c:11), and 1 more. The run is incomplete; "
            "of what was recorded nothing is slower than expected.");
  ASSERT_THAT(report.notes, SizeIs(4));
  EXPECT_EQ(report.notes[0], killed);
  EXPECT_EQ(report.notes[1], ended);
  EXPECT_EQ(report.notes.back(), "x");
  EXPECT_THAT(to_text(report), testing::StartsWith("Incomplete: rank 0: killed"));
  EXPECT_EQ(nlohmann::json::parse(json_text(report))["verdict"]["word"], "incomplete");
  expect_fits_the_schema(report);
}

TEST_F(Withholding, AnIncompleteRunStillHasFindings) {
  const Program program = programs_.parse("ranks 1\nproperty remarks = \"incomplete: rank 0: killed\"\nrank 0\n" +
                                          repeated("pwrite 0..9 file /f +2s\n", 10));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report report = make_report(program, expected);
  EXPECT_EQ(exit_code(report), ExitCode::kFindings);
  EXPECT_EQ(verdict_sentence(report), "Incomplete: rank 0: killed. 1 finding: it costs 10 s of 20 s (50.0 %).");
}

TEST_F(Withholding, RowsSayHowManyOfTheirOperationsAreJudged) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..9 file /f +1s\n", 2) +
                                          "pwrite 0..9 file /f +1s not-judged \"overhead of the tracer\"\n");
  EXPECT_THAT(to_text(make_report(program, as_observed(program)), {.details = true}),
              testing::ContainsRegex("pwrite .* 2 of 3 +2 s"));
}

}  // namespace
}  // namespace plumbline::replay
