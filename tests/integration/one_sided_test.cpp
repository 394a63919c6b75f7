// One-sided communication of real programs on both MPIs, from the recording to the replay.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

class OneSidedPrograms : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  replay::Program record(int ranks) {
    const std::string program = fmt::format("{}/bin/traced/{}/rma", BUILD_DIRECTORY, GetParam().name);
    const CommandResult recorded =
        run_command(kPlumbline + " record -o obs -- " + GetParam().run(ranks, program), directory_.path(), 600);
    EXPECT_EQ(recorded.status, 0) << text_of(recorded);
    replay::CompileSummary summary;
    return replay::program_of(directory_ / "obs", summary);
  }

  hw::Platform platform() {
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
    return hw::read_platform(directory_ / "platform.xml");
  }

  TemporaryDirectory directory_;
};

bool is_of_window(std::string_view call) {
  for (const std::string_view prefix : {"MPI_Win_", "MPI_Put", "MPI_Get_accumulate", "MPI_Accumulate", "MPI_Rput",
                                        "MPI_Rget", "MPI_Raccumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap"})
    if (call.starts_with(prefix)) return true;
  return call == "MPI_Get";
}

TEST_P(OneSidedPrograms, AllTheirCallsAreModelled) {
  const replay::Program program = record(3);
  const replay::ModelCoverage coverage(program, platform());
  std::map<replay::OpKind, int> kinds;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const replay::RankProgram& own = program.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const replay::Operation& op = own.operations[i];
      const std::string_view call = program.call(op.call);
      if (!is_of_window(call) && !call.starts_with("MPI_Wait")) continue;
      ++kinds[op.kind];
      const std::string_view why = coverage.reason_not_judged(rank, i);
      const bool is_small = why.starts_with("tracer cost") || why.starts_with("local calls");
      EXPECT_TRUE(why.empty() || is_small || op.kind == replay::OpKind::kWinCreate) << call << ": " << why;
    }
  }
  using enum replay::OpKind;
  for (const replay::OpKind kind :
       {kWinCreate, kWinFree, kWinFence, kWinPost, kWinStart, kWinComplete, kWinWait, kWinLock, kWinUnlock, kWinFlush,
        kWinSync, kRmaPut, kRmaGet, kRmaAccumulate, kRmaFetch, kWait})
    EXPECT_GT(kinds[kind], 0) << static_cast<int>(kind);
  EXPECT_EQ(kinds[kUnmodelled], 0);
  EXPECT_EQ(kinds[kWinCreate], kinds[kWinFree] - 3) << "one window is made while nothing is recorded";
  EXPECT_EQ(program.windows()[0].kind, replay::WindowKind::kCreate);
}

TEST_P(OneSidedPrograms, TheirReplayEnds) {
  const replay::Program program = record(3);
  const hw::Platform here = platform();
  for (const replay::Mode mode : {replay::Mode::kAnchored, replay::Mode::kFree})
    for (const replay::Form form : {replay::Form::kIdeal, replay::Form::kAsConfigured, replay::Form::kAsRun}) {
      const replay::ReplayResult result = replay::replay(program, here, {.mode = mode, .form = form});
      EXPECT_EQ(result.unreceived, 0U);
      for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
        EXPECT_EQ(result.times[rank].size(), program.rank(rank).operations.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Mpi, OneSidedPrograms, testing::ValuesIn(flavours()),
                         [](const testing::TestParamInfo<Flavour>& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
