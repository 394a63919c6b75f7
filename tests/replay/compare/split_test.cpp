// MPI-IO calls that became more POSIX operations than needed, or than in another run.
#include <fmt/format.h>
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
using testing::Not;
using testing::SizeIs;

class Splitting : public testing::Test {
 protected:
  // Two ranks write six checkpoints; each call lasts `call` and holds `pieces` writes of 1 KiB that last `piece`.
  Program run(const std::string& call, int pieces, const std::string& hints, const std::string& command = "jacobi",
              const std::string& inner = "write", const std::string& piece = "1ms", const std::string& node = "") {
    const std::string write = "write_at_all 0..8192 +" + call + " site \"dump (j.c:9)\"\n" +
                              repeated("  inner " + inner + " 1024B +" + piece + "\n", pieces) + "compute 1s\n";
    const std::string rank = "open /out/state.dat collective\n" + repeated(write, 6);
    return programs_.parse("ranks 2\n" + node + "property library = \"MPICH 4.0.2\"\nproperty program = \"" + command +
                           "\"\nproperty hints = \"" + hints + "\"\nrank 0\n" + rank + "rank 1\n" + rank);
  }

  // Ideal 100 .. 300 ms of one operation; as run as given.
  static Expected expectation(const Program& program, Duration as_run, Duration as_run_upper) {
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_File_write_at_all", milliseconds(100));
    for (ExpectedRank& rank : expected.ranks)
      for (std::size_t i = 1; i <= 6; ++i) {
        rank.upper[i] = milliseconds(300);
        rank.as_run[i] = as_run;
        rank.as_run_upper[i] = as_run_upper;
        rank.ideal_io[i] = 1;
      }
    return expected;
  }

  Programs programs_;
};

TEST_F(Splitting, OfTwoRunsIsToldAsSuchAndNotAsSlowStorage) {
  const Program slow = run("1s", 64, "romio_cb_write=disable cb_nodes=1", "jacobi --hint romio_cb_write=disable");
  const Program fast = run("100ms", 8, "romio_cb_write=automatic cb_nodes=1");
  const Report report = make_report(slow, fast);
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.reference, Reference::kStructure);
  EXPECT_EQ(finding.title,
            "MPI_File_write_at_all at dump (j.c:9) made 768 POSIX operations of 1 KiB where the reference made 96");
  EXPECT_EQ(finding.cost, milliseconds(5400));
  EXPECT_NE(finding.confidence, Confidence::kCertain);
  EXPECT_THAT(finding.advice, testing::ElementsAre(HasSubstr("hint romio_cb_write=disable here, automatic there")));
  EXPECT_THAT(finding.advice[0], Not(HasSubstr("cb_nodes")));
  EXPECT_EQ(report.totals.stack, seconds(0));
  EXPECT_EQ(schema_faults(nlohmann::json::parse(json_text(report)), PLUMBLINE_REPORT_SCHEMA), "");
}

TEST_F(Splitting, OfTwoRunsShowsTheOtherCommandLineWhenItDiffers) {
  const Program slow = run("1s", 64, "", "jacobi --slow"), fast = run("100ms", 8, "", "jacobi --fast");
  EXPECT_THAT(to_text(make_report(slow, fast), {.details = true}),
              HasSubstr("jacobi --slow, MPICH 4.0.2\nreference: jacobi --fast, MPICH"));
  EXPECT_THAT(to_text(make_report(slow, slow), {.details = true}), Not(HasSubstr("reference: ")));
}

TEST_F(Splitting, OfTwoRunsWithLikeOperationsStaysAMatterOfTheStorage) {
  const Report report = make_report(run("1s", 8, ""), run("100ms", 8, ""));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kBaseline);
}

// In cache the split call is no slower in the model, and what was observed lies within the bracket of the ideal.
TEST_F(Splitting, IsNoFindingWhereTheRowIsAsExpected) {
  const Program program = run("200ms", 8, "");
  const Report report = make_report(program, expectation(program, milliseconds(50), seconds(2)));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.totals.structure, seconds(0));
}

TEST_F(Splitting, HasAnUncertainCostWhereTheModelLosesNothingInCache) {
  const Program program = run("1s", 8, "", "jacobi", "write", "120ms");
  const Report report = make_report(program, expectation(program, milliseconds(50), seconds(2)));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].confidence, Confidence::kLow);
  EXPECT_TRUE(report.findings[0].cost_is_bound);
  EXPECT_EQ(report.findings[0].cost, milliseconds(4200));
  EXPECT_THAT(verdict_sentence(report), HasSubstr("it costs up to 4.2 s of 11 s"));
  EXPECT_THAT(report.findings[0].basis, HasSubstr("the cost is uncertain"));
  EXPECT_LE(report.findings[0].share_of_excess, 1);
}

// In cache the model loses 6 x (250 ms - 100 ms); on the device, where it may have been, 6 x (1 s - 300 ms). The pieces
// took 6 x 8 x 31.25 ms = 1.5 s, what the model says of all data in the cache.
TEST_F(Splitting, CostsForCertainWhatItWouldHaveCostInCache) {
  const Program program = run("1s", 8, "", "jacobi", "write", "31.25ms");
  const Report report = make_report(program, expectation(program, milliseconds(250), seconds(2)));
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.confidence, Confidence::kCertain);
  EXPECT_EQ(finding.cost, milliseconds(900));
  EXPECT_EQ(finding.cost_on_device, milliseconds(4200));
  EXPECT_THAT(to_text(report), HasSubstr("900 ms (8.2 % of the run), up to 4.2 s if data was on the device"));
  EXPECT_THAT(finding.basis, HasSubstr("in the page cache"));
  EXPECT_NEAR(finding.share_of_excess, 0.9 / 4.2, 1e-9) << "both ranks lost the same";
}

