// What the libraries do inside of collectives, message by message, against their tables: programs of
// tests/tracer/programs/collective_points.c recorded on both MPIs. One test per number of ranks, so that the comparison
// can be run in pieces:
//   bin/collectives_inside_test --gtest_filter='*mpich_8*'
//   PLUMBLINE_POINTS=8,1024,16384,131072,1048576,4194304 bin/collectives_inside_test     other sizes
//   PLUMBLINE_ALL_POINTS=1 bin/collectives_inside_test      9 and 16 ranks too; non-blocking: 2 to 9, all thresholds
//   PLUMBLINE_INTERNALS_TABLE=table.tsv bin/collectives_inside_test                       appends a row per point
//   tests/integration/internals_page.py table.tsv > docs/notebook/inside-of-collectives.md

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "replay/collectives/recorded/collective_calls.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

namespace schedules = replay::collectives::schedules;

struct Piece {
  Flavour flavour;
  int ranks = 2;
  int root = 0;
};

void PrintTo(const Piece& piece, std::ostream* out) { *out << piece.flavour.name << ", " << piece.ranks << " ranks"; }

std::string name_of_piece(const testing::TestParamInfo<Piece>& piece) {
  return fmt::format("{}_{}", piece.param.flavour.name, piece.param.ranks);
}

// By default of this comparison.
std::string sizes(const char* otherwise = "8,1024,16384,131072") {
  const char* wanted = std::getenv("PLUMBLINE_POINTS");
  return wanted != nullptr ? wanted : otherwise;
}

// Of non-blocking collectives a few by default; on both sides of each threshold of both libraries when they are asked
// for, and nothing at all.
bool wants_all_points() { return std::getenv("PLUMBLINE_ALL_POINTS") != nullptr; }
std::string non_blocking_sizes() {
  return sizes(wants_all_points()
                   ? "0,8,24,1000,2048,2056,8192,12280,12288,16384,32768,32776,65528,65536,131072,524280,"
                     "524288,1048576"
                   : "8,16384,131072");
}

// The program's own: doubles, a sum that commutes, or an operator of its own that does not (in the second run); whether
// its non-blocking calls are in place, which a recording of iallreduce does not tell.
struct Reading {
  bool commutative = true, built_in = true, in_place = false;
  std::uint32_t nodes = 0;  // over which MPICH was told to take the ranks for dealt out one by one; 0: as recorded
};

class CollectivesInside : public testing::TestWithParam<Piece> {
 protected:
  void SetUp() override {
    if (!GetParam().flavour.installed()) GTEST_SKIP() << "mpirun." << GetParam().flavour.name << " is not installed";
  }

  void record(const std::string& operations, const std::string& bytes = sizes()) {
    const Piece& piece = GetParam();
    const std::string program = fmt::format("{}/bin/traced/{}/collective_points {} {} {}", BUILD_DIRECTORY,
                                            piece.flavour.name, operations, bytes, piece.root);
    const CommandResult plain = run(piece.flavour.run(piece.ranks, program));
    ASSERT_EQ(plain.status, 0) << text_of(plain);
    const CommandResult recorded =
        run(kPlumbline + " record --internals=on -o obs -- " + piece.flavour.run(piece.ranks, program));
    ASSERT_EQ(recorded.status, 0) << text_of(recorded);
    EXPECT_EQ(recorded.out.substr(0, recorded.out.find('\n')), plain.out.substr(0, plain.out.find('\n')))
        << "the results of the program, recorded and not";
  }

  CommandResult run(const std::string& command) const { return run_command(command, directory_.path(), 600); }

  // Compares every collective with what the library's tables say; the number of points.
  std::set<std::string> compare(const Reading& reading) {
    replay::CompileSummary summary;
    const replay::Program program = replay::program_of(directory_ / "obs", summary);
    const replay::collectives::recorded::InnerIndex inner(program);
    std::set<std::string> points;
    replay::collectives::for_each_collective(program, [&](const replay::collectives::CollectiveCall& collective) {
      auto call = replay::collectives::call_of(program, collective, sizeof(double));
      if (!call) return;
      call->commutative = reading.commutative;
      call->built_in = reading.built_in;
      for (std::uint32_t rank = 0; reading.nodes > 0 && rank < call->ranks; ++rank)
        call->node_of[rank] = rank % reading.nodes;
      if (reading.in_place && collective.name.starts_with("MPI_I")) call->in_place = true;
      // In the v-forms the second rank has one whole block.
      const std::uint64_t elements = call->counts.empty() ? call->count : call->counts[1];
      const std::string point = fmt::format("{} of {} ranks, {} elements", collective.name, call->ranks, elements);
      const auto observed = replay::collectives::recorded::observed_of(program, inner, collective);
      ASSERT_TRUE(observed) << point << ": a peer, a size or a completion inside is not known";
      const schedules::Algorithm choice = schedules::choice_of(GetParam().flavour.name, *call);
      const auto difference = schedules::first_difference(choice, *call, *observed);
      EXPECT_FALSE(difference) << point << ": not " << to_string(choice) << ": " << difference.value_or("");
      points.insert(point + (call->in_place ? " in place" : ""));
      tell(*call, elements * call->type_bytes, choice, !difference);
    });
    return points;
  }

