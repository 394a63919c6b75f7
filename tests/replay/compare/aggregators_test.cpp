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
    std::uint32_t ranks = 4, nodes = 4, cores = 99;
    std::uint32_t aggregators = 1, ideal_aggregators = 4;
    bool in_turn = false;  // each call has another aggregator
    std::string hints = {};
    std::string library = "Open MPI v4.1.4";
    std::string call = "write_at_all", inner = "write";
    int pieces = 1;
    std::uint32_t communicators = 1;  // of as many ranks each, with a file of its own
    Duration as_run = seconds(1), ideal = milliseconds(250), ideal_on_rank_0 = milliseconds(250);
    Duration band = {};
  };
  static constexpr std::uint32_t kCalls = 6;

  static std::string communicators_of(const Job& job) {
    const std::uint32_t members = job.ranks / job.communicators;
    std::string text;
    for (std::uint32_t rank = 0; job.communicators > 1 && rank < job.ranks; ++rank)
      text += (rank % members == 0 ? fmt::format("\ncomm {} =", rank / members + 1) : "") + fmt::format(" {}", rank);
    return text + "\n";
  }

  // Each rank has kCalls calls of 1 s. The first rank of each of as many blocks as there are aggregators accesses the
  // file.
  Program program_of(const Job& job) {
    std::string text = fmt::format("ranks {}\nproperty library = \"{}\"\nproperty hints = \"{}\"\n", job.ranks,
                                   job.library, job.hints);
    const std::uint32_t on_node = job.ranks / job.nodes, block = job.ranks / job.aggregators;
    for (std::uint32_t node = 0; node < job.nodes; ++node)
      text += fmt::format("node n{} ranks {}-{} cores {}\n", node, node * on_node, (node + 1) * on_node - 1, job.cores);
    text += communicators_of(job);
    for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
      const std::uint32_t comm = job.communicators > 1 ? rank / (job.ranks / job.communicators) + 1 : 0;
      const std::string file = comm > 0 ? fmt::format("/out/state-{}.dat", comm) : "/out/state.dat";
      text += fmt::format("rank {}\nopen {} collective comm {}\n", rank, file, comm);
      for (std::uint32_t i = 0; i < kCalls; ++i) {
        const bool makes = (rank + (job.in_turn ? i : 0)) % block == 0;
        text += fmt::format("{} 0..8192 comm {} +1s site \"dump (j.c:9)\"\n", job.call, comm) +
                repeated("  inner " + job.inner + " 1024B +40ms\n", makes ? job.pieces : 0) + "compute 1s\n";
      }
    }
    return programs_.parse(text);
  }

  static Expected expected_of(const Job& job, const Program& program) {
    Expected expected = as_observed(program);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::size_t i = 1; i <= kCalls; ++i) {
        const Duration ideal = rank == 0 ? job.ideal_on_rank_0 : job.ideal;
        expect(expected.ranks[rank], i, ideal, ideal, job.band);
        expected.ranks[rank].as_run[i] = expected.ranks[rank].as_run_upper[i] = job.as_run;
        expected.ranks[rank].ideal_io[i] = rank % (job.ranks / job.ideal_aggregators) == 0 ? 1 : 0;
      }
    return expected;
  }

  Report report_of(const Job& job) {
    const Program program = program_of(job);
    return make_report(program, expected_of(job, program));
  }

  Programs programs_;
};

// One rank of four nodes writes for all: 6 x (1 s - 250 ms) are lost on each rank.
TEST_F(Aggregators, FewerThanInTheIdealFormAreAFindingWithTheHintThatMendsIt) {
  const Report report = report_of({});
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.reference, Reference::kStructure);
  EXPECT_EQ(finding.component, "aggregators of MPI-IO on /out/state.dat");
  EXPECT_EQ(finding.title,
            "MPI_File_write_at_all at dump (j.c:9) went through 1 aggregator; 4 on as many nodes are faster here");
  EXPECT_EQ(finding.cost, milliseconds(6 * 750));
  EXPECT_EQ(finding.operations, 24U);
  EXPECT_THAT(finding.advice,
              ElementsAre("set the hint cb_nodes=4, or for all programs with OMPIO --mca io_ompio_num_aggregators 4",
                          HasSubstr("plumbline replay OBS -p PLATFORM --set hint.cb_nodes=4")));
}