// The pieces of 6 calls took 8 x 120 ms each, 5.76 s. By the model the ideal form takes 100 of 250 ms, and 300 ms of 2
// s on the device: joined at the same speed, at least 60 % of the 5.76 s are gone, and the call did lose 6 x 700 ms.
TEST_F(Splitting, CostsWhatJoiningThePiecesSavesAtTheSpeedThatWasObserved) {
  const Program program = run("1s", 8, "", "jacobi", "write", "120ms");
  const Report report = make_report(program, expectation(program, milliseconds(250), seconds(2)));
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.cost, milliseconds(3456));
  EXPECT_EQ(finding.cost_on_device, Duration{}) << "4.2 s are not much more";
  EXPECT_THAT(finding.basis, HasSubstr("at the same speed; at the speed of the platform 900 ms are lost"));
  EXPECT_NEAR(finding.share_of_excess, 3.456 / 4.2, 1e-9);
}

// The same with pieces that took three times as long: all that the call lost, and no finding against the storage.
TEST_F(Splitting, IsNotToldASecondTimeAsSlowStorage) {
  const Program program = run("3s", 8, "", "jacobi", "write", "360ms");
  const Report report = make_report(program, expectation(program, milliseconds(250), seconds(2)));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kStructure);
  EXPECT_EQ(report.findings[0].cost, milliseconds(10368));
}

// 6 calls of 8 pieces of 50 ms are 2.4 s; the model, with all data on the device, loses 6 x (1 s - 300 ms) = 4.2 s.
TEST_F(Splitting, CostsNoMoreThanWasSpentInThePieces) {
  const Program program = run("1s", 8, "", "jacobi", "write", "50ms");
  const Report report = make_report(program, expectation(program, milliseconds(50), seconds(2)));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].cost, milliseconds(2400));
  EXPECT_TRUE(report.findings[0].cost_is_bound);
}

// The ideal form is one operation of one rank a call. A piece is 1 KiB; rank 0 and 1 make `pieces` of them a call, and
// ranks that make none have had their data written by these.
TEST_F(Splitting, IsNotWhatAggregatorsDoThatMakeOneOperationEach) {
  const auto findings_for = [&](int ranks, int pieces) {
    std::string text = fmt::format("ranks {}\nproperty library = \"MPICH 4.0.2\"\n", ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      const std::string call = "write_at_all 0..8192 +1s site \"dump (j.c:9)\"\n" +
                               repeated("  inner write 1024B +1ms\n", rank < 2 ? pieces : 0) + "compute 1s\n";
      text += fmt::format("rank {}\nopen /out/state.dat collective\n{}", rank, repeated(call, 6));
    }
    const Program program = programs_.parse(text);
    Expected expected = expectation(program, seconds(1), seconds(1));
    for (int rank = 1; rank < ranks; ++rank)
      for (std::size_t i = 1; i <= 6; ++i) expected.ranks[rank].ideal_io[i] = 0;
    return make_report(program, expected).findings;
  };
  EXPECT_THAT(findings_for(4, 1), Not(testing::Contains(testing::Field(&Finding::reference, Reference::kStructure))));
  const auto split = [](const std::string& operations) {
    return testing::Contains(testing::Field(
        &Finding::title, HasSubstr("was split into " + operations + " POSIX operations of 1 KiB where 6 were needed")));
  };
  EXPECT_THAT(findings_for(4, 2), split("24"));
  EXPECT_THAT(findings_for(2, 1), split("12")) << "each rank wrote its own: nobody aggregated";
}

TEST_F(Splitting, OfUncertainCostIsWithheldWithItsRow) {
  const Program program = run("1s", 8, "", "jacobi", "write", "120ms", "node alpha ranks 0-1 cores 1\n");
  const Report report = make_report(program, expectation(program, milliseconds(50), seconds(2)));
  EXPECT_THAT(report.findings, IsEmpty());
  ASSERT_THAT(report.withheld, Not(IsEmpty()));
  EXPECT_THAT(report.withheld[0].withheld, HasSubstr("share"));
}

TEST_F(Splitting, OfACollectiveCallIsNotAdvisedTheCollectiveForm) {
  const Program program = run("1s", 8, "", "jacobi", "read");
  const Report report = make_report(program, expectation(program, seconds(1), seconds(1)));
  ASSERT_THAT(report.findings, SizeIs(1));
  ASSERT_THAT(report.findings[0].advice, SizeIs(2));
  EXPECT_THAT(report.findings[0].advice[0], HasSubstr("set romio_cb_write=enable"));
  EXPECT_THAT(report.findings[0].advice[0], Not(HasSubstr("collective")));
  EXPECT_THAT(report.findings[0].advice[1], HasSubstr("replay OBS -p PLATFORM --set hint.romio_cb_write=enable"));
}

}  // namespace
}  // namespace plumbline::replay
