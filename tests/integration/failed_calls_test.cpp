// Calls of MPI that fail, as a user meets them: recorded, described, replayed and compared, on each MPI.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class FailedCalls : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
  }

  CommandResult run(const std::string& command) const { return run_command(command, directory_.path()); }

  CommandResult record(const std::string& kinds) const {
    const std::string program = fmt::format("{}/bin/traced/{}/failures {}", BUILD_DIRECTORY, GetParam().name, kinds);
    return run(kPlumbline + " record --force -o obs -- " + GetParam().run(2, program));
  }

  // "3 MPI_Send MPI_ERR_RANK on 0", as the report of the comparison has them; replays first.
  enum class Run { kWhole, kIncomplete };
  std::vector<std::string> reported(Run of = Run::kWhole) const {
    const CommandResult replayed = run(kPlumbline + " replay obs -p platform.xml -o exp --force");
    EXPECT_EQ(replayed.status, 0) << text_of(replayed);
    const CommandResult compared = run(kPlumbline + " compare obs exp --json -");
    EXPECT_THAT(compared.status, AnyOf(0, 1, 5)) << text_of(compared);  // compared, whatever was found
    EXPECT_EQ(compared.out.find("Incomplete: ") != std::string::npos, of == Run::kIncomplete) << text_of(compared);
    std::vector<std::string> found;
    const auto report = nlohmann::json::parse(compared.out, nullptr, false);
    if (!report.contains("failed_calls")) return {text_of(compared)};
    for (const auto& calls : report["failed_calls"])
      found.push_back(fmt::format("{} {} {} on {}{}", calls["times"].get<int>(), calls["call"].get<std::string>(),
                                  calls["error_class"].get<std::string>(),
                                  fmt::join(calls["ranks"].get<std::vector<int>>(), ","),
                                  calls["ended_the_process"].get<bool>() ? ", the end" : ""));
    return found;
  }

  TemporaryDirectory directory_;
};

TEST_P(FailedCalls, AreListedWithTheirClassAndHoldUpNobody) {
  const CommandResult recorded = record("sends isend root tag put comm type count probe made files own");
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  const CommandResult info = run(kPlumbline + " info obs");
  EXPECT_EQ(info.status, 0) << text_of(info);
  EXPECT_THAT(info.out, HasSubstr("28 calls failed, most often "));
  EXPECT_THAT(info.out, HasSubstr("MPI_Send (MPI_ERR_RANK), 3 times, at sends (failures.c:"));
  EXPECT_THAT(reported(), UnorderedElementsAre("3 MPI_Send MPI_ERR_RANK on 0", "1 MPI_Isend MPI_ERR_RANK on 0",
                                               "2 MPI_Bcast MPI_ERR_ROOT on 0,1", "1 MPI_Send MPI_ERR_TAG on 0",
                                               "1 MPI_Put MPI_ERR_RANK on 0", "2 MPI_Send MPI_ERR_COMM on 0,1",
                                               "2 MPI_Send MPI_ERR_TYPE on 0,1", "2 MPI_Send MPI_ERR_COUNT on 0,1",
                                               "2 MPI_Probe MPI_ERR_RANK on 0,1", "2 MPI_Comm_dup MPI_ERR_COMM on 0,1",
                                               "4 MPI_File_open MPI_ERR_NO_SUCH_FILE on 0,1",
                                               "2 MPI_File_delete MPI_ERR_NO_SUCH_FILE on 0,1",
                                               "2 MPI_Comm_dup an error of the program's own on 0,1",
                                               "2 MPI_Comm_dup an error of the program's own on 0,1"))
      << "from two places in the program";
}

// A message that was longer than its buffer has arrived all the same: its sender, 1 MB by rendezvous, has sent it.
TEST_P(FailedCalls, ThatTookAMessageLetItsSenderGoOn) {
  ASSERT_EQ(record("truncated statuses persistent any exchange broadcast").status, 0);
  EXPECT_THAT(reported(),
              UnorderedElementsAre("1 MPI_Recv MPI_ERR_TRUNCATE on 1", "1 MPI_Waitall MPI_ERR_IN_STATUS on 1",
                                   "1 MPI_Wait MPI_ERR_TRUNCATE on 1", "1 MPI_Waitany MPI_ERR_TRUNCATE on 1",
                                   "1 MPI_Sendrecv MPI_ERR_TRUNCATE on 1", "1 MPI_Bcast MPI_ERR_TRUNCATE on 1"));
}

TEST_P(FailedCalls, ThatEndTheProgramAreReplayedAndSaidToBeTheEnd) {
  for (const auto& [kind, found] : {std::pair("sends", "1 MPI_Send MPI_ERR_RANK on 0, the end"),
                                    std::pair("isend", "1 MPI_Isend MPI_ERR_RANK on 0, the end"),
                                    std::pair("tag", "1 MPI_Send MPI_ERR_TAG on 0, the end")}) {
    const CommandResult recorded = record(std::string("abort ") + kind);
    EXPECT_NE(recorded.status, 0) << kind;
    const CommandResult info = run(kPlumbline + " info obs");
    EXPECT_EQ(info.status, 0) << text_of(info);
    EXPECT_THAT(reported(Run::kIncomplete), ElementsAre(found)) << kind;
  }
}

// The error is met after the call was found to be good, so that nothing in the recording tells it.
TEST_P(FailedCalls, ThatEndTheProgramOnTheWayAreToldAsTheEndOfIt) {
  EXPECT_NE(record("abort truncated").status, 0);
  EXPECT_THAT(reported(Run::kIncomplete), ElementsAre());
  EXPECT_THAT(run(kPlumbline + " info obs").out, HasSubstr("rank 1 ended in MPI_Recv at truncated (failures.c:"));
}

TEST_P(FailedCalls, ThatAnErrorHandlerLeavesByAJumpHaveAnEndAndWhatFollowsIsRecorded) {
  ASSERT_EQ(record("jumps").status, 0);
  EXPECT_THAT(reported(),
              UnorderedElementsAre("8 MPI_Send left by a jump on 0,1", "2 MPI_Bcast left by a jump on 0,1"));
  const CommandResult info = run(kPlumbline + " info --operations obs");
  std::size_t sends = 0;
  for (std::size_t at = info.out.find("send 1 tag 9"); at != std::string::npos;
       at = info.out.find("send 1 tag 9", at + 1))
    ++sends;
  EXPECT_EQ(sends, 3U) << info.out;
}

TEST_P(FailedCalls, OfAnErrorHandlerThatAbortsAreTheEndByMpiAbort) {
  EXPECT_EQ(record("aborts").status, 7);
  EXPECT_THAT(reported(Run::kIncomplete), ElementsAre("1 MPI_Send MPI_ERR_RANK on 0, the end"));
  EXPECT_THAT(run(kPlumbline + " info obs").out, HasSubstr("aborted by MPI_Abort(7)"));
}

TEST_P(FailedCalls, WithoutAnythingBehindTheirArgumentsDoTheSameAsWithoutTheTracer) {
  const std::string program = fmt::format("{}/bin/traced/{}/failures nothing", BUILD_DIRECTORY, GetParam().name);
  const CommandResult alone = run(GetParam().run(2, program)), recorded = record("nothing");
  EXPECT_EQ(recorded.status, alone.status) << text_of(recorded);
  EXPECT_EQ(alone.status, 0) << text_of(alone);
}

INSTANTIATE_TEST_SUITE_P(Mpi, FailedCalls, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
