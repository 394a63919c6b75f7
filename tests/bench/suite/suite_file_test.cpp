// Suites as files describe them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "bench/suite/cell_kinds.hpp"
#include "bench/suite/description.hpp"
#include "tests/bench/suite/cell_kinds.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const CellKinds& some_kinds() {
  static const CellKinds kinds = parse_cell_kinds(test::kSomeCells, "cells");
  return kinds;
}

Suite suite_of(const std::string& text) { return parse_suite(text, "s.toml", some_kinds()); }

std::string faults_of(const std::string& text) {
  try {
    suite_of(text);
  } catch (const Error& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_string(problem) + "\n";
    return all;
  }
  return "";
}

// An entry that is right but for one line, which is the third.
std::string faults_of_line(const std::string& line) {
  return faults_of("[[entry]]\nname = \"x\"\n" + line + "\ncells = \"halo\"\n");
}

std::string faults_of_cell(const std::string& cell) {
  return faults_of("[[entry]]\nname = \"x\"\ncells = [\"halo\", \"" + cell + "\"]\n");
}

TEST(SuiteFile, OfThreeLinesHasADefaultForEverythingElse) {
  const Suite suite = suite_of("[[entry]]\nname = \"halo\"\ncells = \"halo\"\n");
  EXPECT_EQ(suite.name, "s");
  ASSERT_EQ(suite.entries.size(), 1U);
  EXPECT_EQ(suite.entries[0], (SuiteEntry{.name = "halo", .cells = {"halo"}}));
}

TEST(SuiteFile, TellsCellsRanksHintsAndEnvironment) {
  const SuiteEntry entry = suite_of(R"(
[[entry]]
name = "one.of_each-1"
cells = ["strided:bytes=64KiB,piece=1KiB", "halo:steps=7"]
ranks = 4
hints = { cb_nodes = 2, romio_cb_write = "enable", striping = true }
environment = { OMPI_MCA_btl = "self,tcp" }
seconds = "300ms"
)")
                               .entries.at(0);
  EXPECT_THAT(entry.cells, ElementsAre("strided:bytes=64KiB,piece=1KiB", "halo:steps=7"));
  EXPECT_EQ(entry.ranks, 4U);
  EXPECT_THAT(entry.hints,
              ElementsAre(Pair("cb_nodes", "2"), Pair("romio_cb_write", "enable"), Pair("striping", "true")));
  EXPECT_THAT(entry.environment, ElementsAre(Pair("OMPI_MCA_btl", "self,tcp")));
  EXPECT_DOUBLE_EQ(entry.seconds, 0.3);
  EXPECT_TRUE(uses_files(entry, some_kinds()));
  EXPECT_THAT(command_of(entry, "/lib/suite", "/scratch"),
              ElementsAre("/lib/suite", "--json", "--directory", "/scratch", "--hints",
                          "cb_nodes=2,romio_cb_write=enable,striping=true", "--seconds", "0.3",
                          "strided:bytes=64KiB,piece=1KiB", "halo:steps=7"));
}

TEST(SuiteFile, AProgramOfAUsersOwnIsStartedAsItIsGiven) {
  const SuiteEntry entry =
      suite_of("[[entry]]\nname = \"mine\"\nprogram = \"./solver --title 'two words'\"\nranks = \"all\"\n")
          .entries.at(0);
  EXPECT_THAT(command_of(entry, "/lib/suite", "/scratch"), ElementsAre("./solver", "--title", "two words"));
  EXPECT_EQ(entry.ranks, 0U);
  EXPECT_FALSE(uses_files(entry, some_kinds()));
}

TEST(SuiteFile, UnknownCellsAndParametersAreToldWithTheirPlaces) {
  EXPECT_EQ(faults_of_cell("hallo"), "s.toml:3:18: there is no cell 'hallo'; did you mean 'halo'?\n");
  EXPECT_EQ(faults_of_cell("halo:sidde=3"), "s.toml:3:18: halo has no parameter 'sidde'; did you mean 'side'?\n");
  EXPECT_EQ(faults_of_cell("halo:side"),
            "s.toml:3:18: 'side' of halo has no number; write side=256, or with KiB or MiB\n");
  EXPECT_EQ(faults_of_cell("halo:side=4kB"),
            "s.toml:3:18: 'side' of halo has no number; write side=256, or with KiB or MiB\n");
  EXPECT_EQ(faults_of_cell("halo:steps=101"), "s.toml:3:18: 'steps' of halo is from 1 to 100, not 101\n");
  EXPECT_EQ(faults_of_cell("bcast:bytes=32MiB"), "s.toml:3:18: 'bytes' of bcast is from 0 to 16777216, not 33554432\n");
  EXPECT_EQ(faults_of_cell("strided:bytes=1000"),
            "s.toml:3:18: 1000 bytes are not whole pieces of 512; 'bytes' is a multiple of 'piece'\n");
  EXPECT_THAT(faults_of_cell("halo:"), HasSubstr("s.toml:3:18: halo has no parameter ''"));
  EXPECT_THAT(faults_of_cell("halo:side=9999999999999999999"), HasSubstr("no number"));
}

