#include "bench/campaign/description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "tests/bench/campaign/families.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Surroundings kHere{{"openmpi", "mpich"}, 2};

Description parsed(const std::string& text) {
  return parse_description(text, "c.toml", parse_catalogue(test::kFamilies, "families"), kHere);
}

std::string faults_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_string(problem) + "\n";
    return all;
  }
  return "";
}

constexpr char kShortest[] = "[[measure]]\noperation = \"bcast\"\nsizes = \"1..4*2\"\n";

TEST(CampaignFile, OfThreeLinesHasADefaultForEverythingElse) {
  const Description description = parsed(kShortest);
  EXPECT_THAT(description.mpis, ElementsAre("openmpi", "mpich"));
  EXPECT_EQ(description.runs, 7U);
  ASSERT_EQ(description.layouts.size(), 1U);
  EXPECT_EQ(description.layouts[0].ranks(), 2U);
  ASSERT_EQ(description.requests.size(), 3U);
  EXPECT_EQ(description.requests[2].operation, "bcast");
  EXPECT_EQ(description.requests[2].implementation, "library");
  EXPECT_THAT(description.requests[2].sizes, ElementsAre(4));
  EXPECT_EQ(description.requests[2].effort, Effort{});
}

TEST(CampaignFile, MeasuresEachCombinationOnce) {
  const Description description = parsed(R"(
[[measure]]
operation = ["bcast", "round_trip"]
sizes = [8, "8, 16", 8]
[[measure]]
operation = "bcast"
implementation = "all"
sizes = 16
[[measure]]
operation = "round_trip"
sizes = 8
send = ["Send", "Ssend"]
messages = [1, 4]
)");
  // bcast 8, 16; round_trip 8, 16; binomial and chain 16; of the four last one is known.
  EXPECT_EQ(description.requests.size(), 2U + 2U + 2U + 3U);
  const Request& last = description.requests.back();
  EXPECT_EQ(last.words.at("send"), "Ssend");
  EXPECT_EQ(last.numbers.at("messages"), 4);
}

TEST(CampaignFile, SettingsOfAllHoldUntilAMeasureSaysOtherwise) {
  const Description description = parsed(R"(
[settings]
timing = "global"
isolation = "round time"
most = 50
budget = "300ms"
keep_ranks = true
[[measure]]
operation = "bcast"
sizes = 1
[[measure]]
operation = "bcast"
sizes = 2
timing = "root"
least = 80
most = 90
)");
  const Request& first = description.requests[0];
  EXPECT_EQ(first.effort.timing, "global");
  EXPECT_EQ(first.effort.isolation, "round time");
  EXPECT_EQ(first.effort.least, 30U);
  EXPECT_EQ(first.effort.most, 50U);
  EXPECT_DOUBLE_EQ(first.effort.budget_s, 0.3);
  EXPECT_TRUE(first.keep_ranks);
  const Request& second = description.requests[1];
  EXPECT_EQ(second.effort.timing, "root");
  EXPECT_EQ(second.effort.isolation, "round time");
  EXPECT_EQ(second.effort.most, 90U);
}

TEST(CampaignFile, TheBudgetIsSharedAmongAllThatHaveNoneOfTheirOwn) {
  const Description description = parsed(R"(
[campaign]
runs = 5
budget = "60s"
mpi = "mpich"
[[measure]]
operation = "bcast"
sizes = [1, 2]
[[measure]]
operation = "bcast"
sizes = 4
budget = 9
)");
  EXPECT_DOUBLE_EQ(description.requests[0].effort.budget_s, 60.0 / (5 * 3));
  EXPECT_DOUBLE_EQ(description.requests[2].effort.budget_s, 9);
}

TEST(CampaignFile, AdaptiveSizesAreOneRequestOfTwoEnds) {
  const Description description = parsed("[[measure]]\noperation = \"bcast\"\nsizes = {from = 0, to = \"64KiB\"}\n");
  ASSERT_EQ(description.requests.size(), 1U);
  EXPECT_TRUE(description.requests[0].adaptive);
  EXPECT_THAT(description.requests[0].sizes, ElementsAre(0, 65536));
}

TEST(CampaignFile, HintsAreAnyNameBelowHint) {
  const Description description = parsed(R"(
[[measure]]
operation = "file_write"
sizes = 1
directory = "/scratch"
hint.cb_nodes = 2
"hint.romio_cb_write" = "enable"
)");
  EXPECT_EQ(description.requests.at(0).words.at("hint.cb_nodes"), "2");
  EXPECT_EQ(description.requests.at(0).words.at("hint.romio_cb_write"), "enable");
}

