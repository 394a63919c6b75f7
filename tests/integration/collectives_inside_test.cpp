// What the libraries do inside of blocking collectives, message by message, against their tables: programs of
// tests/tracer/programs/collective_points.c recorded on both MPIs. One test per number of ranks, so that the comparison
// can be run in pieces:
//   bin/collectives_inside_test --gtest_filter='*mpich_8*'
//   PLUMBLINE_POINTS=8,1024,16384,131072,1048576,4194304 bin/collectives_inside_test     other sizes
//   PLUMBLINE_INTERNALS_TABLE=table.tsv bin/collectives_inside_test                       appends a row per point
//   tests/integration/internals_page.py table.tsv > docs/internals.md

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "replay/inside/collective_calls.hpp"
#include "replay/mpi/schedules/tables.hpp"
#include "replay/program/compile.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

namespace schedules = replay::mpi::schedules;

struct Piece {
  Flavour flavour;
  int ranks = 2;
  int root = 0;
};

void PrintTo(const Piece& piece, std::ostream* out) { *out << piece.flavour.name << ", " << piece.ranks << " ranks"; }

std::string name_of_piece(const testing::TestParamInfo<Piece>& piece) {
  return fmt::format("{}_{}", piece.param.flavour.name, piece.param.ranks);
}

std::string sizes() {
  const char* wanted = std::getenv("PLUMBLINE_POINTS");
  return wanted != nullptr ? wanted : "8,1024,16384,131072";
}

// The program's own: doubles, a sum that commutes, or an operator of its own that does not (in the second run).
struct Reading {
  bool commutative = true, built_in = true;
};

class CollectivesInside : public testing::TestWithParam<Piece> {
 protected:
  void SetUp() override {
    if (!GetParam().flavour.installed()) GTEST_SKIP() << "mpirun." << GetParam().flavour.name << " is not installed";
  }

  void record(const std::string& operations) {
    const Piece& piece = GetParam();
    const std::string program = fmt::format("{}/bin/traced/{}/collective_points {} {} {}", BUILD_DIRECTORY,
                                            piece.flavour.name, operations, sizes(), piece.root);
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
    const replay::inside::InnerIndex inner(program);
    std::set<std::string> points;
    replay::inside::for_each_collective(program, [&](const replay::inside::CollectiveCall& collective) {
      auto call = replay::inside::call_of(program, collective, sizeof(double));
      if (!call) return;
      call->commutative = reading.commutative;
      call->built_in = reading.built_in;
      // In the v-forms the second rank has one whole block.
      const std::uint64_t elements = call->counts.empty() ? call->count : call->counts[1];
      const std::string point = fmt::format("{} of {} ranks, {} elements", collective.name, call->ranks, elements);
      const auto observed = replay::inside::observed_of(program, inner, collective);
      ASSERT_TRUE(observed) << point << ": a peer, a size or a completion inside is not known";
      const schedules::Algorithm choice = schedules::choice_of(GetParam().flavour.name, *call);
      const auto difference = schedules::first_difference(choice, *call, *observed);
      EXPECT_FALSE(difference) << point << ": not " << to_string(choice) << ": " << difference.value_or("");
      points.insert(point);
      tell(*call, elements * call->type_bytes, choice, !difference);
    });
    return points;
  }

  static void tell(const schedules::Call& call, std::uint64_t bytes, const schedules::Algorithm& choice, bool equal) {
    const char* path = std::getenv("PLUMBLINE_INTERNALS_TABLE");
    if (path == nullptr) return;
    std::ofstream(path, std::ios::app) << fmt::format("{}\t{}{}\t{}\t{}\t{}\t{}\n", choice.library,
                                                      to_string(call.operation), call.commutative ? "" : "+", call.ranks,
                                                      bytes, to_string(choice), equal ? "equal" : "different");
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

std::vector<Piece> pieces() {
  std::vector<Piece> result;
  for (const Flavour& flavour : flavours())
    for (const int ranks : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) result.push_back({flavour, ranks, ranks / 3});
  return result;
}

INSTANTIATE_TEST_SUITE_P(Points, CollectivesInside, testing::ValuesIn(pieces()), name_of_piece);

}  // namespace
}  // namespace plumbline::test
