#include "replay/report/report.hpp"
#include "replay/report/make_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/text.hpp"
#include "schema_check.hpp"

namespace plumbline::replay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Reporting : public testing::Test {
 protected:
  // Two ranks write two checkpoints each; collective buffering and sieving are off, so that every call becomes eight
  // writes of 1 KiB where one on one rank was needed. Ideal: 0.1 s in cache, 0.2 s on the device; as run: 1.1 s.
  Program split_program() {
    const std::string inner = repeated("  inner write 1024B +120ms\n", 8);
    const std::string call = "write_at_all 0..8192 +1200ms site \"write_checkpoint (jacobi.c:142)\"\n" + inner;
    const std::string rank =
        "open /out/state.dat collective\n" + call + "compute 3800ms\n" + call + "compute 3800ms\n" + "barrier\n";
    return programs_.parse(
        "ranks 2\nnode alpha ranks 0-1 cores 4\nproperty library = \"MPICH 4.0.2\"\nproperty program = jacobi\n"
        "property hints = \"romio_cb_write=disable;romio_ds_write=disable\"\nproperty lacks = \"off-CPU time\"\n"
        "rank 0\n" +
        rank + "rank 1\n" + rank);
  }

  static Expected split_expected(const Program& program) {
    Expected expected = as_observed(program);
    expected.platform = "lab.xml";
    expected.schedules = "binomial broadcast";
    for (ExpectedRank& rank : expected.ranks)
      for (const std::size_t call : {1U, 2U}) {
        expect(rank, call, milliseconds(100), milliseconds(200), milliseconds(10));
        rank.as_run[call] = rank.as_run_upper[call] = milliseconds(1100);
      }
    for (const std::size_t call : {1U, 2U}) expected.ranks[0].ideal_io[call] = 1;
    return expected;
  }

  static void expect_fits_the_schema(const Report& report) {
    EXPECT_EQ(schema_faults(nlohmann::json::parse(json_text(report)), PLUMBLINE_REPORT_SCHEMA), "");
  }

  Programs programs_;
};

TEST_F(Reporting, NamesTheSplitWriteItsLineAndItsHints) {
  const Program program = split_program();
  const Report report = make_report(program, split_expected(program));
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.reference, Reference::kStructure);
  // as-run less ideal: 1.0 s in cache, 0.9 s on the device; 1.2 s observed are at its end. Two calls on each rank
  EXPECT_EQ(
      finding.title,
      "MPI_File_write_at_all at write_checkpoint (jacobi.c:142) was split into 32 POSIX operations of 1 KiB where 2 "
      "were needed");
  EXPECT_EQ(finding.cost, milliseconds(1800));
  EXPECT_EQ(finding.ranks, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_THAT(finding.advice,
              testing::ElementsAre(HasSubstr("romio_cb_write=disable"), HasSubstr("romio_ds_write=disable")));
  EXPECT_EQ(exit_code(report), ExitCode::kFindings);
  expect_fits_the_schema(report);
}

TEST_F(Reporting, TheTextIsTheGoldenOne) {
  const Program program = split_program();
  const std::string text = to_text(make_report(program, split_expected(program)), {.details = true});
  const std::string golden = std::string(PLUMBLINE_TEST_DIRECTORY) + "/golden/split_write.txt";
  if (std::getenv("PLUMBLINE_BLESS") != nullptr) std::ofstream(golden) << text;
  std::ifstream file(golden);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << "PLUMBLINE_BLESS=1 writes it anew";
}

TEST_F(Reporting, TheSameInputGivesTheSameBytes) {
  const Program program = split_program();
  const Expected expected = split_expected(program);
  EXPECT_EQ(json_text(make_report(program, expected)), json_text(make_report(program, expected)));
  EXPECT_EQ(to_text(make_report(program, expected), {.details = true}),
            to_text(make_report(program, expected), {.details = true}));
}

TEST_F(Reporting, TheJsonSurvivesARoundTrip) {
  const Program program = split_program();
  const std::string text = json_text(make_report(program, split_expected(program)));
  EXPECT_EQ(nlohmann::ordered_json::parse(text).dump(2) + "\n", text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["totals"]["run_ps"], 10'000'000'000'000);
  EXPECT_EQ(json["totals"]["run_s"], 10.0);
  EXPECT_EQ(json["findings"][0]["cost_ps"], 1'800'000'000'000);
  EXPECT_EQ(json["verdict"]["exit_code"], 1);
}