TEST(CampaignFile, LayoutsArePlacesOrALauncherLine) {
  const Description description = parsed(std::string(kShortest) + R"(
[[layout]]
hosts = ["a", "b"]
[[layout]]
nodes = 4
per_node = 2
launcher = "srun -N {nodes} 'a b' {program} x"
)");
  EXPECT_EQ(description.layouts[0].nodes, 2U);
  EXPECT_EQ(description.layouts[0].per_node, 1U);
  EXPECT_THAT(description.layouts[1].launcher, ElementsAre("srun", "-N", "{nodes}", "a b", "{program}", "x"));
}

TEST(CampaignFile, ALayoutMayBeOfRanksThatShareNoMemoryAndOfSomeOperations) {
  const Description description = parsed(R"(
[[measure]]
operation = ["bcast", "round_trip"]
sizes = [1, 2]
[[layout]]
per_node = 2
[[layout]]
per_node = 2
loopback = true
only = "round_trip"
)");
  EXPECT_FALSE(description.layouts[0].loopback);
  EXPECT_TRUE(description.layouts[1].loopback);
  EXPECT_THAT(description.layouts[1].only, ElementsAre("round_trip"));
  EXPECT_TRUE(is_measured_in(description.layouts[0], description, 0));
  EXPECT_FALSE(is_measured_in(description.layouts[1], description, 0));
  EXPECT_TRUE(is_measured_in(description.layouts[1], description, 3));
}

TEST(CampaignFile, ALayoutMayAskMpiForALevelOfThreads) {
  const Description description =
      parsed(std::string(kShortest) + "[[layout]]\nper_node = 2\n[[layout]]\nper_node = 2\nthreads = \"multiple\"\n");
  EXPECT_EQ(description.layouts[0].threads, "");
  EXPECT_EQ(description.layouts[1].threads, "multiple");
  EXPECT_THAT(faults_of(std::string(kShortest) + "[[layout]]\nthreads = \"many\"\n"),
              HasSubstr("there is no threads 'many'"));
}

TEST(CampaignFile, ALayoutMayHaveVariablesOfItsOwnAndANameForThem) {
  const Description description = parsed(std::string(kShortest) +
                                         "[[layout]]\n[[layout]]\nenvironment = [\"A=1\", \"B=x y=\"]\n"
                                         "variant = \"tuned\"\n");
  EXPECT_EQ(description.layouts[0].variant, "");
  EXPECT_THAT(description.layouts[1].environment, ElementsAre("A=1", "B=x y="));
  EXPECT_EQ(description.layouts[1].variant, "tuned");
  const auto faults = [](const std::string& layout) { return faults_of(kShortest + ("[[layout]]\n" + layout)); };
  EXPECT_THAT(faults("environment = [\"A\", \"=1\", \"A B=1\"]\nvariant = \"tuned\"\n"),
              testing::AllOf(HasSubstr("c.toml:5:15: 'A' sets no variable"), HasSubstr("'=1' sets no variable"),
                             HasSubstr("'A B=1' sets no variable")));
  EXPECT_THAT(faults("variant = \"well tuned\"\n"), HasSubstr("c.toml:5:11: a variant's name has no blanks"));
  EXPECT_THAT(faults("environment = \"A=1\"\n"),
              HasSubstr("c.toml:5:15: a layout with settings of its own has no name; variant = \"tuned\""));
}

TEST(CampaignFile, TheBudgetIsSharedByWhatLayoutsMeasure) {
  const Description description = parsed(R"(
[campaign]
runs = 1
budget = "6s"
mpi = "mpich"
[[layout]]
[[layout]]
only = "round_trip"
[[measure]]
operation = ["bcast", "round_trip"]
sizes = 1
)");
  EXPECT_DOUBLE_EQ(description.requests[0].effort.budget_s, 6.0 / 3);
}

TEST(CampaignFile, RanksOfSeveralNodesHaveNoLoopback) {
  EXPECT_THAT(faults_of(std::string(kShortest) + "[[layout]]\nnodes = 2\nloopback = true\n"),
              HasSubstr("c.toml:6:12: ranks of one node are to talk without shared memory, and this layout has 2 x 1"));
  EXPECT_THAT(faults_of(std::string(kShortest) + "[[layout]]\nper_node = 1\nloopback = true\n"), HasSubstr("1 x 1"));
}

