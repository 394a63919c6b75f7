// Findings on the algorithms of collectives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"

namespace plumbline::replay {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class CostlyAlgorithm : public testing::Test {
 protected:
  // Ten times 100 ms on each of two ranks, of 2 s in all; ideally 20 ms, by the algorithm that ran `as_run`.
  Report report(Duration as_run) {
    std::string rank;
    for (int i = 0; i < 10; ++i) rank += "allreduce 8192B +100ms site \"step (jacobi.c:7)\"\ncompute 100ms\n";
    const Program program =
        programs_.parse("ranks 2\nnode alpha ranks 0-1 cores 4\nrank 0\n" + rank + "rank 1\n" + rank);
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Allreduce", milliseconds(20), milliseconds(1));
    for (ExpectedRank& columns : expected.ranks)
      for (std::size_t i = 0; i < columns.as_run.size(); ++i) columns.as_run[i] = columns.as_run_upper[i] = as_run;
    return make_report(program, expected);
  }

  Programs programs_;
};

// 10 x (100 − 20) ms, all of it explained by the algorithm.
TEST_F(CostlyAlgorithm, IsNamedWithWhatItCostsBeyondTheFastest) {
  const Report told = report(milliseconds(100));
  ASSERT_THAT(told.findings, SizeIs(1));
  const Finding& finding = told.findings[0];
  EXPECT_EQ(finding.reference, Reference::kStructure);
  EXPECT_EQ(finding.component, "algorithm of MPI_Allreduce");
  EXPECT_EQ(finding.cost, milliseconds(800));
  EXPECT_THAT(finding.title, HasSubstr("the algorithm of MPI_Allreduce at step (jacobi.c:7) is slower than"));
  EXPECT_THAT(finding.advice, testing::ElementsAre(HasSubstr("coll_tuned_allreduce_algorithm")));
  EXPECT_EQ(finding.ranks, (std::vector<std::uint32_t>{0, 1}));
}

// The algorithm takes what the fastest takes: then it is the stack that is slow.
TEST_F(CostlyAlgorithm, IsNotBlamedForWhatTheStackLost) {
  for (const Finding& finding : report(milliseconds(20)).findings) EXPECT_NE(finding.reference, Reference::kStructure);
}

// Rank 1 comes 1 s late to each of two reductions to rank 0, which waits for it in any algorithm. The tree that ran
// makes rank 2 wait too: 900 ms a call longer than it had to. After that it waits in the barrier all the same.
TEST_F(CostlyAlgorithm, KeepsRanksThatWouldHaveWaitedElsewhereForNothing) {
  const std::string late = "compute 1s\nreduce root 0 8B +10ms site \"sum\"\nbarrier +10ms\n";
  const std::string punctual = "reduce root 0 8B +1010ms site \"sum\"\nbarrier +10ms\n";
  const Program program = programs_.parse("ranks 3\nnode alpha ranks 0-2 cores 4\nrank 0\n" + punctual + punctual +
                                          "rank 1\n" + late + late + "rank 2\n" + punctual + punctual);
  Expected expected = as_observed(program);
  for (const std::size_t i : {0, 2}) expected.ranks[2].lower[i] = expected.ranks[2].upper[i] = milliseconds(110);
  EXPECT_THAT(make_report(program, expected).findings, SizeIs(0));
}

}  // namespace
}  // namespace plumbline::replay
