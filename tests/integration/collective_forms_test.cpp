// Collectives that OTF2 has no record for, or whose records lie in two calls, recorded on both MPIs and replayed: what
// the program file says of them, and that every one of them is judged.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "replay/collectives/collective_call.hpp"
#include "replay/collectives/neighbourhood.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/text/text.hpp"
#include "tests/replay/engine/support.hpp"
#include "tests/tracer/on_both_mpis.hpp"
#include "tracer/record/assemble/assemble.hpp"

namespace plumbline::spool::test {
namespace {

using replay::Operation;
using testing::ElementsAre;
using testing::ElementsAreArray;

class CollectiveForms : public OnBothMpis {
 protected:
  replay::Program compiled(const std::string& program) {
    outcome_ = run({.flavour = GetParam(), .program = program, .ranks = 3});
    EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
    std::vector<std::filesystem::path> spools;
    for (const auto& entry : std::filesystem::directory_iterator(outcome_.spools))
      if (entry.path().extension() == ".spool") spools.push_back(entry.path());
    std::sort(spools.begin(), spools.end());
    const std::filesystem::path archive = outcome_.work / "archive";
    record::assemble(spools, archive, Overwrite::kNo);
    archive::Reader reader(archive);
    replay::CompileSummary summary;
    return replay::compile(reader, outcome_.work / "program", summary);
  }

  // In every mode and form; as run too, as far as the library tells what it does inside.
  static void expect_to_end(const replay::Program& program) {
    for (const replay::Mode mode : {replay::Mode::kFree, replay::Mode::kAnchored})
      for (const replay::Form form : {replay::Form::kIdeal, replay::Form::kAsConfigured, replay::Form::kAsRun})
        EXPECT_EQ(replay::test::run(program, one_node(), mode, form).unreceived, 0U);
  }

  // On a call this short the tracer's cost may be more than a judgement allows.
  static void expect_judged(const replay::Program& program, const replay::ModelCoverage& coverage, std::uint32_t rank,
                            std::uint32_t operation) {
    const std::string_view why = coverage.reason_not_judged(rank, operation);
    EXPECT_TRUE(why.empty() || why.starts_with("tracer cost"))
        << program.call(program.rank(rank).operations[operation].call) << ": " << why;
  }

  static hw::Platform one_node() { return replay::test::star(1); }
};

// ---- Neighbours

// "neighbor_alltoall to 1:8 from 0:4", without what differs from run to run.
std::vector<std::string> neighbourhoods(const replay::Program& program, std::uint32_t rank) {
  std::vector<std::string> lines;
  const replay::RankProgram& own = program.rank(rank);
  const auto list = [](std::span<const replay::Neighbour> neighbours) {
    std::string text;
    for (const replay::Neighbour& neighbour : neighbours)
      text += fmt::format(" {}:{}", neighbour.rank, neighbour.bytes);
    return text;
  };
  for (const Operation& op : own.operations)
    if (replay::is_neighbourhood(op.kind))
      lines.push_back(
          fmt::format("{}{} <{}", program.call(op.call), list(own.sends_to(op)), list(own.receives_from(op))));
  return lines;
}

TEST_P(CollectiveForms, OfNeighboursAreInTheProgramWithTheirMessagesAndAreJudged) {
  const replay::Program program = compiled("neighbours");
  EXPECT_THAT(neighbourhoods(program, 0),
              ElementsAre("MPI_Neighbor_allgather 1:8 < 1:8", "MPI_Neighbor_allgather 1:4 < 1:4",
                          "MPI_Neighbor_alltoallv 1:4 < 2:12", "MPI_Ineighbor_alltoallw 1:4 < 2:12",
                          "MPI_Neighbor_alltoall 0:4 1:4 < 0:4 1:4"));
  EXPECT_THAT(neighbourhoods(program, 1),
              ElementsAre("MPI_Neighbor_allgather 0:8 2:8 < 0:8 2:8", "MPI_Neighbor_allgather 0:4 2:4 < 0:4 2:4",
                          "MPI_Neighbor_alltoallv 2:8 < 0:4", "MPI_Ineighbor_alltoallw 2:8 < 0:4",
                          "MPI_Neighbor_alltoall 0:4 2:4 < 0:4 2:4"));
  EXPECT_THAT(neighbourhoods(program, 2),
              ElementsAre("MPI_Neighbor_allgather 1:8 < 1:8", "MPI_Neighbor_allgather 1:4 < 1:4",
                          "MPI_Neighbor_alltoallv 0:12 < 1:8", "MPI_Ineighbor_alltoallw 0:12 < 1:8",
                          "MPI_Neighbor_alltoall 1:4 < 1:4"));
  const replay::ModelCoverage coverage(program, one_node());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const replay::RankProgram& own = program.rank(rank);
    std::size_t waits = 0;
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if (op.kind == replay::OpKind::kWait) waits += own.waits_for(op).size();
      if (replay::is_neighbourhood(op.kind) || op.kind == replay::OpKind::kWait)
        expect_judged(program, coverage, rank, i);
    }
    EXPECT_EQ(waits, 1U);
  }
  expect_to_end(program);
}

std::string sorted(std::string text) {
  std::ranges::sort(text);
  return text;
}

