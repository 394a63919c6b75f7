// Tables of guidelines as TOML: what they mean, and every fault of one at once, with its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "bench/rules/series.hpp"
#include "bench/rules/table/table.hpp"
#include "bench/rules/table/term_text.hpp"
#include "bench/rules/table/terms.hpp"
#include "tests/bench/rules/made_campaign.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Of blocks, of neighbours, without a size, with several times, and with a parameter that must be given.
Catalogue few_operations() {
  return parse_catalogue(R"({"families": [
    {"name": "gather", "bytes": "one block", "implementations": ["library"], "parameters": []},
    {"name": "bcast", "bytes": "the message", "implementations": ["library"], "parameters": []},
    {"name": "neighbor_allgather", "bytes": "one block", "implementations": ["library"], "parameters": [
      {"name": "topology", "default": "cartesian", "is_word": true}, {"name": "dimensions", "default": "2"},
      {"name": "reorder", "default": "0"}]},
    {"name": "cart_create", "implementations": ["library"], "parameters": [{"name": "dimensions", "default": "2"}]},
    {"name": "ibcast", "bytes": "the message", "implementations": ["library"], "phases": ["alone", "together"]},
    {"name": "seek", "bytes": "a read", "implementations": ["library"], "parameters": [{"name": "directory"}]},
    {"name": "file_read_at", "bytes": "a read", "implementations": ["library"], "parameters": [{"name": "directory"}]}
  ]})",
                         "few");
}

std::vector<std::string> faults_of(const std::string& text) {
  std::vector<std::string> faults;
  const Catalogue catalogue = few_operations();
  try {
    parse_guidelines(text, "my.toml", {}, &catalogue);
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) faults.push_back(to_string(problem));
  }
  return faults;
}

TEST(Terms, AreAnOperationWithItsSizeAndWhatItIsMeasuredWith) {
  for (const char* text : {"gather(b)", "bcast(p*b)", "cart_create", "neighbor_allgather(b) topology=moore radius=2",
                           "round_trip(b) place=loopback", "exchange(b) place=network times=pairs"}) {
    std::string fault;
    const std::optional<Term> term = term_of(text, fault);
    ASSERT_TRUE(term) << text << ": " << fault;
    EXPECT_EQ(text_of(*term), text);
  }
}

TEST(Terms, SayWhatIsWrongWithThem) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"", "'' is no operation with its size"},        {"gather(2b)", "'gather(2b)' is no operation"},
      {"Gather(b)", "'Gather(b)' is no operation"},    {"gather(b) fast", "'fast' is no name=value"},
      {"gather(b) fast=", "'fast=' is no name=value"}, {"gather(b) place=moon", "there is no place 'moon'"},
      {"gather(b) times=3", "times=3 is not known"},
  };
  for (const auto& [text, what] : kWrong) {
    std::string fault;
    EXPECT_FALSE(term_of(text, fault)) << text;
    EXPECT_THAT(fault, HasSubstr(what)) << text;
  }
}

constexpr char kEachAndForms[] = R"toml(
[forms]
grids = [{topology = "cartesian", dimensions = [2, 3]}, {topology = "moore", dimensions = 2}]
[[guideline]]
id = "my.order"
group = "mine"
text = "of {each}"
name = "GLX"
each = ["neighbor_allgather", "neighbor_alltoall"]
fast = "{each}(b) order=ascending"
slow = ["{each}(b) order=random topology=complete"]
over = "grids"
equal = true
allowed = 1.5
least_block = "1KiB"
)toml";

TEST(GuidelinesFile, MakesAComparisonOfEachFormAndOperation) {
  const GuidelineTable table = parse_guidelines(kEachAndForms, "my.toml");
  ASSERT_THAT(table.rules, SizeIs(1));
  const Rule& rule = table.rules[0];
  EXPECT_EQ(rule.group, "mine");
  EXPECT_FALSE(rule.in_validation);
  ASSERT_THAT(rule.comparisons, SizeIs(12)) << "2 operations, 3 forms, both ways";
  const Comparison& third_form = rule.comparisons[4];
  EXPECT_EQ(third_form.form, "dimensions=2 topology=moore");
  EXPECT_EQ(text_of(third_form.fast[0]), "neighbor_allgather(b) order=ascending dimensions=2 topology=moore");
  EXPECT_EQ(text_of(third_form.slow[0]), "neighbor_allgather(b) order=random topology=complete dimensions=2")
      << "what a term says itself holds";
  EXPECT_EQ(text_of(rule.comparisons[5].fast[0]), text_of(third_form.slow[0]));
  EXPECT_EQ(third_form.text, "of neighbor_allgather");
  EXPECT_EQ(third_form.name, "GLX");
  EXPECT_EQ(third_form.allowed, 1.5);
  EXPECT_EQ(third_form.least_block, 1024U);
  EXPECT_FALSE(third_form.is_first_form);
}