TEST_F(Reporting, TheSchemaCheckFindsWhatDoesNotBelong) {
  const Program program = split_program();
  auto json = nlohmann::json::parse(json_text(make_report(program, split_expected(program))));
  json["rows"][0]["surprise"] = 1;
  json["totals"].erase("run_ps");
  json["verdict"]["word"] = "fine";
  EXPECT_EQ(
      schema_faults(json, PLUMBLINE_REPORT_SCHEMA),
      "/rows/0/surprise: not in the schema\n/totals/run_ps: missing\n/verdict/word: not one of the words allowed\n");
}

TEST_F(Reporting, AnotherCheckerOfSchemasAgrees) {
  if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) return;  // the check above stands alone then
  const Program program = split_program();
  test::TemporaryDirectory directory;
  std::ofstream(directory / "report.json") << json_text(make_report(program, split_expected(program)));
  const std::string command =
      "python3 -c 'import json, sys, jsonschema; jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))"
      ".validate(json.load(open(sys.argv[2])))' " PLUMBLINE_REPORT_SCHEMA " " +
      (directory / "report.json").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(Reporting, NothingToSayIsAsExpected) {
  const Program program = split_program();
  const Report report = make_report(program, as_observed(program));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(exit_code(report), ExitCode::kAsExpected);
  EXPECT_EQ(verdict_sentence(report), "As expected: no excess of 1.0 % of the run (10 s) or more.");
  expect_fits_the_schema(report);
}

TEST_F(Reporting, NoiseThatMattersIsTooNoisyToTell) {
  const Program program = programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..100 file /f +1s\n", 19) +
                                          "pwrite 0..100 file /f +9s\n");
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report report = make_report(program, expected);
  EXPECT_EQ(exit_code(report), ExitCode::kTooNoisy);
  EXPECT_EQ(verdict_sentence(report),
            "Too noisy to tell: in 1 of 1 row a relevant excess can neither be shown nor excluded.");
}

TEST_F(Reporting, WhereNothingCanBeJudgedNothingIsAsExpected) {
  const Program program = programs_.parse("ranks 1\nrank 0\nunmodelled MPI_Put +2s\n");
  const Report report = make_report(program, as_observed(program));
  EXPECT_EQ(exit_code(report), ExitCode::kTooNoisy);
  EXPECT_EQ(judged_share(report), 0.0);
  expect_fits_the_schema(report);
}

// The model sees no loss in 1024 small writes; the run spent 2 x 1.024 s in them.
TEST_F(Reporting, GrosslySplitCallsAreFoundWhereTheModelSeesNoLoss) {
  const auto found = [&](int pieces, const std::string& time) {
    const std::string rank = "open /f collective\ncompute 5s\nwrite_at_all 0..8192 +1200ms\n" +
                             repeated("  inner write 8B +" + time + "\n", pieces);
    const Program program = programs_.parse("ranks 2\nrank 0\n" + rank + "rank 1\n" + rank);
    Expected expected = as_observed(program);
    for (ExpectedRank& columns : expected.ranks) expect(columns, 1, milliseconds(24), milliseconds(24));
    expected.ranks[0].ideal_io[1] = 1;
    return make_report(program, expected).findings;
  };
  const std::vector<Finding> gross = found(1024, "1ms");
  const auto structure = std::ranges::find(gross, Reference::kStructure, &Finding::reference);
  ASSERT_NE(structure, gross.end());
  EXPECT_EQ(structure->cost, seconds(1));
  EXPECT_EQ(structure->confidence, Confidence::kLow);
  EXPECT_THAT(structure->basis, HasSubstr("time in them beyond the ideal, of which the model explains 0 s"));
  EXPECT_EQ(std::ranges::count(found(4, "256ms"), Reference::kStructure, &Finding::reference), 0);
}