// The ideal form has rank 0 done at once, and the three others after 250 ms: (1 + 3 x 0.75) / 4 s of each of 6 calls.
TEST_F(Aggregators, CostEachRankInTheMean) {
  const Report report = report_of({.ideal_on_rank_0 = Duration{}});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].cost, microseconds(6 * 812'500));
  EXPECT_EQ(report.findings[0].cost_is_of, "each rank in the mean");
}

TEST_F(Aggregators, OfReadsAreFoundToo) {
  const Report report = report_of({.ranks = 8, .aggregators = 2, .call = "read_at_all", .inner = "read"});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].title, HasSubstr("went through 2 aggregators; 4 on as many nodes"));
}

TEST_F(Aggregators, AreCountedInEachCall) {
  const Report report = report_of({.in_turn = true});
  ASSERT_THAT(report.findings, SizeIs(1)) << "each call went through one, another one each time";
  EXPECT_THAT(report.findings[0].title, HasSubstr("went through 1 aggregator; 4 on as many nodes"));
}

// Ranks 0 and 1 write through rank 0, and ranks 2 and 3 through rank 2, where each could write its own part.
TEST_F(Aggregators, AreCountedInEachCommunicator) {
  const Report report = report_of({.aggregators = 2, .communicators = 2});
  ASSERT_THAT(report.findings, SizeIs(1)) << "one for the place in the program, not one for each file";
  EXPECT_THAT(report.findings[0].title, HasSubstr("went through 1 aggregator; 2 on as many nodes"));
  EXPECT_EQ(report.findings[0].cost, milliseconds(6 * 750));
  EXPECT_THAT(report_of({.aggregators = 2, .ideal_aggregators = 2, .communicators = 2}).findings, IsEmpty());
}

TEST_F(Aggregators, AsManyAsInTheIdealFormAreNoFinding) {
  EXPECT_THAT(report_of({.ranks = 8, .aggregators = 4}).findings, IsEmpty());
  EXPECT_THAT(report_of({.nodes = 1}).findings, IsEmpty()) << "all ranks on one node";
  EXPECT_THAT(report_of({.ideal_aggregators = 1}).findings, IsEmpty()) << "too little data for more";
}

// By the model the aggregator takes 2 ms of 1 s: the storage is slow.
TEST_F(Aggregators, ThatCostNothingAreNoFinding) {
  const Report report = report_of({.as_run = milliseconds(252)});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kNominal);
}

TEST_F(Aggregators, AreNoFindingWithinTheBand) {
  EXPECT_THAT(report_of({.band = milliseconds(800)}).findings, IsEmpty());
}

// Ranks that wait for each other's core.
TEST_F(Aggregators, AreWithheldWithTheirRow) {
  const Report report = report_of({.nodes = 2, .cores = 1, .ideal_aggregators = 2});
  EXPECT_THAT(report.findings, IsEmpty());
  ASSERT_THAT(report.withheld, SizeIs(1));
  EXPECT_THAT(report.withheld[0].withheld, HasSubstr("share"));
}

// One rank writes 64 pieces where four ranks need one each.
TEST_F(Aggregators, OfASplitCallAreNotToldBeside) {
  const Report report = report_of({.pieces = 64});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].title, HasSubstr("was split into"));
}

TEST_F(Aggregators, AHintThatAllowsFewerIsNamedAndNoParameterBesideIt) {
  const auto advice = [&](const std::string& hints, const std::string& library) {
    const Report report = report_of({.hints = hints, .library = library});
    return report.findings.size() == 1 ? report.findings[0].advice.front() : "no finding";
  };
  EXPECT_EQ(advice("cb_nodes=1 cb_config_list=n0:1", "MPICH 4.0.2"),
            "set the hint cb_nodes=4 in place of cb_nodes=1, and let cb_config_list=n0:1 allow as many");
  EXPECT_EQ(advice("cb_nodes=1", "Open MPI v4.1.4"), "set the hint cb_nodes=4 in place of cb_nodes=1");
}

TEST_F(Aggregators, WhereHintsAllowAsManyTheyAreNotTheCause) {
  EXPECT_THAT(report_of({.hints = "cb_nodes=4 cb_config_list=*:1", .library = "MPICH 4.0.2"}).findings, IsEmpty());
}

}  // namespace
}  // namespace plumbline::replay
