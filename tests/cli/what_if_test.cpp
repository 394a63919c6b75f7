#include "replay/expect/what_if.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "cli/verbs/replay/outcome_table.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

using Values = std::vector<std::string>;

TEST(ReadPlatformFor, TellsTheFaultsOfTheFileAndOfTheSettingsTogether) {
  const test::TemporaryDirectory directory;
  const std::filesystem::path path = directory / "broken.xml";
  std::ofstream(path) << R"(<platform version="1" name="p">
  <node name="a" cors="1" memory-rate="1GB/s" source="assumed"/>
</platform>)";
  const std::vector<hw::Setting> settings = {
      {"hint.cb_nodez", "1"}, {"collective.allreduce", "rinq"}, {"node.a.speed", "2"}};
  try {
    expect::read_platform_for(settings, path);
    FAIL() << "it was read";
  } catch (const Error& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_string(problem) + "\n";
    EXPECT_THAT(all, testing::HasSubstr("broken.xml:2"));
    EXPECT_THAT(all, testing::HasSubstr("cb_nodez"));
    EXPECT_THAT(all, testing::HasSubstr("rinq"));
    EXPECT_THAT(all, testing::Not(testing::HasSubstr("node.a.speed")));
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
  }
}

TEST(Sweep, IsARangeARangeByFactorsOrAList) {
  EXPECT_EQ(expect::parse_sweep("hint.cb_nodes=1..4"), (expect::Sweep{"hint.cb_nodes", Values{"1", "2", "3", "4"}}));
  EXPECT_EQ(expect::parse_sweep("a=1..10*2").values, (Values{"1", "2", "4", "8"}));
  EXPECT_EQ(expect::parse_sweep("a=3..3").values, (Values{"3"}));
  EXPECT_EQ(expect::parse_sweep("a=64KiB,1MiB").values, (Values{"64KiB", "1MiB"}));
  EXPECT_EQ(expect::parse_sweep("a=one").values, (Values{"one"}));
  EXPECT_EQ(expect::parse_sweep("a=18446744073709551615..18446744073709551615").values.size(), 1U);
}

TEST(Sweep, RefusesWhatIsNoRangeOrNeverEnds) {
  for (const char* text : {"a", "=1", "a=", "a=1..", "a=..4", "a=4..1", "a=1..8*1", "a=1..8*0", "a=0..8*2", "a=1..x",
                           "a=1,,2", "a=1,", "a=0..99999999999"})
    EXPECT_THROW(expect::parse_sweep(text), Error) << text;
}

TEST(Sweep, SeveralGiveEveryCombinationTheLastRunningFastest) {
  const std::vector<expect::Sweep> sweeps = {{"a", {"1", "2"}}, {"b", {"x", "y"}}};
  const std::vector<std::vector<hw::Setting>> expected = {
      {{"a", "1"}, {"b", "x"}}, {{"a", "1"}, {"b", "y"}}, {{"a", "2"}, {"b", "x"}}, {{"a", "2"}, {"b", "y"}}};
  EXPECT_EQ(expect::combinations(sweeps), expected);
  EXPECT_EQ(expect::combinations({}).size(), 1U);
  const expect::Sweep many{"a", Values(200, "1")};
  EXPECT_THROW(expect::combinations(std::vector<expect::Sweep>{many, many}), Error);
}

TEST(OutcomeTable, NamesWhatWasTriedAndMarksTheShortest) {
  const expect::Outcomes outcomes{milliseconds(100),
                                  {{{{"hint.cb_nodes", "1"}, {"x", "a"}}, milliseconds(150)},
                                   {{{"hint.cb_nodes", "16"}, {"x", "a"}}, milliseconds(75)},
                                   {{{"hint.cb_nodes", "32"}, {"x", "a"}}, milliseconds(100)}}};
  EXPECT_EQ(outcome_table(outcomes),
            "expected 100 ms as it is\n"
            "  hint.cb_nodes  x  expected    change\n"
            "              1  a    150 ms   +50.0 %\n"
            "             16  a     75 ms   -25.0 %  shortest\n"
            "             32  a    100 ms  as it is\n");
}

TEST(OutcomeTable, MarksNothingWhereNothingHelps) {
  EXPECT_EQ(outcome_table({milliseconds(1), {{{{"x", "1"}}, milliseconds(1)}, {{{"x", "2"}}, milliseconds(2)}}}),
            "expected 1 ms as it is\n"
            "  x  expected    change\n"
            "  1      1 ms  as it is\n"
            "  2      2 ms  +100.0 %\n");
}

TEST(OutcomeTable, IsJsonForPrograms) {
  EXPECT_EQ(outcome_json({milliseconds(1), {{{{"x", "1"}}, milliseconds(2)}}}),
            "{\n  \"unchanged_ps\": 1000000000,\n  \"outcomes\": [\n    {\n      \"settings\": {\n        \"x\": "
            "\"1\"\n      },\n      \"length_ps\": 2000000000\n    }\n  ]\n}\n");
}

}  // namespace
}  // namespace plumbline::cli