TEST_F(Reporting, SlowStorageIsToldByItsRates) {
  const Program program =
      programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..52000000 file /scratch/a +1s\n", 20));
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(100));
  const Report report = make_report(program, expected);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].title, "writes to /scratch reach 52 of 520 MB/s");
  EXPECT_EQ(report.findings[0].component, "storage /scratch");
  EXPECT_EQ(report.findings[0].reference, Reference::kNominal);
  EXPECT_EQ(report.findings[0].confidence, Confidence::kHigh);
  EXPECT_EQ(report.findings[0].cost, seconds(18));
  EXPECT_DOUBLE_EQ(report.findings[0].share, 0.9);
  const auto rate = std::ranges::find(report.findings[0].evidence, kRateWritten, &Evidence::name);
  ASSERT_NE(rate, report.findings[0].evidence.end());
  EXPECT_DOUBLE_EQ(rate->value, 52e6);
}

TEST_F(Reporting, SlowMessagesNameTheirTransport) {
  const std::string nodes = "ranks 4\nnode a ranks 0-1\nnode b ranks 2-3\n";
  const auto component = [&](const std::string& peer) {
    const Program program =
        programs_.parse(nodes + "rank 0\n" + repeated("isend " + peer + " tag 0 8B -> a +1us\nwait a +1s\n", 20));
    Expected expected = as_observed(program);
    expect_all(program, expected, "MPI_Wait", milliseconds(100));
    return make_report(program, expected).findings.at(0);
  };
  EXPECT_EQ(component("1").component, "transport inside a node");
  EXPECT_EQ(component("2").component, "transport between nodes");
  EXPECT_EQ(component("2").title, "MPI_Wait takes 1 s where 100 ms are expected");
}

TEST_F(Reporting, RowsTooSmallForAVerdictMatterTogether) {
  // eight call sites with 20 writes of 1 s, each 50 ms too slow: 0.6 % of the run each, 5 % together
  std::string rank;
  for (int site = 0; site < 8; ++site)
    rank += repeated("pwrite 0..100 file /out/f +1s site \"w (a.c:" + std::to_string(site) + ")\"\n", 20);
  const Program program = programs_.parse("ranks 1\nrank 0\n" + rank);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(950));
  const Report report = make_report(program, expected);
  EXPECT_EQ(report.rows[0].verdict(), Verdict::kAsExpected);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].component, "storage /out");
  EXPECT_EQ(report.findings[0].cost, seconds(8));
  EXPECT_THAT(report.findings[0].title, HasSubstr("(and 7 more rows)"));
}

TEST_F(Reporting, OneRankSlowerThanItsPeersIsNamed) {
  std::string ranks;
  for (int rank = 0; rank < 5; ++rank)
    ranks += "rank " + std::to_string(rank) + "\n" +
             repeated(std::string("pwrite 0..100 file /f +") + (rank == 3 ? "2s" : "1s") + "\n", 10);
  const Program program = programs_.parse("ranks 5\n" + ranks);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(900));
  const Report report = make_report(program, expected);
  const auto peers = std::ranges::find(report.findings, Reference::kPeers, &Finding::reference);
  ASSERT_NE(peers, report.findings.end());
  EXPECT_EQ(peers->ranks, std::vector<std::uint32_t>{3});
  EXPECT_EQ(peers->cost, seconds(10));  // 10 x (1.1 - 0.1 s)
  EXPECT_EQ(peers->title, "rank 3 loses 10 s more than its peers in the same calls, most of it in pwrite");
  EXPECT_EQ(std::ranges::count(report.findings, Reference::kPeers, &Finding::reference), 1);
}

// It is expected to write 5 s where the others are expected to hand 0.5 s of data over, and takes a fifth longer.
TEST_F(Reporting, ARankThatDoesMoreThanTheOthersIsNoPeerOfTheirs) {
  std::string ranks;
  for (int rank = 0; rank < 5; ++rank)
    ranks += "rank " + std::to_string(rank) + "\n" +
             repeated(std::string("pwrite 0..100 file /f +") + (rank == 0 ? "6s" : "600ms") + "\n", 10);
  const Program program = programs_.parse("ranks 5\n" + ranks);
  Expected expected = as_observed(program);
  for (std::size_t rank = 0; rank < 5; ++rank)
    for (std::size_t i = 0; i < 10; ++i)
      expect(expected.ranks[rank], i, milliseconds(rank == 0 ? 5000 : 500), milliseconds(rank == 0 ? 5000 : 500));
  const Report report = make_report(program, expected);
  EXPECT_EQ(std::ranges::count(report.findings, Reference::kPeers, &Finding::reference), 0);
}

