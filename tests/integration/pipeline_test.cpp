// From record to compare on real MPI, both flavours.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

class Pipeline : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
    std::ofstream(directory_ / "platform.xml") << one_node_platform();
  }

  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }

  CommandResult record(int ranks, const std::string& program, const std::string& archive = "obs") {
    return plumbline("record -o " + archive + " -- " + GetParam().run(ranks, program));
  }

  std::string jacobi(const std::string& extra = "") {
    return GetParam().example("jacobi") + " --rows 64 --columns 64 --iterations 20 --every 10 --file checkpoint.dat " +
           extra;
  }

  TemporaryDirectory directory_;
};

TEST_P(Pipeline, TracedProgramPrintsWhatTheUntracedOnePrints) {
  const CommandResult plain = run_command(GetParam().run(4, jacobi()), directory_.path());
  const CommandResult traced = record(4, jacobi());
  ASSERT_EQ(plain.status, 0) << text_of(plain);
  EXPECT_EQ(traced.status, 0) << text_of(traced);
  EXPECT_EQ(traced.out, plain.out);
}

TEST_P(Pipeline, RanksOnNamedHostsBringTheirSpoolsWithThem) {
  const std::string hosts = GetParam().name == "openmpi" ? " --host localhost:4" : " -hosts localhost";
  const CommandResult plain = run_command(GetParam().run(4, jacobi()), directory_.path());
  const CommandResult recorded =
      plumbline("record -o obs -- " + GetParam().launcher + hosts + " -n 1 " + jacobi() + " : -n 3 " + jacobi());
  EXPECT_EQ(recorded.status, 0) << text_of(recorded);
  EXPECT_EQ(recorded.out, plain.out);
  EXPECT_NE(recorded.err.find("4 ranks"), std::string::npos) << text_of(recorded);
  const CommandResult left = run_command("ls -d obs.spools-*", directory_.path());
  EXPECT_NE(left.status, 0) << "gathered spools are removed once the archive is whole: " << left.out;
}

TEST_P(Pipeline, AKeptRankPassesOnItsStatusAndItsSpoolIsGathered) {
  std::filesystem::create_directory(directory_ / "spools");
  const std::string launch = GetParam().launcher + " -n 2 " + kPlumbline + " record --rank --gather spools -- ";
  const CommandResult failed = run_command(launch + "sh -c 'exit 5'", directory_.path());
  EXPECT_EQ(failed.status, 5) << text_of(failed);
  ASSERT_EQ(run_command(launch + GetParam().example("ring"), directory_.path()).status, 0);
  const CommandResult assembled = plumbline("assemble spools -o obs");
  EXPECT_EQ(assembled.status, 0) << text_of(assembled);
  EXPECT_NE(assembled.err.find("2 ranks"), std::string::npos) << text_of(assembled);
}

TEST_P(Pipeline, RecordReplayCompareRunsThroughAndBothArchivesAreOtf2) {
  const CommandResult recorded = record(4, jacobi());
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);
  const CommandResult replayed = plumbline("replay obs -p platform.xml -o exp");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  const CommandResult compared = plumbline("compare obs exp --details --json report.json");
  EXPECT_TRUE(compared.status == 0 || compared.status == 1 || compared.status == 5) << text_of(compared);
  EXPECT_NE(compared.out.find("MPI_File_write_all"), std::string::npos) << text_of(compared);
  EXPECT_NE(compared.out.find("jacobi.c:"), std::string::npos) << "call sites are named by source line\n"
                                                               << text_of(compared);

  nlohmann::json report;
  std::ifstream(directory_ / "report.json") >> report;
  EXPECT_TRUE(report.is_object());

  for (const char* archive : {"obs", "exp"}) {
    const CommandResult printed = run_command(std::string("otf2-print ") + archive + "/traces.otf2", directory_.path());
    EXPECT_EQ(printed.status, 0) << printed.err;
    for (const char* record_name : {"MPI_ISEND", "MPI_IRECV", "MPI_COLLECTIVE_END", "IO_CREATE_HANDLE",
                                    "IO_OPERATION_BEGIN", "IO_OPERATION_COMPLETE", "IO_DESTROY_HANDLE"})
      EXPECT_NE(printed.out.find(record_name), std::string::npos) << archive << " has no " << record_name;
    const CommandResult definitions =
        run_command(std::string("otf2-print -G ") + archive + "/traces.otf2", directory_.path());
    for (const char* text : {"MPI-IO", "POSIX", "CLOCK_PROPERTIES"})
      EXPECT_NE(definitions.out.find(text), std::string::npos) << archive << " does not define " << text;
  }
}

