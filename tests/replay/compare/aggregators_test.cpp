// Collective accesses to files that few ranks carry out for all.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"

namespace plumbline::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Aggregators : public testing::Test {
 protected:
  struct Job {
    std::uint32_t ranks = 4, nodes = 4, aggregators = 1;
    std::string hints = {};
    std::string library = "Open MPI v4.1.4";
    std::string call = "write_at_all", inner = "write";
    std::uint32_t ranks_with_data = 99;
  };

  // Six calls of each rank, each of 1 s, of which the model explains `as_run`. One rank in each block of ranks accesses
  // the file. The ideal form takes 250 ms, and on rank 0 `ideal`.
  Report report_of(const Job& job, Duration as_run = seconds(1), Duration ideal = milliseconds(250)) {
    std::string text = fmt::format("ranks {}\nproperty library = \"{}\"\nproperty hints = \"{}\"\n", job.ranks,
                                   job.library, job.hints);
    const std::uint32_t on_node = job.ranks / job.nodes, block = job.ranks / job.aggregators;
    for (std::uint32_t node = 0; node < job.nodes; ++node)
      text += fmt::format("node n{} ranks {}-{} cores {}\n", node, node * on_node, (node + 1) * on_node - 1, on_node);
    for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
      const std::string access = fmt::format("{} 0..{} +1s site \"dump (j.c:9)\"\n{}compute 1s\n", job.call,
                                             rank < job.ranks_with_data ? 8192 : 0,
                                             rank % block == 0 ? "  inner " + job.inner + " 8192B +400ms\n" : "");
      text += fmt::format("rank {}\nopen /out/state.dat collective\n{}", rank, repeated(access, 6));
    }
    const Program program = programs_.parse(text);
    Expected expected = as_observed(program);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::size_t i = 1; i <= 6; ++i) {
        const Duration best = rank == 0 ? ideal : milliseconds(250);
        expect(expected.ranks[rank], i, best, best);
        expected.ranks[rank].as_run[i] = expected.ranks[rank].as_run_upper[i] = as_run;
        expected.ranks[rank].ideal_io[i] = 1;
      }
    return make_report(program, expected);
  }

  Programs programs_;
};

// One rank of four nodes writes for all: 6 x (1 s - 250 ms) are lost on each rank.
TEST_F(Aggregators, FewerThanNodesAreAFindingWithTheHintThatMendsIt) {
  const Report report = report_of({});
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.reference, Reference::kStructure);
  EXPECT_EQ(finding.component, "aggregators of MPI-IO on /out/state.dat");
  EXPECT_EQ(finding.title,
            "1 rank accessed the file for all 4 nodes in MPI_File_write_at_all at dump (j.c:9); one on each node is "
            "faster here");
  EXPECT_EQ(finding.cost, milliseconds(6 * 750));
  EXPECT_EQ(finding.operations, 24U);
  EXPECT_THAT(finding.advice,
              ElementsAre("set the hint cb_nodes=4, or for all programs with OMPIO --mca io_ompio_num_aggregators 4",
                          HasSubstr("plumbline replay OBS -p PLATFORM --set hint.cb_nodes=4")));
}

// The ideal form has rank 0 done at once, and the three others after 250 ms: (1 + 3 x 0.75) / 4 s of each of 6 calls.
TEST_F(Aggregators, CostEachRankInTheMean) {
  const Report report = report_of({}, seconds(1), milliseconds(0));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].cost, microseconds(6 * 812'500));
  EXPECT_EQ(report.findings[0].cost_is_of, "each rank in the mean");
}

TEST_F(Aggregators, OfReadsAreFoundToo) {
  const Report report = report_of({.ranks = 8, .aggregators = 2, .call = "read_at_all", .inner = "read"});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].title, HasSubstr("2 ranks accessed the file for all 4 nodes in MPI_File_read_at_all"));
}

TEST_F(Aggregators, AsManyAsNodesAreNoFinding) {
  EXPECT_THAT(report_of({.ranks = 8, .nodes = 4, .aggregators = 4}).findings, IsEmpty());
  EXPECT_THAT(report_of({.ranks = 4, .nodes = 1, .aggregators = 1}).findings, IsEmpty()) << "all ranks on one node";
  EXPECT_THAT(report_of({.ranks_with_data = 1}).findings, IsEmpty()) << "the others have nothing to write";
}

// By the model the aggregator takes 2 ms of 1 s: the storage is slow.
TEST_F(Aggregators, ThatCostNothingAreNoFinding) {
  const Report report = report_of({}, milliseconds(252));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kNominal);
}

TEST_F(Aggregators, AHintThatAllowsFewerIsNamed) {
  const Report report = report_of({.hints = "cb_nodes=1 cb_config_list=n0:1", .library = "MPICH 4.0.2"});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].advice.front(),
            "set the hint cb_nodes=4 in place of cb_nodes=1, and let cb_config_list=n0:1 allow as many");
}

TEST_F(Aggregators, WhereHintsAllowAsManyAsNodesTheyAreNotTheCause) {
  EXPECT_THAT(report_of({.hints = "cb_nodes=4 cb_config_list=*:1", .library = "MPICH 4.0.2"}).findings, IsEmpty());
}

}  // namespace
}  // namespace plumbline::replay