TEST_F(Reporting, AllRanksOfANodeAreToldAsTheNode) {
  std::string ranks;
  for (int rank = 0; rank < 6; ++rank)
    ranks += "rank " + std::to_string(rank) + "\n" +
             repeated(std::string("pwrite 0..100 file /f +") + (rank / 2 == 1 ? "2s" : "1s") + "\n", 10);
  const Program program = programs_.parse("ranks 6\nnode a ranks 0-1\nnode b ranks 2-3\nnode c ranks 4-5\n" + ranks);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report report = make_report(program, expected);
  const auto peers = std::ranges::find(report.findings, Reference::kPeers, &Finding::reference);
  ASSERT_NE(peers, report.findings.end());
  EXPECT_EQ(peers->component, "node b");
  EXPECT_EQ(peers->ranks, (std::vector<std::uint32_t>{2, 3}));
}

TEST_F(Reporting, WaitingOnSharedCoresIsWithheldAndStructureIsNot) {
  const std::string inner = repeated("  inner write 1024B +50ms\n", 8);
  const std::string rank = "open /f collective\nwrite_at_all 0..8192 +1s\n" + inner + repeated("barrier +1s\n", 10);
  const Program program = programs_.parse("ranks 2\nnode n ranks 0-1 cores 1\nrank 0\n" + rank + "rank 1\n" + rank);
  Expected expected = as_observed(program);
  expect_all(program, expected, "MPI_Barrier", milliseconds(1));
  for (ExpectedRank& columns : expected.ranks) {
    expect(columns, 1, milliseconds(100), milliseconds(100));
    columns.as_run[1] = columns.as_run_upper[1] = milliseconds(900);
    columns.ideal_io[1] = 1;
  }
  const Report report = make_report(program, expected);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kStructure);
  ASSERT_THAT(report.withheld, testing::Not(IsEmpty()));
  EXPECT_EQ(report.withheld[0].withheld,
            "ranks share cores: 2 ranks on 1 core; waiting cannot be told from being descheduled");
  expect_fits_the_schema(report);
  EXPECT_THAT(to_text(report), HasSubstr("(ranks share cores"));
}

TEST_F(Reporting, TwoRunsGiveFindingsAgainstTheBaseline) {
  const auto run = [&](const std::string& time) {
    return programs_.parse("ranks 1\nrank 0\n" + repeated("pwrite 0..52000000 file /scratch/a +" + time + "\n", 10));
  };
  const Program slow = run("2s"), fast = run("1s");
  const Report report =
      make_report(slow, fast, {.compare = {.observed_name = "B", .reference_name = "A"}, .lateness = {}, .notes = {}});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].reference, Reference::kBaseline);
  EXPECT_EQ(report.findings[0].title, "writes to /scratch reach 26 of 52 MB/s");
  EXPECT_EQ(exit_code(make_report(fast, slow)), ExitCode::kAsExpected);
  EXPECT_THAT(make_report(fast, slow).notes, testing::Contains("1 row is faster than the reference run"));
  expect_fits_the_schema(report);
}

TEST_F(Reporting, TheModelsLatenessIsToldAsItsOwnError) {
  const Program program = split_program();
  const Report report = make_report(program, as_observed(program),
                                    {.compare = {}, .lateness = ModelLateness{4, seconds(1)}, .notes = {"x"}});
  EXPECT_THAT(report.notes,
              testing::Contains(
                  "the model was slower than the world before 4 operations, by 250 ms on average: its own error"));
  EXPECT_EQ(report.notes.back(), "x");
  expect_fits_the_schema(report);
}

TEST_F(Reporting, ColorsComeOnlyWhenAskedFor) {
  const Program program = split_program();
  const Report report = make_report(program, split_expected(program));
  EXPECT_EQ(to_text(report).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(report, {.color = true}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace plumbline::replay
