// The program of the suite inside of MPI jobs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "base/error.hpp"
#include "bench/suite/cell_kinds.hpp"
#include "bench/suite/description.hpp"
#include "tests/bench/mpi_job.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using plumbline::test::CommandResult;
using plumbline::test::MpiJob;
using ::testing::HasSubstr;
using ::testing::Not;

std::string program_of(const MpiJob& job) { return PLUMBLINE_PROGRAMS "/plumbline-suite-" + job.flavour; }

std::string shown(const CommandResult& result) {
  return fmt::format("status {}\n{}\n{}", result.status, result.out, result.err);
}

// A cell of a little work, with some parameters of its own.
std::string little(const CellKind& kind, const std::map<std::string, std::int64_t>& own = {}) {
  static const std::map<std::string, std::int64_t> kLittle{{"repetitions", 5}, {"calls", 4},  {"files", 3},
                                                           {"steps", 12},      {"sweeps", 3}, {"blocks", 4},
                                                           {"side", 16},       {"rows", 8},   {"window", 4}};
  std::string text = kind.name;
  for (const CellParameter& parameter : kind.parameters) {
    const auto& from = own.contains(parameter.name) ? own : kLittle;
    const auto value = from.find(parameter.name);
    if (value != from.end())
      text += fmt::format("{}{}={}", (text.find(':') != std::string::npos) ? ',' : ':', value->first, value->second);
  }
  return text;
}

std::vector<nlohmann::json> told_by(const CommandResult& result) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line, nullptr, false));
  return lines;
}

class SuiteProgram : public testing::TestWithParam<MpiJob> {
 protected:
  CommandResult run(const std::string& arguments, const std::string& environment = "") {
    return plumbline::test::run_command(
        fmt::format("{} env {} {} --json --directory {} {}", plumbline::test::launcher_of(GetParam()), environment,
                    program_of(GetParam()), directory_.path().string(), arguments),
        ".", 120);
  }
  CellKinds kinds() const { return ask_for_cell_kinds(program_of(GetParam())); }

  plumbline::test::TemporaryDirectory directory_;
};

TEST_P(SuiteProgram, RunsEveryCellAndLeavesNothingBehind) {
  std::string all;
  for (const CellKind& kind : kinds()) all += " " + little(kind);
  const CommandResult result = run(all);
  ASSERT_EQ(result.status, 0) << shown(result);
  const std::vector<nlohmann::json> lines = told_by(result);
  ASSERT_EQ(lines.size(), kinds().size()) << shown(result);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const CellKind kind = kinds()[i];
    ASSERT_TRUE(lines[i].is_object()) << shown(result);
    EXPECT_EQ(lines[i]["cell"], kind.name);
    EXPECT_EQ(lines[i].contains("skipped"), static_cast<int>(kind.least_ranks) > GetParam().ranks) << lines[i];
    EXPECT_EQ(lines[i].contains("seconds"), !lines[i].contains("skipped")) << lines[i];
  }
  EXPECT_TRUE(fs::is_empty(directory_.path()));
}

std::vector<MpiJob> jobs_of(std::initializer_list<int> ranks) {
  std::vector<MpiJob> jobs;
  for (const char* flavour : {PLUMBLINE_FLAVOURS})
    for (const int each : ranks) jobs.push_back({.flavour = flavour, .ranks = each});
  return jobs;
}

std::string name_of(const testing::TestParamInfo<MpiJob>& info) {
  return fmt::format("{}_{}", info.param.flavour, info.param.ranks);
}

INSTANTIATE_TEST_SUITE_P(Mpi, SuiteProgram, testing::ValuesIn(jobs_of({1, 2, 3, 4})), name_of);

using SuiteOnTwoRanks = SuiteProgram;
INSTANTIATE_TEST_SUITE_P(Mpi, SuiteOnTwoRanks, testing::ValuesIn(jobs_of({2})), name_of);