// Where one comparison gives a parameter, all others mean its default.
TEST(GuidelinesFile, SaysOfEachParameterWhatItIs) {
  const Catalogue catalogue = few_operations();
  constexpr char kTwo[] = R"toml([[guideline]]
id = "one"
fast = "neighbor_allgather(b) topology=moore reorder=1.0"
slow = "neighbor_allgather(b)"
[[guideline]]
id = "two"
fast = "gather(b)"
slow = "bcast(p*b)"
)toml";
  GuidelineTable table = parse_guidelines(kTwo, "my.toml", {}, &catalogue);
  complete_terms(table.rules, catalogue);
  const Comparison& one = table.rules.at(0).comparisons.at(0);
  EXPECT_EQ(one.fast[0].settings, "reorder=1 topology=moore");
  EXPECT_EQ(one.slow[0].settings, "reorder=0 topology=cartesian");
  EXPECT_EQ(table.rules[1].comparisons[0].fast[0].settings, "");
}

TEST(GuidelinesFile, TakesThePlaceOfBuiltInGuidelinesWithTheSameId) {
  const std::string own = R"toml([[guideline]]
id = "rule.gather.allgather"
fast = "gather(b)"
slow = "bcast(p*b)"
)toml";
  const std::vector<Rule> all = guidelines_of(own, "my.toml", nullptr), built_in = guidelines_of("", "", nullptr);
  EXPECT_EQ(all.size(), built_in.size());
  EXPECT_EQ(all.back().comparisons.at(0).slow.at(0).operation, "bcast");
  EXPECT_THAT(guidelines_of("built_in = false\n" + own, "my.toml", nullptr), SizeIs(1));
}

// What the built-in table measures, each with the parameters that it gives; and of Gather one more.
Catalogue as_the_built_in_table() {
  std::map<std::string, std::set<std::string>> parameters{{"gather", {"root"}}};
  std::set<std::string> without_size;
  for (const Rule& rule : guidelines_of("", "", nullptr)) {
    for (const std::string& operation : rule.operations) parameters[operation];
    for (const Comparison& comparison : rule.comparisons)
      for (const auto* side : {&comparison.fast, &comparison.slow})
        for (const Term& term : *side) {
          if (term.size == Term::Size::kNone) without_size.insert(term.operation);
          for (const auto& [name, value] : settings_of_text(term.settings))
            if (name != kThreads) parameters[term.operation].insert(name);
          parameters[term.operation];
        }
  }
  Catalogue catalogue;
  for (const auto& [name, of_it] : parameters) {
    Operation& operation = catalogue.operations.emplace_back();
    operation.name = name;
    operation.bytes = without_size.contains(name) ? "" : "a block";
    for (const std::string& each : of_it) operation.parameters.push_back({each, "", "0", true});
  }
  return catalogue;
}

// One campaign measures Gather in two forms then, and what the built-in table compares is the one by default.
TEST(GuidelinesFile, LeavesBuiltInGuidelinesJudgedWhereItGivesAParameterThatTheyDoNot) {
  const Catalogue catalogue = as_the_built_in_table();
  const std::vector<Rule> table = guidelines_of(
      "[[guideline]]\nid = \"my.root\"\nfast = \"gather(b) root=1\"\nslow = \"gather(b)\"\n", "my.toml", &catalogue);
  test::MadeCampaign made;
  made.add("gather", 8, 3, {{"root", "0"}});
  made.add("gather", 8, 30, {{"root", "1"}});
  made.add("allgather", 8, 1);
  const RulesVerdict verdict = judge_rules(made.campaign(), {}, table);
  const std::vector<RuleOutcome> built_in = test::outcomes_of(verdict, "rule.gather.allgather"),
                                 own = test::outcomes_of(verdict, "my.root");
  ASSERT_THAT(built_in, SizeIs(1));
  EXPECT_NEAR(built_in[0].ratio, 3, 1e-9);
  ASSERT_THAT(own, SizeIs(1));
  EXPECT_NEAR(own[0].ratio, 10, 1e-9);
}

