#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"

namespace plumbline::replay {
namespace {

using testing::ElementsAre;

class DifferingRuns : public testing::Test {
 protected:
  Expected columns(const std::string& observed, const std::string& reference) {
    observed_.emplace(programs_.parse(observed));
    return columns_of_run(*observed_, programs_.parse(reference), {});
  }

  std::string why_not(const Expected& expected, std::size_t operation) const {
    const std::uint32_t reason = expected.ranks[0].not_judged[operation];
    return reason == kNone ? "" : expected.reasons[reason];
  }

  Programs programs_;
  std::optional<Program> observed_;
};

constexpr const char* kOnlyThere = "not in the reference run";

// The barriers pair with each other, and a broadcast is only in one.
TEST_F(DifferingRuns, CompareWhatPairsAndTellTheRest) {
  const Expected expected = columns("ranks 1\nrank 0\nbarrier +5us ; bcast root 0 8B +3us ; barrier +6us\n",
                                    "ranks 1\nrank 0\nbarrier +1us ; barrier +2us\n");
  EXPECT_EQ(why_not(expected, 0), "");
  EXPECT_EQ(why_not(expected, 1), kOnlyThere);
  EXPECT_EQ(why_not(expected, 2), "");
  EXPECT_EQ(expected.ranks[0].lower[0], microseconds(1));
  EXPECT_EQ(expected.ranks[0].upper[2], microseconds(2));
  EXPECT_THAT(expected.remarks, ElementsAre("only in OBS: 1 of 3 operations (3 us): 1 MPI_Bcast"));
}

TEST_F(DifferingRuns, TellWhatIsOnlyInTheOther) {
  const Expected expected =
      columns("ranks 1\nrank 0\nbarrier ; barrier\n",
              "ranks 1\nrank 0\nbarrier ; bcast root 0 8B +3us ; reduce root 0 8B +4us ; barrier\n");
  EXPECT_EQ(expected.ranks[0].not_judged, (Column<std::uint32_t>{kNone, kNone}));
  EXPECT_THAT(expected.remarks, ElementsAre("only in EXP: 2 of 4 operations (7 us): 1 MPI_Reduce, 1 MPI_Bcast"));
}

TEST_F(DifferingRuns, AreRefusedBelowHalf) {
  EXPECT_NO_THROW(columns("ranks 1\nrank 0\nbarrier\n", "ranks 1\nrank 0\nbarrier ; barrier\n"));
  EXPECT_THROW(columns("ranks 1\nrank 0\nbarrier\n", "ranks 1\nrank 0\nbarrier ; barrier ; barrier\n"), Error);
  EXPECT_THROW(columns("ranks 1\nrank 0\nbcast root 0 8B\n", "ranks 1\nrank 0\nbarrier\n"), Error);
}

// What is only here takes no time in the other run, behind what ended last there, so that its times never run back.
TEST_F(DifferingRuns, HaveTimesInOrder) {
  const Expected expected =
      columns("ranks 1\nrank 0\nbcast root 0 8B +3us ; barrier +5us ; bcast root 0 8B +3us ; barrier +6us\n",
              "ranks 1\nrank 0\nbarrier +1us ; barrier +2us\n");
  const KeptColumn<OperationTimes>& free = expected.ranks[0].free;
  for (std::size_t i = 1; i < free.size(); ++i) {
    EXPECT_LE(free[i - 1].end, free[i].begin);
    EXPECT_LE(free[i].begin, free[i].end);
  }
  EXPECT_EQ(free[2].begin, free[1].end);
  EXPECT_EQ(free[2].begin, free[2].end);
}

// Where the other run has nothing at all of a rank, what is only here lies at the begin of that run.
TEST_F(DifferingRuns, OfARankThatDidNothingThereAreWithinTheOtherRun) {
  const Expected expected = columns(
      "ranks 2\nrank 0\n@5us local MPI_Get_count +1us\nlocal MPI_Get_count +1us\nrank 1\n@6us local MPI_Get_count "
      "+1us\n",
      "ranks 2\nrank 0\n@100us local MPI_Get_count +1us\nlocal MPI_Get_count +1us\nrank 1\n");
  ASSERT_EQ(expected.ranks[1].not_judged, (Column<std::uint32_t>{1}));
  EXPECT_EQ(expected.ranks[1].free[0].begin, Time{} + microseconds(100));
}

TEST_F(DifferingRuns, PairOverCallSitesWhoseLinesHaveMoved) {
  const Expected expected = columns(
      "ranks 1\nrank 0\nbarrier site \"solve (a.c:10)\" ; bcast root 0 8B site \"solve (a.c:11)\" ; barrier site "
      "\"main (a.c:30)\"\n",
      "ranks 1\nrank 0\nbarrier site \"solve (a.c:12)\" ; barrier site \"main (a.c:34)\"\n");
  EXPECT_EQ(why_not(expected, 0), "");
  EXPECT_EQ(why_not(expected, 1), kOnlyThere);
  EXPECT_EQ(why_not(expected, 2), "");
}

TEST_F(DifferingRuns, AreInTheReportNotJudgedAndInItsNotes) {
  const Program observed = programs_.parse("ranks 1\nrank 0\nbarrier +5us ; bcast root 0 8B +3us ; barrier +6us\n");
  const Program reference = programs_.parse("ranks 1\nrank 0\nbarrier +1us ; barrier +2us\n");
  const Report report = make_report(observed, reference);
  ASSERT_EQ(report.not_judged.size(), 1U);
  EXPECT_EQ(report.not_judged[0].reason, kOnlyThere);
  EXPECT_EQ(report.not_judged[0].observed, microseconds(3));
  EXPECT_EQ(report.totals.judged_operations, 2U);
  EXPECT_THAT(report.notes, testing::Contains("only in OBS: 1 of 3 operations (3 us): 1 MPI_Bcast"));
}

}  // namespace
}  // namespace plumbline::replay