TEST_P(SuiteOnTwoRanks, DataOfAnySizeArrives) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  std::string all;
  for (const CellKind& kind : kinds()) {
    for (int i = 0; i < 3; ++i) {
      std::map<std::string, std::int64_t> own;
      own["piece"] = 4 + static_cast<std::int64_t>(random() % 5000);
      own["bytes"] = static_cast<std::int64_t>(random() % (1U << (random() % 20)));
      own["gap"] = static_cast<std::int64_t>(random() % 300);
      own["side"] = 1 + static_cast<std::int64_t>(random() % 40);
      own["rows"] = 1 + static_cast<std::int64_t>(random() % 20);
      own["element"] = 8 + static_cast<std::int64_t>(random() % 300);
      own["together"] = own["datatypes"] = i % 2;
      for (const CellParameter& parameter : kind.parameters)
        if (own.contains(parameter.name)) own[parameter.name] = std::max(own[parameter.name], parameter.least);
      const bool in_pieces = std::ranges::count(kind.parameters, "piece", &CellParameter::name) != 0;
      if (in_pieces) own["bytes"] = own["piece"] * (2 + static_cast<std::int64_t>(random() % 9));
      all += " " + little(kind, own);
    }
  }
  const CommandResult result = run(all);
  EXPECT_EQ(result.status, 0) << all << "\n" << shown(result);
  EXPECT_EQ(told_by(result).size(), 3 * kinds().size()) << shown(result);
}

using SuiteOnFourRanks = SuiteProgram;
INSTANTIATE_TEST_SUITE_P(Mpi, SuiteOnFourRanks, testing::ValuesIn(jobs_of({4})), name_of);

// A chain of four ranks has three steps. Where the next collective begins before the last one has ended, the rate is
// timed, which is one step for each.
TEST_P(SuiteOnFourRanks, BroadcastsScattersAndReductionsTakeAllTheirSteps) {
  constexpr double kStep_s = 0.01, kSteps = 3;
  const CommandResult result =
      run("bcast:bytes=8,repetitions=12 scatter:bytes=8,repetitions=12 reduce:bytes=8,repetitions=12",
          fmt::format("LD_PRELOAD={}/libsuite-slow-chain-{}.so SLOW_STEP={:.0f}", PLUMBLINE_LIBRARIES,
                      GetParam().flavour, 1e6 * kStep_s));
  ASSERT_EQ(result.status, 0) << shown(result);
  for (const nlohmann::json& line : told_by(result)) {
    ASSERT_TRUE(line.contains("seconds")) << shown(result);
    EXPECT_GE(line["seconds"], line["repetitions"].get<double>() * kSteps * kStep_s) << shown(result);
  }
}

TEST_P(SuiteOnTwoRanks, WrongDataEndsItAndIsTold) {
  const std::string library = PLUMBLINE_LIBRARIES "/libsuite-wrong-data-" + GetParam().flavour + ".so";
  const std::vector<std::pair<std::string, std::string>> cells{{"MPI_Recv", "ping_pong"},
                                                               {"MPI_Recv", "pipeline"},
                                                               {"MPI_Bcast", "bcast"},
                                                               {"MPI_Scan", "scan"},
                                                               {"MPI_Alltoall", "transpose"},
                                                               {"MPI_Alltoall", "alltoall"},
                                                               {"MPI_Irecv", "halo"},
                                                               {"MPI_File_read_at", "read_level2"},
                                                               {"MPI_File_read_at", "write_level3"},
                                                               {"MPI_File_read_at", "read_fields"},
                                                               {"MPI_File_read_at", "reread"}};
  for (const auto& [call, cell] : cells) {
    const CommandResult result = run(cell, fmt::format("LD_PRELOAD={} PLUMBLINE_WRONG={}", library, call));
    EXPECT_EQ(result.status, 1) << cell << "\n" << shown(result);
    EXPECT_THAT(result.err, ::testing::ContainsRegex("plumbline-suite: rank [01]: " + cell + ": .* is .*, not "))
        << shown(result);
    EXPECT_TRUE(fs::is_empty(directory_.path())) << cell;
  }
}

