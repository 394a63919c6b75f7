// Real recordings for the tools of others.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"
#include "tests/viewer/export/decode.hpp"

namespace plumbline::test {
namespace {

class Convert : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
    const std::string program =
        GetParam().example("jacobi") + " --rows 64 --columns 64 --iterations 20 --every 10 --file checkpoint.dat";
    for (const std::string& command :
         {"record -o obs -- " + GetParam().run(4, program), std::string("replay obs -p platform.xml -o exp")}) {
      const CommandResult result = plumbline(command);
      ASSERT_EQ(result.status, 0) << text_of(result);
    }
  }

  CommandResult plumbline(const std::string& arguments) const {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  std::string read(const std::string& name) const {
    std::ifstream file(directory_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Of all ranks, by the report of the comparison.
  std::uint64_t operations() const {
    plumbline("compare obs exp --json report.json");
    nlohmann::json report;
    std::ifstream(directory_ / "report.json") >> report;
    return report["totals"]["operations"].get<std::uint64_t>() + report["totals"].value("polls", std::uint64_t{0});
  }

  TemporaryDirectory directory_;
};

TEST_P(Convert, PerfettoHasBothRunsAndTheMessagesBetweenRanks) {
  const CommandResult converted = plumbline("convert obs exp -o run.pftrace");
  ASSERT_EQ(converted.status, 0) << text_of(converted);
  const viewer::DecodedTrace trace = viewer::decode_perfetto(read("run.pftrace"));
  std::uint64_t slices = 0, flows = 0;
  for (const char* const side : {"observed: obs", "expected: exp"}) {
    const std::uint64_t process = trace.process(side);
    int ranks = 0;
    for (const auto& [uuid, track] : trace.tracks) {
      if (!track.is_thread || track.parent != process) continue;
      ++ranks;
      EXPECT_NO_THROW(viewer::slices_of(trace, uuid));
      for (const viewer::DecodedEvent& event : trace.on(uuid)) {
        slices += event.type == 1 ? 1 : 0;
        flows += event.flows.size();
      }
    }
    EXPECT_EQ(ranks, 4);
  }
  EXPECT_EQ(slices, 2 * operations());
  // Each of 4 ranks in a row sends 20 times to each neighbour: 6 x 20 messages, in each run. Clocks of one node do not
  // turn messages round.
  EXPECT_GE(flows, 2U * 120U);
  const auto is_halo = [](const viewer::DecodedEvent& event) {
    return event.name == "MPI_Isend" && event.annotations.contains("site") &&
           event.text("site").find("jacobi.c:") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(trace.events, is_halo)) << "call sites are named by source line";
}

TEST_P(Convert, CsvHasALineForEachOperationOfTheReport) {
  const CommandResult converted = plumbline("convert obs exp --to csv -o -");
  ASSERT_EQ(converted.status, 0) << text_of(converted);
  EXPECT_EQ(converted.err, "");
  EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count(converted.out, '\n')), operations() + 1);
  EXPECT_NE(converted.out.find(",MPI_File_write_all,MPI-IO,"), std::string::npos);
  ASSERT_EQ(plumbline("convert obs exp -o run.csv").status, 0);
  EXPECT_EQ(read("run.csv"), converted.out) << "a file holds what would be printed";
  const CommandResult alone = plumbline("convert obs -o alone.csv");
  EXPECT_EQ(alone.status, 0) << text_of(alone);
  const CommandResult twice = plumbline("convert obs obs -o twice.csv");
  EXPECT_EQ(twice.status, 0) << text_of(twice);
}

TEST_P(Convert, ParaverHasThreeFilesWithEqualNames) {
  const CommandResult converted = plumbline("convert obs exp -o run.prv");
  ASSERT_EQ(converted.status, 0) << text_of(converted);
  const std::string records = read("run.prv");
  EXPECT_EQ(records.rfind("#Paraver (", 0), 0U);
  EXPECT_NE(records.find("_ns:1(8):2:4(1:1,1:1,1:1,1:1):4(1:1,1:1,1:1,1:1)\n"), std::string::npos)
      << records.substr(0, 200);
  EXPECT_NE(records.find("\n3:"), std::string::npos) << "there are messages";
  EXPECT_NE(read("run.pcf").find("146      MPI_File_write_all\n"), std::string::npos);
  EXPECT_NE(read("run.row").find("LEVEL THREAD SIZE 8\n"), std::string::npos);
  // A copy has other times of modification.
  ASSERT_EQ(run_command("cp -R obs copy && touch -d '2001-02-03 04:05' copy/*", directory_.path()).status, 0);
  ASSERT_EQ(plumbline("convert copy exp -o again.prv").status, 0);
  EXPECT_EQ(read("again.prv"), records) << "equal archives make equal traces";
}

TEST_P(Convert, TellsWhatIsOnlyInOneOfTwoRuns) {
  const std::string program = GetParam().example("jacobi") + " --rows 64 --columns 64 --iterations 22 --every 10";
  const CommandResult recorded = plumbline("record -o longer -- " + GetParam().run(4, program));
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  const CommandResult converted = plumbline("convert obs longer -o run.csv");
  ASSERT_EQ(converted.status, 0) << text_of(converted);
  EXPECT_NE(converted.err.find("plumbline: only in longer: "), std::string::npos) << text_of(converted);
  EXPECT_NE(converted.err.find("plumbline: only in obs: "), std::string::npos) << text_of(converted);
}

TEST_P(Convert, WhatCannotBeIsToldBeforeAnythingIsWritten) {
  const auto refused = [&](const std::string& arguments, int status, const std::string& reason) {
    const CommandResult result = plumbline("convert " + arguments);
    EXPECT_EQ(result.status, status) << arguments << "\n" << text_of(result);
    EXPECT_NE(result.err.find(reason), std::string::npos) << text_of(result);
  };
  refused("obs exp -o run.json", 2, "add --to perfetto, csv or paraver");
  refused("obs exp --to perfetto -o -", 2, "takes only csv");
  refused("obs exp --to paraver -o run", 2, "name it run.prv");
  refused("exp obs -o run.csv", 4, "give the observed one first");
  refused("obs platform.xml -o run.csv", 3, "platform");
  refused("obs exp -o nowhere/run.csv", 3, "does not exist");
  std::ofstream(directory_ / "run.pcf") << "mine";
  refused("obs exp -o run.prv", 3, "use --force");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "run.prv"));
  EXPECT_EQ(read("run.pcf"), "mine");
  EXPECT_EQ(plumbline("convert obs exp --force -o run.prv").status, 0);
  refused("obs exp --force --to csv -o obs/traces.otf2", 3, "is an input as well");
  const CommandResult full = plumbline("convert obs exp --to csv -o - > /dev/full");
  EXPECT_EQ(full.status, 3) << text_of(full);
  EXPECT_EQ(run_command("ls -A | grep partial", directory_.path()).out, "") << "nothing half made is left";
}

INSTANTIATE_TEST_SUITE_P(Flavours, Convert, testing::ValuesIn(flavours()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plumbline::test