TEST_P(Pipeline, TwoReplaysAreByteIdentical) {
  ASSERT_EQ(record(4, jacobi()).status, 0);
  ASSERT_EQ(plumbline("replay obs -p platform.xml -o first").status, 0);
  ASSERT_EQ(plumbline("replay obs -p platform.xml -o second").status, 0);
  const CommandResult difference = run_command("diff -r first second", directory_.path());
  EXPECT_EQ(difference.status, 0) << difference.out;
}

// The name of each event record of an archive, in order, location by location.
std::string event_names(const std::string& archive, const std::filesystem::path& directory, int ranks) {
  std::string names;
  for (int rank = 0; rank < ranks; ++rank)
    names += run_command("otf2-print -L " + std::to_string(rank) + " " + archive +
                             "/traces.otf2 | sed -n 's/^\\([A-Z_]\\+\\)  .*/\\1/p'",
                         directory)
                 .out +
             "--\n";
  return names;
}

TEST_P(Pipeline, ExpectedArchiveHasTheObservedEventsInTheSameOrder) {
  ASSERT_EQ(record(3, jacobi()).status, 0);
  ASSERT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0);
  const std::string observed = event_names("obs", directory_.path(), 3);
  EXPECT_EQ(observed, event_names("exp", directory_.path(), 3));
  EXPECT_GT(std::count(observed.begin(), observed.end(), '\n'), 500);
}

TEST_P(Pipeline, TellsProgramsWhatIsExpected) {
  ASSERT_EQ(record(2, GetParam().example("ring")).status, 0);
  const CommandResult replayed = plumbline("replay obs -p platform.xml --json -o exp");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  const nlohmann::json told = nlohmann::json::parse(replayed.out);
  EXPECT_EQ(told["ranks"], 2);
  int known = told["judged"]["operations"];
  for (const nlohmann::json& part : told["not_judged"])
    if (part["reason"].get<std::string>().starts_with("tracer cost")) known += part["operations"].get<int>();
  EXPECT_EQ(known, 400)
      << "100 rounds, a send and a receive of each rank; on a fast machine most are too short to judge";
  EXPECT_GT(told["expected_ps"], 0);
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "exp"));
}