// ">1 <0": what was posted for the operation, in the order of the recording.
std::string posted_inside(const replay::RankProgram& rank, std::uint32_t operation) {
  std::string posts;
  for (const replay::InnerItem& item : rank.inner) {
    if (item.kind != replay::InnerKind::kSend && item.kind != replay::InnerKind::kReceive) continue;
    const replay::InnerMessage& message = rank.inner_messages[item.index];
    if (message.operation == operation)
      posts += fmt::format("{}{} ", item.kind == replay::InnerKind::kSend ? '>' : '<', message.peer);
  }
  return posts;
}

std::string posted_by_model(const replay::Program& program, const replay::RankProgram& rank, const Operation& op) {
  const auto call = static_cast<replay::Neighbourhood>(op.tag);
  replay::collectives::schedules::Round round;
  replay::collectives::post_all({rank.sends_to(op), rank.receives_from(op),
                                 replay::collectives::post_order(replay::collectives::library_of(program), call)},
                                round);
  std::string posts;
  for (const replay::collectives::schedules::Transfer& transfer : round.posted)
    posts += fmt::format("{}{} ", transfer.send ? '>' : '<', transfer.peer);
  return posts;
}

TEST_P(CollectiveForms, OfNeighboursPostInTheOrderThatWasRecordedInsideAndAreRunByIt) {
  const replay::Program program = compiled("neighbours");
  const replay::ReplayResult as_run =
      replay::test::run(program, one_node(), replay::Mode::kAnchored, replay::Form::kAsRun);
  EXPECT_TRUE(as_run.inner_faults.empty());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const replay::RankProgram& own = program.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if (!replay::is_neighbourhood(op.kind)) continue;
      EXPECT_THAT(as_run.by_inner[rank], testing::Contains(i)) << program.call(op.call);
      const std::string recorded = posted_inside(own, i), model = posted_by_model(program, own, op);
      // Open MPI's allgather on a grid posts neighbour by neighbour.
      const bool by_neighbour = GetParam() == std::string_view("openmpi") &&
                                static_cast<replay::Neighbourhood>(op.tag) == replay::Neighbourhood::kAllgather;
      EXPECT_EQ(by_neighbour ? sorted(recorded) : recorded, by_neighbour ? sorted(model) : model)
          << program.call(op.call) << " of rank " << rank;
    }
  }
}

// ---- Of all ranks

struct Recorded {
  std::string call;
  std::uint64_t sent = 0, received = 0;
};

void PrintTo(const Recorded& recorded, std::ostream* out) {
  *out << recorded.call << " " << recorded.sent << " " << recorded.received;
}

bool operator==(const Recorded& a, const Recorded& b) {
  return a.call == b.call && a.sent == b.sent && a.received == b.received;
}

// programs/nonblocking_forms.c, ints of 4 bytes.
std::vector<Recorded> truth(std::uint64_t rank) {
  const bool root = rank == 1;
  const std::uint64_t own = 4 * (rank + 1), all = 4 * (1 + 2 + 3), to_all = 4 * (3 * rank + 3);
  return {{"MPI_Ibarrier", 0, 0},
          {"MPI_Ibcast", 20, 20},
          {"MPI_Igather", 8, root ? 24U : 0U},
          {"MPI_Igatherv", own, root ? all : 0},
          {"MPI_Iscatter", root ? 24U : 0U, 8},
          {"MPI_Iscatterv", root ? all : 0, own},
          {"MPI_Iallgather", 8, 24},
          {"MPI_Iallgatherv", own, all},
          {"MPI_Ialltoall", 24, 24},
          {"MPI_Ialltoallv", to_all, to_all},
          {"MPI_Ialltoallw", to_all, to_all},
          {"MPI_Iallreduce", 8, 8},
          {"MPI_Ireduce", 8, root ? 8U : 0U},
          {"MPI_Ireduce_scatter", all, own},
          {"MPI_Ireduce_scatter_block", 24, 8},
          {"MPI_Iscan", 8, 8},
          {"MPI_Iexscan", 8, rank == 0 ? 0U : 8U}};
}

TEST_P(CollectiveForms, OfAllRanksThatDoNotBlockHaveTheirSizesAndEndInTheirWaits) {
  const replay::Program program = compiled("nonblocking_forms");
  const replay::ModelCoverage coverage(program, one_node());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const replay::RankProgram& own = program.rank(rank);
    std::vector<Recorded> found;
    std::size_t waits = 0;
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      const std::string name(program.call(op.call));
      if (op.kind == replay::OpKind::kWait) waits += own.waits_for(op).size();
      if (name == "MPI_Comm_idup") {
        EXPECT_EQ(op.kind, replay::OpKind::kUnmodelled);
      }
      if (op.kind != replay::OpKind::kNonBlockingCollective) continue;
      found.push_back({name, op.bytes, own.collectives[op.extra].received});
      expect_judged(program, coverage, rank, i);
    }
    EXPECT_THAT(found, ElementsAreArray(truth(rank))) << "rank " << rank;
    EXPECT_EQ(waits, truth(rank).size()) << "rank " << rank;
  }
  expect_to_end(program);
}

INSTANTIATE_TEST_SUITE_P(Of, CollectiveForms, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