// What an own guideline takes from caches, others do not.
TEST(GuidelinesFile, LeavesBuiltInGuidelinesTheirFreshData) {
  Catalogue catalogue = as_the_built_in_table();
  for (Operation& operation : catalogue.operations)
    if (operation.name == "gather") operation.parameters.push_back({"fresh_mib", "", "0"});
  const std::vector<Rule> table =
      guidelines_of("[[guideline]]\nid = \"my.cached\"\nfast = \"gather(b) fresh_mib=0\"\nslow = \"gather(b)\"\n",
                    "my.toml", &catalogue);
  const auto rule = std::ranges::find(table, "rule.gather.allgather", &Rule::id);
  ASSERT_NE(rule, table.end());
  EXPECT_EQ(rule->comparisons.at(0).fast.at(0).settings, "fresh_mib=4");
  EXPECT_EQ(table.back().comparisons.at(0).fast.at(0).settings, "fresh_mib=0");
}

constexpr char kFaults[] = R"toml([forms]
few = "moore"
[[guideline]]
id = "one"
fast = "gathr(b)"
slow = ["bcast(p*b)", "bcast"]
[[guideline]]
id = "one"
fats = "gather(b)"
slow = "gather(b) radius=2"
[[guideline]]
id = "Three"
kind = "monotoni"
[[guideline]]
id = "four"
fast = "cart_create"
slow = "neighbor_allgather(b) dimensions=two"
over = "grids"
allowed = -1
[[guideline]]
id = "five"
kind = "split"
operations = ["bcast", "scater"]
fast = "gather(b)"
slow = 3
)toml";

TEST(GuidelinesFile, TellsAllItsFaultsAtOnceEachWithItsPlace) {
  const std::vector<std::string> faults = faults_of(kFaults);
  const auto has = [&](const std::string& where, const std::string& what) {
    return testing::Contains(testing::AllOf(testing::StartsWith("my.toml:" + where), HasSubstr(what)));
  };
  EXPECT_THAT(faults, has("2:", "forms are a list of tables"));
  EXPECT_THAT(faults, has("5:", "there is no operation 'gathr' to measure; did you mean 'gather'?"));
  EXPECT_THAT(faults, has("6:23", "some terms of the comparison have a size and some have none"));
  EXPECT_THAT(faults, has("8:", "there are two guidelines 'one'"));
  EXPECT_THAT(faults, has("7:", "a comparison has no 'fast'"));
  EXPECT_THAT(faults, has("9:", "there is no key 'fats' here; did you mean 'fast'"));
  EXPECT_THAT(faults, has("12:", "an id is of small letters"));
  EXPECT_THAT(faults, has("13:", "there is no kind 'monotoni'"));
  EXPECT_THAT(faults, has("18:", "there are no forms 'grids'"));
  EXPECT_THAT(faults, has("19:", "'allowed' is a ratio above 0"));
  EXPECT_THAT(faults, has("20:", "is of sizes, and compares"));
  EXPECT_THAT(faults, has("20:", "there is no operation 'scater' to measure"));
  EXPECT_THAT(faults, has("25:", "'slow' is a term or a list of terms"));
}

TEST(GuidelinesFile, TellsOfOperationsWhatTheyHaveNot) {
  const std::vector<std::string> faults = faults_of(R"toml([[guideline]]
id = "one"
fast = "cart_create(b)"
slow = "gather(b) radius=2"
[[guideline]]
id = "two"
fast = "neighbor_allgather(b) dimensions=two"
slow = "gather(b) threads=many"
)toml");
  EXPECT_THAT(faults, ElementsAre(HasSubstr("my.toml:3:8: 'cart_create' has no size"),
                                  HasSubstr("my.toml:4:8: 'gather' has no parameter 'radius'"),
                                  HasSubstr("my.toml:7:8: 'dimensions' of 'neighbor_allgather' is a number, not 'two'"),
                                  HasSubstr("my.toml:8:8: threads=many is not measured")));
}

