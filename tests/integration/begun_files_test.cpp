// Collective accesses to files that do not block, of a real program on both MPIs, from the recording to the replay.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BegunFileAccesses : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }

  replay::Program record(int ranks) {
    const std::string program = fmt::format("{}/bin/traced/{}/begun_files written", BUILD_DIRECTORY, GetParam().name);
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

// By call, of all ranks; what is too short to be judged counts as judged.
std::map<std::string, std::string, std::less<>> reasons_by_call(const replay::Program& program,
                                                                const hw::Platform& platform) {
  const replay::ModelCoverage coverage(program, platform);
  std::map<std::string, std::string, std::less<>> reasons;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (std::uint32_t i = 0; i < program.rank(rank).operations.size(); ++i) {
      const std::string_view why = coverage.reason_not_judged(rank, i);
      const std::string call(program.call(program.rank(rank).operations[i].call));
      reasons[call] += why.starts_with("tracer cost") ? std::string_view() : why;
    }
  return reasons;
}

TEST_P(BegunFileAccesses, AreJudgedWhereTheLibraryDoesNotLeaveThemToLaterCalls) {
  const auto reasons = reasons_by_call(record(3), platform());
  for (const char* split : {"MPI_File_write_all_begin", "MPI_File_write_all_end", "MPI_File_read_at_all_begin",
                            "MPI_File_read_at_all_end"}) {
    ASSERT_TRUE(reasons.contains(split)) << split;
    EXPECT_THAT(reasons.at(split), IsEmpty()) << split;
  }
  for (const char* begun : {"MPI_File_iread_at_all", "MPI_Wait"}) {
    ASSERT_TRUE(reasons.contains(begun)) << begun;
    if (GetParam().name == "openmpi")
      EXPECT_THAT(reasons.at(begun), IsEmpty());
    else
      EXPECT_THAT(reasons.at(begun), HasSubstr("collective file access that"));
  }
}

// MPICH's ROMIO carries it out in the call that begins.
TEST_P(BegunFileAccesses, WithoutCollectiveBufferingAreJudged) {
  if (GetParam().name != "mpich") GTEST_SKIP() << "a hint of ROMIO";
  const auto reasons = reasons_by_call(record(3), platform());
  for (const char* call : {"MPI_File_iwrite_at_all", "MPI_Waitall"}) {
    ASSERT_TRUE(reasons.contains(call)) << call;
    EXPECT_THAT(reasons.at(call), IsEmpty()) << call;
  }
}

// Of the calls of that half of the split form.
std::vector<Duration> durations_of(const replay::Program& program, const replay::ReplayResult& result,
                                   std::string_view half) {
  std::vector<Duration> durations;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto operations = program.rank(rank).operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const bool is_half = program.call(operations[i].call).ends_with(half);
      if (!is_half || (operations[i].flags & replay::kNotJudged)) continue;
      durations.push_back(result.times[rank][i].end - result.times[rank][i].begin);
    }
  }
  return durations;
}

// What lasts is in the call that begins with MPICH, and in the other with Open MPI.
TEST_P(BegunFileAccesses, OfTheSplitFormLastWhereTheLibraryWaits) {
  const replay::Program program = record(3);
  const hw::Platform here = platform();
  const std::string_view ends_at_once = GetParam().name == "mpich" ? "_end" : "_begin";
  for (const replay::Mode mode : {replay::Mode::kAnchored, replay::Mode::kFree})
    for (const replay::Form form : {replay::Form::kIdeal, replay::Form::kAsConfigured, replay::Form::kAsRun}) {
      const replay::ReplayResult result = replay::replay(program, here, {.mode = mode, .form = form});
      EXPECT_EQ(result.unreceived, 0U);
      EXPECT_THAT(durations_of(program, result, ends_at_once), testing::Each(Duration{}));
    }
  const replay::ReplayResult free = replay::replay(program, here, {.mode = replay::Mode::kFree, .compute = 0});
  const std::string_view lasts = GetParam().name == "mpich" ? "_begin" : "_end";
  EXPECT_THAT(durations_of(program, free, lasts), testing::Contains(testing::Gt(Duration{})));
}

INSTANTIATE_TEST_SUITE_P(Mpi, BegunFileAccesses, testing::ValuesIn(flavours()),
                         [](const testing::TestParamInfo<Flavour>& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