TEST_P(SuiteOnTwoRanks, WrongUseIsToldOnceBeforeAnythingRuns) {
  const std::vector<std::pair<std::string, std::string>> uses{
      {"", "nothing is to be run"},
      {"hallo", "there is no cell 'hallo'"},
      {"halo:sidde=3", "halo has no parameter 'sidde'; known: side, steps"},
      {"halo halo:side=0", "halo:side=0: 'side' is from 1 to"},
      {"halo:side=x", "'side' has no number"},
      {"halo:side=1kB", "'side' has no number"},
      {"halo:side=99999999999999999999", "'side' has no number"},
      {"write_level2:bytes=1000", "1000 bytes are not whole pieces of 4096"},
      {"--hints a halo", "'a' is not key=value"},
      {"--hints =b halo", "'=b' is not key=value"},
      {"--verbose halo", "there is no option --verbose"},
      {"--seconds 0 halo", "--seconds: '0' is no time above 0"},
      {"--seconds 1s halo", "--seconds: '1s' is no time above 0"},
      {"--least 0 halo", "--least: '0' is no number of repetitions from 1 on; write --least 3"},
      {"--least 3x halo", "--least: '3x' is no number of repetitions from 1 on"},
      {"halo --hints", "--hints needs a value"}};
  for (const auto& [arguments, message] : uses) {
    const CommandResult result = plumbline::test::run_command(program_of(GetParam()) + " " + arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << shown(result);
    EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
  const CommandResult launched = run("halo hallo");
  EXPECT_EQ(launched.status, 2) << shown(launched);
  EXPECT_EQ(launched.err.find("plumbline-suite: "), launched.err.rfind("plumbline-suite: ")) << shown(launched);
}

// The last one of three goes up the ranks, of four down.
TEST_P(SuiteOnTwoRanks, ScansAreRightInBothDirections) {
  for (const char* cell : {"scan:bytes=1KiB,repetitions=3", "scan:bytes=1KiB,repetitions=4"}) {
    const CommandResult result = run(cell);
    EXPECT_EQ(result.status, 0) << shown(result);
  }
}

TEST_P(SuiteOnTwoRanks, HintsReachMpiWithTheirCommas) {
  const CommandResult result = run("--hints 'cb_config_list=*:1,x:2,cb_nodes=1' write_level3:calls=2");
  EXPECT_EQ(result.status, 0) << shown(result);
}

TEST_P(SuiteOnTwoRanks, ADirectoryThatIsNotThereOrRefusesIsNamed) {
  const CommandResult none = run("--directory /nonexistent/here write_level0");
  EXPECT_EQ(none.status, 3) << shown(none);
  EXPECT_THAT(none.err, HasSubstr("/nonexistent/here: no directory can be made there: No such file"));
  const CommandResult refused = run("--directory /sys write_level0");
  EXPECT_EQ(refused.status, 6) << shown(refused);
  EXPECT_THAT(refused.err, HasSubstr("/sys: no directory can be made there: "));
  EXPECT_THAT(refused.err, HasSubstr("--directory that all ranks may write to"));
  EXPECT_EQ(run("--directory /nonexistent/here barrier").status, 0) << "a cell without files needs none";
}

TEST_P(SuiteOnTwoRanks, AFullDiskIsToldAndNothingStays) {
  const std::string small = (directory_ / "small").string();
  fs::create_directory(small);
  if (plumbline::test::run_command("mount -t tmpfs -o size=1m none " + small).status != 0)
    GTEST_SKIP() << "needs the right to mount a tmpfs";
  for (const char* cell : {"write_level0", "write_level3", "own_files", "small_files:bytes=1MiB"}) {
    const CommandResult result = run("--directory " + small + " " + cell);
    EXPECT_EQ(result.status, 6) << cell << "\n" << shown(result);
    EXPECT_THAT(result.err, HasSubstr(small + "/plumbline-suite/")) << cell << "\n" << shown(result);
    EXPECT_TRUE(fs::is_empty(small)) << cell;
  }
  plumbline::test::run_command("umount " + small);
}

// Each rank is stopped for 50 ms in every 20th barrier: in one of ten blocks of two repetitions, or in two of them.
TEST_P(SuiteOnTwoRanks, MomentsInWhichRanksAreStoppedAreNoPartOfTypicalSeconds) {
  const std::string stopped = fmt::format("LD_PRELOAD={}/libsuite-stopped-{}.so STOPPED_EVERY=20 STOPPED_FOR=50000",
                                          PLUMBLINE_LIBRARIES, GetParam().flavour);
  const CommandResult result = run("barrier:repetitions=100", stopped);
  ASSERT_EQ(result.status, 0) << shown(result);
  const nlohmann::json line = told_by(result).front();
  EXPECT_GE(line.value("seconds", 0.0), 0.2) << line;
  EXPECT_GT(line.value("typical_seconds", 0.0), 0) << line;
  EXPECT_LT(line.value("typical_seconds", 1.0), 0.2 * line.value("seconds", 0.0)) << line;
}

TEST_P(SuiteOnTwoRanks, TypicalSecondsOfFewBlocksAreAllOfThem) {
  const CommandResult result = run("barrier:repetitions=8");
  ASSERT_EQ(result.status, 0) << shown(result);
  const nlohmann::json line = told_by(result).front();
  EXPECT_GT(line.value("seconds", 0.0), 0) << line;
  EXPECT_EQ(line["typical_seconds"], line["seconds"]) << line;
}

TEST_P(SuiteOnTwoRanks, CellsAreRepeatedLessOftenWhereTimeIsShort) {
  std::string all;
  for (const CellKind& kind : kinds())
    all += " " + little(kind, {{"repetitions", 3000},
                               {"calls", 300},
                               {"files", 300},
                               {"steps", 3000},
                               {"sweeps", 3000},
                               {"side", 16},
                               {"rows", 8},
                               {"blocks", 4},
                               {"window", 4}});
  for (const auto& [options, least] : {std::pair{"--seconds 1e-6", 20}, {"--seconds 1e-6 --least 3", 3}}) {
    const CommandResult result = run(options + all);
    ASSERT_EQ(result.status, 0) << shown(result);
    for (const nlohmann::json& line : told_by(result)) EXPECT_EQ(line.value("repetitions", 0), least) << line;
  }
}

TEST_P(SuiteOnTwoRanks, WhatNeedsTooMuchMemoryIsSkippedWithANote) {
  const CommandResult result = run("transpose:rows=512,element=4096,repetitions=1 barrier:repetitions=5");
  ASSERT_EQ(result.status, 0) << shown(result);
  const std::vector<nlohmann::json> lines = told_by(result);
  ASSERT_EQ(lines.size(), 2U) << shown(result);
  EXPECT_EQ(lines[0].value("skipped", ""), "it needs 2048 MiB on each rank, and has 256");
  EXPECT_TRUE(lines[1].contains("seconds"));
}

TEST_P(SuiteOnTwoRanks, TwoAtOnceDoNotMeet) {
  fs::create_directory(directory_ / "plumbline-suite");
  const CommandResult result = run("write_level0:calls=2");
  EXPECT_EQ(result.status, 0) << shown(result);
  EXPECT_TRUE(fs::exists(directory_ / "plumbline-suite")) << "what another one is at work in is left alone";
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()), 1);
}

TEST_P(SuiteOnTwoRanks, HelpAndListNeedNoMpi) {
  const CommandResult help = plumbline::test::run_command(program_of(GetParam()) + " --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("usage: plumbline-suite"));
  EXPECT_GT(kinds().size(), 25U);
}

TEST_P(SuiteOnTwoRanks, BuiltInSuitesNameCellsThatThereAre) {
  for (const std::string& name : built_in_suites()) {
    const Suite suite = parse_suite(std::string(built_in_suite(name)), name + ".toml", kinds());
    EXPECT_GE(suite.entries.size(), 3U) << name;
    for (const SuiteEntry& entry : suite.entries) EXPECT_GT(entry.seconds, 0) << entry.name << " on a slow network";
  }
}

}  // namespace
}  // namespace plumbline::bench