// A level below "multiple" has no layout, so that nothing would come of it.
TEST(GuidelinesFile, TellsOfLevelsOfThreadsThatNothingMeasures) {
  for (const char* level : {"single", "funneled", "serialized", "multiple"}) {
    const std::vector<std::string> faults = faults_of(
        std::string("[[guideline]]\nid = \"one\"\nfast = \"gather(b)\"\nslow = \"gather(b) threads=") + level + "\"\n");
    if (level == std::string("multiple"))
      EXPECT_THAT(faults, IsEmpty());
    else
      EXPECT_THAT(faults, ElementsAre(HasSubstr(std::string("my.toml:4:8: threads=") + level + " is not measured")));
  }
}

TEST(GuidelinesFile, TellsWhereATermIsOfSeveralTimesOrOfNone) {
  EXPECT_THAT(faults_of(R"toml([[guideline]]
id = "one"
fast = "ibcast(b)"
slow = "ibcast(b) phase=al"
[[guideline]]
id = "two"
fast = "ibcast(b) phase=alone"
slow = "bcast(b) phase=alone"
)toml"),
              ElementsAre(HasSubstr("my.toml:3:8: 'ibcast' has several times, and a term is of one of them; "
                                    "phase=alone, phase=together"),
                          HasSubstr("my.toml:4:8: 'ibcast' has no phase 'al'"),
                          HasSubstr("my.toml:8:8: 'bcast' has no parameter 'phase'")));
}

TEST(GuidelinesFile, TellsOfOperationsThatHaveNoSizesOrNeedMoreThanOne) {
  EXPECT_THAT(faults_of(R"toml([[guideline]]
id = "one"
kind = "monotony"
operations = ["bcast", "cart_create", "seek", "file_read_at"]
)toml"),
              ElementsAre(HasSubstr("my.toml:1:1: 'cart_create' has no size"),
                          HasSubstr("my.toml:1:1: 'seek' needs 'directory'")));
}

TEST(GuidelinesFile, SaysWhereItIsNoToml) {
  EXPECT_THAT(faults_of("[[guideline]]\nid = \n"), ElementsAre(HasSubstr("my.toml:2:")));
  EXPECT_THAT(faults_of(""), ElementsAre(HasSubstr("has no guideline")));
}

// A fault of a term that stands for many comparisons is told once.
TEST(GuidelinesFile, TellsAFaultOncePerPlace) {
  EXPECT_THAT(faults_of(R"toml([[guideline]]
id = "one"
fast = "gather(b) radius=1"
slow = "gather(b)"
over = [{}, {}, {}]
)toml"),
              SizeIs(1));
}

TEST(BuiltInGuidelines, AreAllInAGroupAndHaveATextAndTwoSides) {
  const std::vector<Rule> all = guidelines_of("", "", nullptr);
  std::set<std::string> names, groups;
  for (const Rule& rule : all) {
    EXPECT_FALSE(rule.text.empty()) << rule.id;
    EXPECT_NE(rule.group, "own guidelines") << rule.id;
    groups.insert(rule.group);
    EXPECT_EQ(rule.comparisons.empty(), rule.kind != Rule::Kind::kPattern) << rule.id;
    EXPECT_EQ(rule.operations.empty(), rule.kind == Rule::Kind::kPattern) << rule.id;
    for (const Comparison& comparison : rule.comparisons) {
      EXPECT_FALSE(comparison.fast.empty() || comparison.slow.empty()) << rule.id;
      EXPECT_EQ(comparison.text.find('{'), std::string::npos) << comparison.text;
      if (!comparison.name.empty()) names.insert(comparison.name);
    }
  }
  EXPECT_LE(groups.size(), 10U) << "a verdict has a line for each";
  EXPECT_THAT(names,
              ElementsAre("GL1", "GL10", "GL11", "GL12", "GL2", "GL3", "GL4", "GL5", "GL6", "GL7", "GL8", "GL9"));
}

}  // namespace
}  // namespace plumbline::bench