TEST(CampaignFile, SaysWhatNoLayoutMeasures) {
  EXPECT_THAT(faults_of(std::string(kShortest) + "[[layout]]\nonly = \"round_trip\"\n"),
              ::testing::AllOf(HasSubstr("'only' has 'round_trip', which is not measured"),
                               HasSubstr("'bcast' is left out of every layout")));
}

TEST(CampaignFile, EveryFaultIsToldAtOnceWithItsPlace) {
  const std::string faults = faults_of(R"([campaign]
runs = 0
sed = 3
[[layout]]
per_node = "two"
launcher = "srun {rank}"
[[measure]]
operation = "bcst"
[[measure]]
operation = "round_trip"
sizes = "1..8TiB*2"
sned = "Ssend"
messages = "four"
[[measure]]
operation = "bcast"
implementation = "binomal"
timing = "Max"
precision = 2
[mesure]
)");
  for (const char* expected : {
           "c.toml:2:8: 'runs' is a whole number from 1 to 10000",
           "c.toml:3:1: there is no key 'sed' here; did you mean 'seed'?",
           "c.toml:5:12: 'per_node' is a whole number",
           "c.toml:6:12: there is no placeholder '{rank}'",
           "c.toml:8:13: there is no operation 'bcst'; did you mean 'bcast'?",
           "c.toml:11:9: '8TiB' is too large",
           "c.toml:12:8: 'round_trip' has no parameter 'sned'; did you mean 'send'",
           "c.toml:13:12: 'messages' of 'round_trip' is a number",
           "c.toml:16:18: 'bcast' has no implementation 'binomal'; did you mean 'binomial'?",
           "c.toml:17:10: there is no timing 'Max'; did you mean 'max'?",
           "c.toml:18:13: 'precision' lies between 0 and 1",
           "c.toml:19:2: there is no key 'mesure' here; did you mean 'measure'?",
       })
    EXPECT_THAT(faults, HasSubstr(expected));
}

TEST(CampaignFile, SaysWhatIsMissing) {
  EXPECT_THAT(faults_of(""), HasSubstr("nothing is to be measured"));
  EXPECT_THAT(faults_of("[[measure]]\nsizes = 1\n"), HasSubstr("c.toml:1:1: nothing is said to be measured"));
  EXPECT_THAT(faults_of("[[measure]]\noperation = \"file_write\"\n"), HasSubstr("'file_write' needs 'directory'"));
  EXPECT_THAT(faults_of("measure = 3\n"), HasSubstr("c.toml:1:11: 'measure' is not a table; write [[measure]]"));
  EXPECT_THAT(faults_of("[[measure]]\noperation = \n"), HasSubstr("c.toml:2:"));
}

TEST(CampaignFile, SaysWhatDoesNotGoTogether) {
  EXPECT_THAT(faults_of("[[measure]]\noperation = \"barrier\"\nsizes = 1\n"),
              HasSubstr("c.toml:3:9: 'barrier' has no sizes"));
  EXPECT_THAT(faults_of("[[measure]]\noperation = \"barrier\"\n"),
              HasSubstr("needs 4 ranks, and no layout has more than 2"));
  EXPECT_THAT(faults_of(std::string(kShortest) + "root = 2\n"), HasSubstr("root 2 is none of its 2 ranks"));
  EXPECT_THAT(faults_of(std::string(kShortest) + "least = 9\nmost = 8\n"), HasSubstr("at least 9 and at most 8"));
  EXPECT_THAT(faults_of("[[measure]]\noperation = \"bcast\"\nsizes = {from = 9, to = 1}\n"),
              HasSubstr("end before they begin"));
}

// Whatever a file holds, it is read or refused with a place.
TEST(CampaignFile, DamagedIsReadOrRefused) {
  const std::string whole = std::string("[campaign]\nruns = 3\nmpi = [\"mpich\"]\n[settings]\nleast = 5\n") +
                            kShortest + "perturb = 3\n[[layout]]\nhosts = [\"a\"]\nlauncher = \"x {program}\"\n";
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text = whole;
    for (std::uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, random() % 9);
          break;
        case 1:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        case 2:
          text[at] = static_cast<char>(random() % 256);
          break;
        default:
          text.insert(at, std::vector<std::string>{"[[", "=", "{}", "-1", "9e99", "nan", "\"\"", "[]",
                                                   "1979-05-27"}[random() % 9]);
      }
      if (text.empty()) text = "x";
    }
    try {
      parsed(text);
    } catch (const Error& error) {
      ++refused;
      for (const Problem& problem : error.problems())
        ASSERT_TRUE(problem.where.starts_with("c.toml") && !problem.what.empty()) << to_string(problem) << '\n' << text;
    }
  }
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace plumbline::bench