  static void tell(const schedules::Call& call, std::uint64_t bytes, const schedules::Algorithm& choice, bool equal) {
    const char* path = std::getenv("PLUMBLINE_INTERNALS_TABLE");
    if (path == nullptr) return;
    const char* const kind = !call.commutative ? "+" : call.in_place ? "=" : "";
    std::ofstream(path, std::ios::app) << fmt::format("{}\t{}{}\t{}\t{}\t{}\t{}\n", choice.library,
                                                      to_string(call.operation), kind, call.ranks, bytes,
                                                      to_string(choice), equal ? "equal" : "different");
  }

  TemporaryDirectory directory_;
};

TEST_P(CollectivesInside, AreWhatTheTablesSayMessageByMessage) {
  record("all");
  if (HasFatalFailure()) return;
  const std::set<std::string> points = compare({});
  const std::string all = sizes();
  EXPECT_EQ(points.size(), 16U * (1 + std::ranges::count(all, ',')) + 1) << "16 operations of each size, and a barrier";
  RecordProperty("points", static_cast<int>(points.size()));
}

TEST_P(CollectivesInside, AreWhatTheTablesSayForAnOperatorThatDoesNotCommute) {
  record("reduce+,allreduce+,reduce_scatter+,reduce_scatter_block+,scan+,exscan+");
  if (HasFatalFailure()) return;
  EXPECT_GE(compare({.commutative = false, .built_in = false}).size(), 20U);
}

class NonBlockingInside : public CollectivesInside {};

// What depends little on the number of ranks.
bool is_left_to_fewer_ranks() { return NonBlockingInside::GetParam().ranks > 5 && !wants_all_points(); }

std::ptrdiff_t non_blocking(const std::set<std::string>& points) {
  return std::ranges::count_if(points, [](const std::string& point) { return point.starts_with("MPI_I"); });
}

TEST_P(NonBlockingInside, IsWhatTheTablesSayMessageByMessage) {
  record("iall", non_blocking_sizes());
  if (HasFatalFailure()) return;
  const std::string all = non_blocking_sizes();
  EXPECT_EQ(non_blocking(compare({})), 16 * (1 + std::ranges::count(all, ',')) + 1) << "16 operations of each size";
}

TEST_P(NonBlockingInside, IsWhatTheTablesSayForAnOperatorThatDoesNotCommute) {
  if (is_left_to_fewer_ranks()) GTEST_SKIP() << "4 and 5 ranks are enough";
  record("ireduce+,iallreduce+,ireduce_scatter+,ireduce_scatter_block+,iscan+,iexscan+", non_blocking_sizes());
  if (HasFatalFailure()) return;
  EXPECT_GE(non_blocking(compare({.commutative = false, .built_in = false})), 18);
}

TEST_P(NonBlockingInside, IsWhatTheTablesSayInPlace) {
  if (is_left_to_fewer_ranks()) GTEST_SKIP() << "4 and 5 ranks are enough";
  record("iallreduce=,ialltoall=", sizes("1024,131072"));
  if (HasFatalFailure()) return;
  EXPECT_EQ(non_blocking(compare({.in_place = true})), 4);
}

// MPICH can be made to see other nodes than there are.
TEST_P(NonBlockingInside, IsWhatMpichsTablesSayOnSeveralNodes) {
  if (GetParam().flavour.name != "mpich") GTEST_SKIP() << "of MPICH alone";
  if (GetParam().ranks != 5 && !wants_all_points()) GTEST_SKIP() << "5 ranks are enough";
  const auto ranks = static_cast<std::uint32_t>(GetParam().ranks);
  for (const auto& [variable, nodes] : {std::pair{"MPIR_CVAR_NUM_CLIQUES", 2U}, {"MPIR_CVAR_NOLOCAL", ranks}}) {
    SCOPED_TRACE(variable);
    setenv(variable, variable == std::string("MPIR_CVAR_NOLOCAL") ? "1" : "2", 1);
    record("iall", sizes(wants_all_points() ? "8,2056,16384,524288" : "8,16384"));
    unsetenv(variable);
    if (HasFatalFailure()) return;
    EXPECT_GE(non_blocking(compare({.nodes = nodes})), 16);
    std::filesystem::remove_all(directory_ / "obs");
  }
}

std::vector<Piece> pieces(const std::vector<int>& numbers_of_ranks) {
  std::vector<Piece> result;
  for (const Flavour& flavour : flavours())
    for (const int ranks : numbers_of_ranks) result.push_back({flavour, ranks, ranks / 3});
  return result;
}

// 9 and 16 ranks take two cores a minute and a half, and are left to those who ask for all points.
INSTANTIATE_TEST_SUITE_P(Points, CollectivesInside,
                         testing::ValuesIn(pieces(wants_all_points() ? std::vector{2, 3, 4, 5, 6, 7, 8, 9, 12, 16}
                                                                     : std::vector{2, 3, 4, 5, 6, 7, 8, 12})),
                         name_of_piece);
INSTANTIATE_TEST_SUITE_P(Points, NonBlockingInside,
                         testing::ValuesIn(pieces(wants_all_points() ? std::vector{2, 3, 4, 5, 6, 7, 8, 9}
                                                                     : std::vector{4, 5, 8})),
                         name_of_piece);

}  // namespace
}  // namespace plumbline::test