TEST_P(Pipeline, WhatIfsTellHowLongTheRunWouldBe) {
  ASSERT_EQ(record(2, GetParam().example("ring")).status, 0);
  const CommandResult swept = plumbline("replay obs -p platform.xml --sweep inside.range1.latency=200ns,1ms --json");
  ASSERT_EQ(swept.status, 0) << text_of(swept);
  const nlohmann::json outcomes = nlohmann::json::parse(swept.out);
  EXPECT_EQ(outcomes["outcomes"][0]["length_ps"], outcomes["unchanged_ps"]) << "200 ns is what the platform says";
  // 100 rounds of two messages, each a millisecond later.
  const std::int64_t longer =
      outcomes["outcomes"][1]["length_ps"].get<std::int64_t>() - outcomes["unchanged_ps"].get<std::int64_t>();
  EXPECT_GE(longer, 100'000'000'000) << text_of(swept);
  const CommandResult wrong =
      plumbline("replay obs -p platform.xml --set inside.range1.latncy=1us --set hint.cb_node=1");
  EXPECT_EQ(wrong.status, 3) << text_of(wrong);
  EXPECT_NE(wrong.err.find("did you mean 'inside.range1.latency'"), std::string::npos) << text_of(wrong);
  EXPECT_NE(wrong.err.find("cb_nodes"), std::string::npos) << "both at once: " << text_of(wrong);
}

TEST_P(Pipeline, ExitStatusOfTheProgramComesThrough) {
  const CommandResult result = record(2, "sh -c 'exit 7'");
  EXPECT_EQ(result.status, 7) << text_of(result);
}

TEST_P(Pipeline, AnArchiveIsNotOverwrittenWithoutForce) {
  ASSERT_EQ(record(2, GetParam().example("ring")).status, 0);
  const CommandResult again = record(2, GetParam().example("ring"));
  EXPECT_EQ(again.status, 3) << text_of(again);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << text_of(again);
  EXPECT_EQ(again.out, "") << "the program must not have run";
  const CommandResult forced = plumbline("record --force -o obs -- " + GetParam().run(2, GetParam().example("ring")));
  EXPECT_EQ(forced.status, 0) << text_of(forced);
}

TEST_P(Pipeline, RanksCanAlsoBeRecordedFromInsideTheLauncher) {
  const CommandResult ran =
      run_command(GetParam().run(2, kPlumbline + " record --rank --spool spool -- " + GetParam().example("ring")),
                  directory_.path());
  ASSERT_EQ(ran.status, 0) << text_of(ran);
  const CommandResult assembled = plumbline("assemble spool -o obs");
  EXPECT_EQ(assembled.status, 0) << text_of(assembled);
  EXPECT_EQ(plumbline("info obs").status, 0);
}

using PipelineOverRomio = Pipeline;

// How the finding words it is tested in report_test.cpp: whether there is one here depends on how evenly four ranks
// share the machine's cores, since the collective call waits for all of them.
TEST_P(PipelineOverRomio, IndependentWritesInsideACollectiveCallAreCounted) {
  const std::string program = GetParam().example("jacobi") +
                              " --rows 4096 --columns 32 --iterations 40 --every 4 --file c.dat" +
                              " --hint romio_cb_write=disable --hint romio_ds_write=disable";
  ASSERT_EQ(record(4, program).status, 0);
  ASSERT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0);
  const CommandResult compared = plumbline("compare obs exp --threshold 0.001 --json report.json");
  EXPECT_TRUE(compared.status == 0 || compared.status == 1 || compared.status == 5) << text_of(compared);
  const nlohmann::json report = nlohmann::json::parse(std::ifstream(directory_ / "report.json"));
  const auto& rows = report["rows"];
  const auto written = std::find_if(rows.begin(), rows.end(),
                                    [](const nlohmann::json& row) { return row["call"] == "MPI_File_write_all"; });
  ASSERT_NE(written, rows.end()) << text_of(compared);
  // On a 2 × 2 grid each of 4096 rows is 2 pieces: 2048 in each of 10 checkpoints of 4 ranks. Those in which the
  // tracer took more than 5 % of the time are not judged.
  EXPECT_EQ((*written)["operations"], 40);
  const int judged = (*written)["judged"].get<int>();
  EXPECT_GT(judged, 0);
  EXPECT_EQ((*written)["inner_io"]["operations"], 2048 * judged);
  EXPECT_EQ((*written)["inner_io"]["written_bytes"], 2048 * judged * 128);
  EXPECT_LT((*written)["inner_io"]["needed"], judged) << "each byte once, by one aggregator";
}

INSTANTIATE_TEST_SUITE_P(Mpich, PipelineOverRomio, testing::Values(flavours()[1]),
                         [](const auto& flavour) { return flavour.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, Pipeline, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

}  // namespace
}  // namespace plumbline::test