TEST(SuiteFile, FaultsOfAllEntriesAreToldTogether) {
  const std::string all = faults_of(R"(title = 1
[[entry]]
name = "a b"
cells = ["hallo", "bcast:byte=1"]
[[entry]]
name = "y"
)");
  EXPECT_THAT(all, HasSubstr("s.toml:1:1: there is no key 'title' here"));
  EXPECT_THAT(all, HasSubstr("s.toml:3:8: an entry has a name of letters"));
  EXPECT_THAT(all, HasSubstr("s.toml:4:10: there is no cell 'hallo'"));
  EXPECT_THAT(all, HasSubstr("s.toml:4:19: bcast has no parameter 'byte'; did you mean 'bytes'?"));
  EXPECT_THAT(all, HasSubstr("s.toml:5:1: an entry has cells, or a program"));
}

TEST(SuiteFile, EachKeyIsChecked) {
  EXPECT_THAT(faults_of_line("ranks = 0"), HasSubstr("s.toml:3:9: 'ranks' is a whole number from 1"));
  EXPECT_THAT(faults_of_line("ranks = \"some\""), HasSubstr("s.toml:3:9: 'ranks' is \"all\""));
  EXPECT_THAT(faults_of_line("seconds = -1"), HasSubstr("s.toml:3:11: 'seconds' is a time above 0"));
  EXPECT_THAT(faults_of_line("hints = 3"), HasSubstr("s.toml:3:9: 'hints' is a table"));
  EXPECT_THAT(faults_of_line("hints = { \"a,b\" = 1 }"), HasSubstr("'a,b' is no name in 'hints'"));
  EXPECT_THAT(faults_of_line("hints = { a = \"x,y=z\" }"),
              HasSubstr("s.toml:3:9: the hint 'a' has '=' behind a comma"));
  EXPECT_THAT(faults_of_line("environment = { A = [1] }"), HasSubstr("s.toml:3:21: 'A' of 'environment' is a text"));
  EXPECT_THAT(faults_of_line("hint = {}"), HasSubstr("s.toml:3:1: there is no key 'hint' here; did you mean 'hints'?"));
  EXPECT_THAT(faults_of_line("program = \"x\""), HasSubstr("s.toml:3:11: an entry has either cells or a program"));
  EXPECT_THAT(faults_of("[[entry]]\nname = \"x\"\nprogram = \" \"\n"), HasSubstr("'program' is a command line"));
  EXPECT_THAT(faults_of("[[entry]]\nname = \"x\"\nprogram = \"x\"\nhints = { a = 1 }\n"),
              HasSubstr("s.toml:4:9: 'hints' are of cells"));
  EXPECT_THAT(faults_of("[[entry]]\nname=\"x\"\ncells=\"halo\"\n[[entry]]\nname=\"x\"\ncells=\"halo\"\n"),
              HasSubstr("s.toml:5:6: there are two entries 'x'"));
  EXPECT_THAT(faults_of("entry = [1]\n"), HasSubstr("s.toml:1:10: 'entry' is a list of tables"));
  EXPECT_THAT(faults_of("entry = 1\n"), HasSubstr("write [[entry]]"));
  EXPECT_THAT(faults_of(""), HasSubstr("s.toml: nothing is to be run"));
  EXPECT_THAT(faults_of("[[entry]\n"), HasSubstr("s.toml:1:"));
}

constexpr std::string_view kWordsOfSuites[] = {"=",   ":",  ",", "\"", "[[entry]]\n", "{",           "}",    "[",   "]",
                                               "KiB", "-1", "#", "\n", ".",           "99999999999", "\xff", "halo"};

TEST(SuiteFile, DamagedIsReadOrRefusedWithPlaces) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const std::string whole = R"(name = "all"
[[entry]]
name = "first"
cells = ["halo:side=512,steps=20", "bcast:bytes=64KiB"]
ranks = 2
hints = { cb_nodes = 1 }
environment = { A = "b" }
[[entry]]
name = "second"
program = "a 'b c' d"
seconds = 2.5
)";
  int read = 0, refused = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = plumbline::test::mutated(whole, kWordsOfSuites, random);
    try {
      const Suite suite = suite_of(text);
      EXPECT_FALSE(suite.entries.empty()) << text;
      for (const SuiteEntry& entry : suite.entries) EXPECT_NE(entry.cells.empty(), entry.program.empty()) << text;
      ++read;
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) EXPECT_THAT(problem.where, HasSubstr("s.toml")) << text;
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 1000);
}

TEST(SuiteFile, WhatIsNoListOfCellsIsRefused) {
  EXPECT_THROW(parse_cell_kinds("{}", "suite"), Error);
  EXPECT_THROW(parse_cell_kinds("no such option", "suite"), Error);
  EXPECT_THROW(ask_for_cell_kinds("/nonexistent/plumbline-suite-openmpi"), Error);
  EXPECT_THROW(ask_for_cell_kinds("/bin/false"), Error);
}

TEST(SuiteFile, ThereIsABuiltInSuiteOfEachLevelAndNoOther) {
  for (const std::string& name : built_in_suites()) EXPECT_THAT(built_in_suite(name), HasSubstr("[[entry]]"));
  try {
    built_in_suite("fast");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kWrongUse);
    EXPECT_THAT(error.what(), HasSubstr("there is no suite 'fast'; known: quick, default, full"));
  }
}

}  // namespace
}  // namespace plumbline::bench
